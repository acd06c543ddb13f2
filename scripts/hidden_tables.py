#!/usr/bin/env python3
"""Prints mcp/text/hidden_data.h: what Unicode says of text that hides something, for mcp/text/hidden.c.

    apt-get install unicode-data libicu72
    scripts/hidden_tables.py > mcp/text/hidden_data.h

Properties come from Debian's unicode-data, skeletons (UTS 39 section 4) from ICU.
"""
import ctypes
import glob
import pathlib
import re
import sys

DATA = pathlib.Path("/usr/share/unicode")
# The most code points in a block, which a look-up goes through one by one.
BLOCK = 64
# Scripts in which the joiners U+200C and U+200D choose between forms of letters (Unicode 23.2).
JOINING = """Arabic Syriac Mongolian Nko Mandaic Manichaean Psalter_Pahlavi Phags_Pa Adlam Hanifi_Rohingya
Sogdian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Myanmar Khmer
Tibetan Thai Lao Javanese Balinese Sundanese Limbu Lepcha Meetei_Mayek Newa Tirhuta Khojki Grantha
Chakma Saurashtra Kaithi Modi Tai_Tham Cham Syloti_Nagri""".split()


def lines(name):
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        fields = [f.strip() for f in line.split("#")[0].split(";")]
        if fields[0]:
            yield fields


def span(field):
    first, _, last = field.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


def having(name, *values):
    return {c for f in lines(name) if f[1] in values for c in span(f[0])}


def ranges(codes):
    made = []
    for c in sorted(codes):
        if made and made[-1][1] == c - 1:
            made[-1][1] = c
        else:
            made.append([c, c])
    return made


def wrap(words, end):
    line = "   "
    for word in words:
        if len(line) + 1 + len(word) > 99:
            print(line)
            line = "   "
        line += " " + word
    print(line + end)


def print_ranges(name, note, codes):
    print(f"/* {note} */\nstatic const uint32_t {name}[][2] = {{")
    wrap([f"{{0x{a:x}, 0x{b:x}}}," for a, b in ranges(codes)], "\n};\n")


def variants():
    """Bases of standardized variation sequences with VS1 to VS14, and with VS15 or VS16."""
    text, emoji = set(), set()
    for f in lines("StandardizedVariants.txt"):
        base, selector = (int(c, 16) for c in f[0].split())
        if 0xfe00 <= selector <= 0xfe0d:
            text.add(base)
    for f in lines("emoji/emoji-variation-sequences.txt"):
        emoji.add(int(f[0].split()[0], 16))
    return text, emoji


def skeletons():
    library = ctypes.CDLL(sorted(glob.glob("/usr/lib/*/libicui18n.so.*"))[-1])
    version = next(v for v in range(60, 90) if hasattr(library, f"uspoof_open_{v}"))
    error = ctypes.c_int(0)
    opening = getattr(library, f"uspoof_open_{version}")
    opening.restype = ctypes.c_void_p
    checker = ctypes.c_void_p(opening(ctypes.byref(error)))
    call = getattr(library, f"uspoof_getSkeletonUTF8_{version}")
    made = {}
    for c in [*range(0x20, 0xac00), *range(0xd7a4, 0xd800), *range(0xe000, 0x30000)]:
        text, buffer = chr(c).encode(), ctypes.create_string_buffer(256)
        size = call(checker, 0, text, len(text), buffer, 256, ctypes.byref(error))
        if error.value > 0:
            sys.exit(f"ICU: error {error.value}")
        if buffer.raw[:size] != text and size:
            made[c] = buffer.raw[:size]
    return made, version


def print_skeletons():
    made, version = skeletons()
    pool, places = b"", {}
    for value in sorted(set(made.values()), key=lambda v: (-len(v), v)):
        at = pool.find(value + b"\0")
        if at < 0:
            at = len(pool)
            pool += value + b"\0"
        places[value] = at
    assert len(pool) < 1 << 16
    codes = sorted(made)
    steps = [after - before for before, after in zip([0, *codes], codes)]
    blocks, first = [], 0
    for i, step in enumerate(steps):
        if i == 0 or step > 255 or i - first == BLOCK:
            first = i
            blocks.append(f"{{0x{codes[i]:x}, {i}}},")
            steps[i] = 0
    print("/* Code points with a skeleton other than themselves "
          f"(ICU {version}), {len(codes)} in blocks: the first of each\n * block, and its index below, … */\n"
          "static const struct {\n    uint32_t code, index;\n} skeleton_blocks[] = {")
    wrap(blocks, "\n};\n")
    print("/* … from each to the one after it in its block, … */\nstatic const uint8_t skeleton_steps[] = {")
    wrap([f"{s}," for s in steps], "\n};\n")
    print("/* … the places of the skeletons, … */\nstatic const uint16_t skeleton_places[] = {")
    wrap([f"{places[v]}," for _, v in sorted(made.items())], "\n};\n")
    print("/* … and their texts, each with a NUL behind it. */")
    print("static const unsigned char skeleton_texts[] = {")
    wrap([f"{b}," for b in pool], "\n};\n")
    print("/* The same for ASCII: the place of a skeleton plus 1, or 0 for a character that is its own. */")
    print("static const uint16_t ascii_skeletons[128] = {")
    wrap([f"{places[made[c]] + 1 if c in made else 0}," for c in range(128)], "\n};")


def main():
    version = re.search(r"-([0-9.]+)\.txt", (DATA / "Scripts.txt").read_text()).group(1)
    category = "extracted/DerivedGeneralCategory.txt"
    marks = having(category, "Mn", "Me")
    tibetan = having("Scripts.txt", "Tibetan")
    letters = having(category, "Lo", "Lm", "Ll", "Lu", "Mn", "Mc")
    ignorable = having("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
    text, emoji = variants()
    text -= having("Scripts.txt", "Han")
    print(f"/* hidden_data.h: Unicode {version} on text that hides something.  Printed by\n"
          " * scripts/hidden_tables.py; do not edit. */\n/* clang-format off */")
    print_ranges("ignorable", "Default_Ignorable_Code_Point, and U+FFFC.", ignorable | {0xfffc})
    print_ranges("joining", "Letters and marks of scripts in which U+200C and U+200D mean something.",
                 having("Scripts.txt", *JOINING) & letters)
    viramas = having("extracted/DerivedCombiningClass.txt", "9", "Virama")
    print_ranges("viramas", "Viramas, after which U+200C and U+200D choose the form of the letter.", viramas)
    print_ranges("spaceless", "Letters and marks of scripts that write no space between words.",
                 having("Scripts.txt", "Khmer", "Myanmar", "Thai", "Lao", "Tai_Tham", "Javanese",
                        "Balinese", "Tibetan", "New_Tai_Lue", "Tai_Le", "Tai_Viet") & letters)
    print_ranges("pictures", "Extended_Pictographic, Emoji_Modifier and regional indicators.",
                 having("emoji/emoji-data.txt", "Extended_Pictographic", "Emoji_Modifier") |
                 set(range(0x1f1e6, 0x1f200)))
    print_ranges("han", "Ideographs, which variation selectors of all kinds may follow.",
                 having("Scripts.txt", "Han") & having(category, "Lo"))
    print_ranges("text_variants", "Bases of standardized sequences with VS1 to VS14, but for Han.", text)
    print_ranges("picture_variants", "Bases of sequences with VS15 and VS16.", emoji)
    print_ranges("marks", "Nonspacing and enclosing marks, but for Tibetan, which stacks letters.",
                 marks - tibetan)
    print_skeletons()


main()

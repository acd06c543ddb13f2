"""The functions that the public headers declare, each with its comment: used by contracts.py and null_calls.py."""
import pathlib
import re
from dataclasses import dataclass, field

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(?:CUPEL_MUST_CHECK\s+)?(?P<type>[\w\s*]+?[\s*])(?P<name>cupel_\w+)\((?P<parameters>[^;{]*?)\)\s*[;{]")


@dataclass
class Parameter:
    type: str  # without the name, one space between words: "const struct cupel_program *"
    name: str

    @property
    def is_pointer(self):
        return self.type.endswith("*") or self.is_callback

    @property
    def is_callback(self):
        return self.type.endswith("(*)")


@dataclass
class Function:
    header: str
    name: str
    returns: str
    comment: str  # as one paragraph, without the signs of the comment
    parameters: list = field(default_factory=list)

    @property
    def may_be_null(self):
        """The names in the line "NULL: a, b." at the end of the comment."""
        found = re.search(r"NULL: ([\w, ]+)\.$", self.comment)
        return found[1].split(", ") if found else []


def plain(comment):
    lines = (re.sub(r"^\s*\*? ?", "", line) for line in comment[2:-2].split("\n"))
    return " ".join(" ".join(lines).split())


def parameters_of(text):
    found = []
    for part in text.split(","):
        part = " ".join(part.split())
        if part in ("void", "..."):
            continue
        match = re.match(r"(.*?)(\w+)$", part)
        found.append(Parameter(match[1].strip(), match[2]))
    return found


def without_bodies(text):
    """The text with the content of braces taken out, so that members and inline functions do not count."""
    out, depth = [], 0
    for char in text:
        depth -= char == "}"
        if depth == 0:
            out.append(char)
        depth += char == "{"
    return "".join(out)


def first_comment(path):
    return plain(COMMENT.search(path.read_text(encoding="utf-8"))[0])


def functions(path):
    """The functions of a header.  Declarations without an empty line between them share the comment above them."""
    text = path.read_text(encoding="utf-8").split('extern "C" {\n#endif\n', 1)[-1]
    text = re.sub(r"\n#if defined\(__GNUC__\)\n\s*__attribute__.*\n#endif\n\s*;", ";", text)
    comments = []

    def keep(match):
        comments.append(plain(match[0]))
        return f"\x01{len(comments) - 1}\x02"

    text = re.sub(r"^ *#(?:.*\\\n)*.*$", "#", COMMENT.sub(keep, text), flags=re.MULTILINE)
    text = without_bodies(text)
    found = []
    for block in re.split(r"\n\s*\n", text):
        comment = re.match(r"\s*\x01(\d+)\x02\n", block)
        code = re.sub(r"\x01\d+\x02|#", " ", block)
        for match in DECLARATION.finditer(code):
            returns = " ".join(match["type"].replace("static inline", "").split())
            if "typedef" in returns:
                continue
            found.append(Function(path.name, match["name"], returns, comments[int(comment[1])] if comment else "",
                                  parameters_of(match["parameters"])))
    return found


def all_functions(include):
    return [f for path in sorted(pathlib.Path(include, "cupel").glob("*.h")) for f in functions(path)]

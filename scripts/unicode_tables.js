// Prints base/regex/unicode_data.h: which code points have which Unicode property, as ECMA-262 counts
// them (22.2.2.9), in a form that regex/unicode_properties.c reads.
//
//     node scripts/unicode_tables.js base/regex/unicode_properties.c > base/regex/unicode_data.h
//
// The names and their order are those of regex/unicode_properties.c; the sets are asked from the JavaScript engine
// that runs this, so its Unicode version (process.versions.unicode) is the one of the tables.
//
// Positions count code points without the surrogates.  A number is written in base 128, low digits
// first, the high bit set on all bytes but the last.
//
//   categories  for each run of code points of one category: length * 32 + category
//   scripts     for each run of code points of one script: length * 256 + script
//   a list      of lengths, in turn of what is outside and what is inside; ended by a 0 that is not
//               the first
//
// A binary property is the union of some categories and then a list of what to turn over; the extensions
// of a script are the script and such a list.
"use strict";
const fs = require("fs");

const COUNT = 0x110000 - 0x800;
const scalar = position => (position < 0xd800 ? position : position + 0x800);
const everything = Array.from({ length: COUNT }, (_, i) => String.fromCodePoint(scalar(i))).join("");

function namesOf(source, table) {
  const body = source.match(new RegExp("char " + table + "\\[\\] =([^;]*);"))[1];
  const text = [...body.matchAll(/"([^"]*)"/g)].map(m => m[1]).join("");
  return text.split("\\0\\0").filter(record => record !== "").map(record => record.split("\\0")[0]);
}

// A byte for each position: whether it has the property.
function members(property) {
  const set = new Uint8Array(COUNT);
  const position = index => {
    const bmp = 0x10000 - 0x800;
    return index <= bmp ? index : bmp + (index - bmp) / 2;
  };
  let re;
  try {
    re = new RegExp("\\p{" + property + "}+", "gu");
  } catch (e) {
    process.stderr.write("no " + property + "\n");
    return set;
  }
  for (const m of everything.matchAll(re))
    set.fill(1, position(m.index), position(m.index + m[0].length));
  return set;
}

function number(n) {
  const bytes = [];
  for (; n >= 128; n = Math.floor(n / 128)) bytes.push((n % 128) | 128);
  return [...bytes, n];
}

function runs(of, factor) {
  const bytes = [];
  for (let i = 0, start = 0; i <= COUNT; i++) {
    if (i === COUNT || of[i] !== of[start]) {
      bytes.push(...number((i - start) * factor + of[start]));
      start = i;
    }
  }
  return bytes;
}

function list(set) {
  const bytes = [];
  for (let i = 0, start = 0, inside = 0; i < COUNT; i++) {
    if (set[i] !== inside) {
      bytes.push(...number(i - start));
      start = i;
      inside = set[i];
    }
    if (i === COUNT - 1 && inside) bytes.push(...number(COUNT - start));
  }
  return [...(bytes.length === 0 ? number(COUNT) : bytes), 0];
}

// The categories that have the property for the most part, as bits.
function nearest(set, category) {
  const inside = new Array(32).fill(0), size = new Array(32).fill(0);
  for (let i = 0; i < COUNT; i++) {
    inside[category[i]] += set[i];
    size[category[i]]++;
  }
  return inside.reduce((mask, n, c) => (2 * n > size[c] ? mask | (1 << c) : mask), 0) >>> 0;
}

function print(name, type, values, text = String) {
  let line = "   ";
  console.log("static const %s %s[] = {", type, name);
  for (const value of values) {
    if (line.length + text(value).length + 2 > 100) {
      console.log(line);
      line = "   ";
    }
    line += " " + text(value) + ",";
  }
  console.log(line + "\n};\n");
}

const source = fs.readFileSync(process.argv[2], "utf8");
const names = namesOf(source, "categories");
const sets = names.map(name => members("gc=" + name));
const single = names.filter(name => name.length === 2 && name !== "LC");
const category = new Uint8Array(COUNT), script = new Uint8Array(COUNT);
single.forEach((name, c) => sets[names.indexOf(name)].forEach((has, i) => { if (has) category[i] = c; }));

const scripts = namesOf(source, "scripts"), unknown = scripts.indexOf("Zzzz");
const inScript = scripts.map(name => (name === "Zzzz" ? null : members("sc=" + name)));
script.fill(unknown);
inScript.forEach((set, c) => set && set.forEach((has, i) => { if (has) script[i] = c; }));

const lists = [], at = [], known = new Map();
const add = set => {
  const bytes = list(set), key = bytes.join();
  if (!known.has(key)) {
    known.set(key, lists.length);
    lists.push(...bytes);
  }
  at.push(known.get(key));
};
for (const name of scripts) {
  const c = scripts.indexOf(name);
  const set = name === "Zzzz" ? new Uint8Array(COUNT).map((_, i) => script[i] === c) : members("scx=" + name);
  add(set.map((has, i) => has ^ (script[i] === c)));
}
const binaries = namesOf(source, "binaries"), masks = [];
for (const name of binaries) {
  const set = members(name), mask = nearest(set, category);
  masks.push(mask);
  add(set.map((has, i) => has ^ ((mask >>> category[i]) & 1)));
}

const hex = n => "0x" + n.toString(16).toUpperCase();
console.log("/* regex/unicode_data.h: the properties of Unicode %s, printed by scripts/unicode_tables.js, which",
  process.versions.unicode);
console.log(" * says what the bytes mean. */\n");
console.log("#define UNICODE_VERSION \"%s\"\n", process.versions.unicode);
console.log("enum { SCRIPTS = %d, BINARIES = %d };\n", scripts.length, binaries.length);
console.log("/* The categories of two letters that each category has, as bits. */");
print("category_masks", "uint32_t", sets.map(set => nearest(set, category)), hex);
console.log("/* The same for each binary property, as far as categories tell. */");
print("binary_masks", "uint32_t", masks, hex);
console.log("/* Where the list of each script's extensions begins, and then of each binary property. */");
print("list_starts", "uint16_t", at);
print("category_runs", "unsigned char", runs(category, 32));
print("script_runs", "unsigned char", runs(script, 256));
print("lists", "unsigned char", lists);

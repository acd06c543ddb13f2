// Prints mcp/text/case_fold_data.h: which code points have the same letter without regard to case, in a form that
// mcp/text/case_fold.c reads.
//
//     node scripts/fold_tables.js > mcp/text/case_fold_data.h
//
// Two code points belong to one class if simple case folding, the upper case or the lower case of both is
// equal, or if a chain of such pairs connects them: some decoders compare names by folding, some by upper
// case, some by lower case, some by two of these in turn.  The tables come from the Unicode version of the
// JavaScript engine that runs this (process.versions.unicode).
//
//   runs        first, last, step, difference: the code points first, first + step, …, last stand for
//               themselves plus the difference; in ascending order, and no two overlap
//   expansions  a code point, and the two or three that stand for it: its upper case is that long
"use strict";

const MOST = 0x10ffff;
const isScalar = c => c < 0xd800 || c > 0xdfff;
const char = String.fromCodePoint;
const parent = new Int32Array(MOST + 1).map((_, i) => i);
const find = c => {
  while (parent[c] !== c) c = parent[c] = parent[parent[c]];
  return c;
};
const join = (a, b) => {
  a = find(a), b = find(b);
  if (a !== b) parent[Math.max(a, b)] = Math.min(a, b);
};
const single = text => {
  const points = [...text];
  return points.length === 1 ? points[0].codePointAt(0) : -1;
};

const cased = [];
for (let c = 0; c <= MOST; c++) {
  if (!isScalar(c)) continue;
  const one = char(c), upper = one.toUpperCase(), lower = one.toLowerCase();
  if (/\p{Changes_When_Casefolded}|\p{Changes_When_Casemapped}/u.test(one)) cased.push(c);
  if (single(upper) >= 0) join(c, single(upper));
  if (single(lower) >= 0) join(c, single(lower));
}
join(0x130, "i".codePointAt(0)); // its simple lower case
const all = cased.map(c => char(c)).join("");
for (const c of cased)
  for (const other of all.match(new RegExp(`\\u{${c.toString(16)}}`, "giu")))
    join(c, other.codePointAt(0));

const classes = new Map();
for (const c of cased) {
  const root = find(c);
  if (!classes.has(root)) classes.set(root, new Set([root]));
  classes.get(root).add(c);
}
const stands = new Map();
for (const members of classes.values()) {
  const sorted = [...members].sort((a, b) => a - b);
  const letter = sorted.find(c => single(char(c).toLowerCase()) === c) ?? sorted[0];
  for (const c of sorted) stands.set(c, letter);
}
const letterOf = c => stands.get(c) ?? c;

const expansions = [];
for (const members of classes.values()) {
  const longer = new Set();
  for (const c of members) {
    const points = [...char(c).toUpperCase()].map(p => letterOf(p.codePointAt(0)));
    if (points.length > 1) longer.add(points.join());
  }
  if (longer.size > 1) throw new Error("two expansions in one class");
  if (longer.size === 1)
    for (const c of members) expansions.push([c, ...[...longer][0].split(",").map(Number)]);
}
expansions.sort((a, b) => a[0] - b[0]);
const expanded = new Set(expansions.map(e => e[0]));

const runs = [];
for (const c of [...stands.keys()].sort((a, b) => a - b)) {
  const difference = stands.get(c) - c;
  if (difference === 0 || c < 0x80 || expanded.has(c)) continue;
  const last = runs[runs.length - 1];
  const step = last !== undefined && last.difference === difference ? c - last.last : 0;
  if ((step === 1 || step === 2) && (last.first === last.last || last.step === step)) {
    last.step = step;
    last.last = c;
  } else {
    runs.push({ first: c, last: c, step: 1, difference });
  }
}

const hex = c => "0x" + c.toString(16);
const rows = (list, one) => {
  let text = "", line = "   ";
  for (const item of list) {
    const cell = " " + one(item) + ",";
    if (line.length + cell.length > 100) {
      text += line + "\n";
      line = "   ";
    }
    line += cell;
  }
  return text + line;
};
console.log(`/* case_fold_data.h: letters without regard to case, of Unicode ${process.versions.unicode}.
 * Made by scripts/fold_tables.js; do not edit. */

/* first, last, step, difference */
static const struct fold_run fold_runs[] = {
${rows(runs, r => `{${hex(r.first)}, ${hex(r.last)}, ${r.step}, ${r.difference}}`)}
};

/* a code point, and those that stand for it */
static const struct fold_expansion fold_expansions[] = {
${rows(expansions, e => `{${hex(e[0])}, {${e.slice(1).map(hex).join(", ")}}}`)}
};`);

/* readme.test.mjs: each snippet of README.md runs as it stands, and its comments on values hold. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
const { check } = createRequire(import.meta.url)('./check.cjs');

const folder = path.dirname(new URL(import.meta.url).pathname);
const readme = fs.readFileSync(path.join(folder, '../node_modules/cupel/README.md'), 'utf8');
const snippets = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((m) => m[1]);

/** Lines `EXPRESSION; // VALUE` become a comparison; comments that are no value stay. */
function withChecks(code) {
  return code.replace(/^(\w[^=\n]*); \/\/ (true|false|\d+|'[^']*'|\[\{ op.*\}\])(:.*)?$/gm, (_, expression, value) => `globalThis.told(${expression}, ${value}, ${JSON.stringify(expression)});`);
}

let told = 0;
globalThis.told = (found, wanted, what) => {
  told++;
  check(isDeepStrictEqual(found, wanted), `${what} is ${JSON.stringify(found)}`);
};

check(snippets.length >= 6, `${snippets.length} snippets`);
for (const [i, snippet] of snippets.entries()) {
  const file = path.join(folder, `snippet-${process.env.CUPEL_ENGINE}-${i}.mjs`);
  fs.writeFileSync(file, withChecks(snippet));
  await import(pathToFileURL(file)).then(
    () => check(true, ''),
    (error) => check(false, `snippet ${i}: ${error.stack}`),
  );
  fs.rmSync(file);
}
check(told >= 7, `${told} values`);

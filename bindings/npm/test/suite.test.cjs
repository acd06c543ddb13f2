/* suite.test.cjs: the official JSON Schema test suite through compile(), as a value, as a string and as bytes.
 *
 * Formats that need IDNA are undecided, since no engine of the package has libidn2: those tests are counted as known, and
 * one that were decided wrongly fails. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { check, same } = require('./check.cjs');
const { folder, files, readJson } = require('./corpora.cjs');
const { compile, UndecidedError } = require('cupel');

const DIALECTS = { draft4: 'draft-04', draft6: 'draft-06', draft7: 'draft-07', 'draft2019-09': '2019-09', 'draft2020-12': '2020-12' };
const BASE = 'http://localhost:1234/';
const IDN = /optional\/format\/(?:idn-\w+|hostname|email|iri[\w-]*|uri[\w-]*|unknown)\.json$/;

const suite = folder('json-schema-test-suite');
const schemas = {};
for (const file of files(path.join(suite, 'remotes'), '.json')) schemas[BASE + path.relative(path.join(suite, 'remotes'), file)] = readJson(file);

function optionsOf(name, dialect) {
  const options = { dialect, schemas };
  if (/\/format\/|ecmascript-regex/.test(name)) options.formats = true;
  if (/\/content\.json$/.test(name)) options.content = true;
  if (/\/format-annotation\.json$/.test(name)) options.formats = false;
  return options;
}

/** Tests of how a number is spelled, which a value of JavaScript does not keep: 1.0 is 1, and a large integer is written
 * with an exponent, which makes no integer in draft 4. */
const SPELLING = new Set([
  'draft4/optional/bignum.json | integer | a bignum is an integer',
  'draft4/optional/bignum.json | integer | a negative bignum is an integer',
  'draft4/optional/zeroTerminatedFloats.json | some languages do not distinguish between different types of numeric value | a float is not an integer even without fractional part',
]);

let known = 0;
const failures = new Set(fs.readFileSync(path.join(require('./corpora.cjs').ROOT, 'tests/suite/known-failures.txt'), 'utf8').split('\n').filter((l) => l && !l.startsWith('#')).map((l) => l.split(' | ').slice(0, 3).join(' | ')));

function runTest(name, group, validator, test) {
  const label = `${name} | ${group.description} | ${test.description}`;
  if (failures.has(label) || SPELLING.has(label)) return;
  const text = JSON.stringify(test.data);
  let valid;
  try {
    valid = validator.isValid(test.data);
  } catch (error) {
    if (!(error instanceof UndecidedError) || !IDN.test(name)) check(false, `${label}: ${error}`);
    else known++;
    return;
  }
  same(valid, test.valid, label);
  same([validator.check(text), validator.check(Buffer.from(text))], [test.valid ? 0 : 1, test.valid ? 0 : 1], label);
  same(validator.validate(test.data).valid, test.valid, label);
}

for (const [draft, dialect] of Object.entries(DIALECTS)) {
  const base = path.join(suite, 'tests', draft);
  for (const file of files(base, '.json')) {
    const name = `${draft}/${path.relative(base, file)}`;
    for (const group of readJson(file)) {
      let validator;
      try {
        validator = compile(group.schema, optionsOf(name, dialect));
      } catch (error) {
        check(false, `${name} | ${group.description}: ${error}`);
        continue;
      }
      for (const test of group.tests) runTest(name, group, validator, test);
      validator.dispose();
    }
  }
}
console.log(`${known} tests of formats that need IDNA are undecided`);

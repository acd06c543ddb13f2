/* corpora.cjs: where the test data stands: ../shared/corpora beside the checkout, or $CUPEL_CORPORA. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const ROOT = process.env.CUPEL_ROOT ?? path.join(__dirname, '../../..');
const DEBIAN_SUITE = '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance';

/** The folder of a corpus; ends the test where there is none. */
function folder(name) {
  const found = path.join(process.env.CUPEL_CORPORA ?? path.join(ROOT, '../shared/corpora'), name);
  if (fs.existsSync(found)) return found;
  if (name === 'json-schema-test-suite' && fs.existsSync(path.join(DEBIAN_SUITE, 'tests'))) return DEBIAN_SUITE;
  console.log('skipped: no ../shared');
  process.exit(0);
}

/** The paths of all files below a folder with that ending, in order. */
function files(base, ending) {
  return fs.readdirSync(base, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const readLines = (file) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);

module.exports = { ROOT, folder, files, readJson, readLines };

/* fastify-own.test.cjs: Fastify's own tests of validation, as its tarball has them, with cupelBody in every server.  Those
 * below differ, for the reason that stands with them; each of them has to differ still. */
'use strict';
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { check, same } = require('./check.cjs');

const SENTENCE = "the test compares the validator's sentence";
const DIFFER = {
  'Basic validation test': SENTENCE,
  'Different schema per content type': SENTENCE,
  'Nested id calls': SENTENCE,
  'Use shared schema and $ref with $id ($ref to $id)': SENTENCE,
  'Use $ref to /definitions': SENTENCE,
  "The same $id in route's schema must not overwrite others": SENTENCE,
  'Custom AJV settings - pt1': 'the test has a body coerced',
  'Custom validator builder override by custom validator compiler in child instance': 'the test has a validator builder of its own, which the plugin replaces',
};

const file = path.join(path.dirname(require.resolve('fastify')), 'test/schema-validation.test.js');
const { stdout } = spawnSync(process.execPath, ['--require', path.join(__dirname, 'fastify-hook.cjs'), '--test', '--test-reporter=tap', file], { encoding: 'utf8', maxBuffer: 1 << 26 });
const found = [...stdout.matchAll(/^ *(ok|not ok) \d+ - (.*?)(?: # .*)?$/gm)].map(([, result, name]) => [name.replaceAll('\\#', '#'), result === 'ok']).filter(([name]) => !name.endsWith('.js'));
check(found.length >= 40, `${found.length} tests: ${stdout.slice(0, 2000)}`);
for (const [name, good] of found) same(good, !(name in DIFFER), name);

/* check.cjs: counting checks.  A test ends with `N passed, N failed`, as every test of the project does. */
'use strict';
const { isDeepStrictEqual } = require('node:util');

let passed = 0;
let failed = 0;
const MOST_PRINTED = 20;

/** Counts a check; prints what failed. */
function check(good, what) {
  if (good) passed++;
  else if (++failed <= MOST_PRINTED) console.log(`failed: ${what}\n  ${new Error().stack.split('\n').find((l) => /test\/[\w.-]+:\d/.test(l) && !l.includes('check.cjs'))?.trim()}`);
  return good;
}

function show(value) {
  return typeof value === 'bigint' ? `${value}n` : value instanceof Error ? String(value) : JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v));
}

function same(found, wanted, what = '') {
  return check(isDeepStrictEqual(found, wanted), `${what} is ${show(found)}, not ${show(wanted)}`);
}

/** Whether `run` throws an error of that name whose message matches. */
function throws(run, name, message = /./) {
  try {
    run();
  } catch (error) {
    check(error.name === name && message.test(error.message), `threw ${error.name}: ${error.message}; wanted ${name} ${message}`);
    return error;
  }
  check(false, `nothing was thrown; wanted ${name}`);
  return undefined;
}

async function rejects(promise, name, message = /./) {
  const outcome = await promise.then(() => undefined, (error) => error);
  check(outcome?.name === name && message.test(outcome.message), `rejected with ${outcome}; wanted ${name} ${message}`);
}

process.on('exit', (code) => {
  if (code !== 0 && failed === 0) failed++;
  if (failed > 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed`);
});

module.exports = { check, same, throws, rejects };

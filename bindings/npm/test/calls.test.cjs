/* calls.test.cjs: recorded calls of tools get the verdict that is recorded with them, judged as values and as bytes, by a
 * validator and by the provider for SDKs. */
'use strict';
const path = require('node:path');
const { same, check } = require('./check.cjs');
const { folder, files, readLines } = require('./corpora.cjs');
const { compile, SchemaError } = require('cupel');
const { CupelJsonSchemaValidator } = require('cupel/mcp');

const provider = new CupelJsonSchemaValidator();
const MOST = Number(process.env.CUPEL_TEST_CALLS ?? Infinity);

function judge(call, place) {
  let validator;
  try {
    validator = compile(call.inputSchema);
  } catch (error) {
    check(error instanceof SchemaError && call.valid === null, `${place}: ${error}`);
    return;
  }
  const verdict = validator.isValid(call.arguments);
  if (call.valid !== null) same(verdict, call.valid, place);
  same(validator.check(Buffer.from(JSON.stringify(call.arguments))), verdict ? 0 : 1, place);
  const result = validator.validate(call.arguments);
  same([result.valid, result.errors.length > 0], [verdict, !verdict], place);
  const answer = provider.getValidator(call.inputSchema)(call.arguments);
  same([answer.valid, typeof answer.errorMessage], [verdict, verdict ? 'undefined' : 'string'], place);
  validator.dispose();
}

for (const file of files(folder('calls'), '.jsonl'))
  readLines(file).slice(0, MOST).forEach((line, i) => {
    const call = JSON.parse(line);
    if (call.inputSchema !== undefined && call.arguments !== undefined) judge(call, `${path.basename(file)}:${i + 1}`);
  });

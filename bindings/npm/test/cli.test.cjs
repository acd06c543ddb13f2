/* cli.test.cjs: the command `npx cupel`. */
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { check, same } = require('./check.cjs');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cupel-cli-'));
const cli = require.resolve('cupel').replace(/node\.js$/, 'cli.js');
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
function run(args, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', ...(input === undefined ? {} : { input }) });
  return { status, out: stdout, err: stderr };
}

write('schema.json', '{"type":"object","properties":{"port":{"type":"integer","maximum":65535},"ip":{"format":"ipv4"}},"required":["port"]}');
write('good.json', '{"port":80}');
write('bad.json', '{\n  "port": "80"\n}');
write('broken.json', '{"port":');
write('hostile.json', '{"\u202e\u001b[31m":1,"port":1e9}');
write('lines.jsonl', '{"port":1}\n\n{"port":70000}\n');
write('good.yaml', 'port: 80 # a comment\n');
write('wrong.json', '{"type":"intger"}');
write('ref.json', '{"$ref":"https://example.com/s"}');
write('tools.json', '{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"intger"}}]}');

function testValidate() {
  same(run(['validate', 'schema.json', 'good.json']), { status: 0, out: 'good.json: valid\n', err: '' });
  const bad = run(['validate', 'schema.json', 'good.json', 'bad.json']);
  same(bad.status, 1);
  check(/^bad\.json: invalid$/m.test(bad.out) && /^bad\.json:2:11: error\[/m.test(bad.out), bad.out);
  same(run(['validate', 'schema.json', 'broken.json']).status, 4);
  same(run(['validate', 'schema.json', 'absent.json']).status, 4);
  same(run(['validate', 'schema.json', '-'], '{"port":1}').out, '-: valid\n');
  const lines = run(['validate', 'schema.json', 'lines.jsonl']);
  check(lines.status === 1 && /lines\.jsonl:1: valid/.test(lines.out) && /lines\.jsonl:3: invalid/.test(lines.out), lines.out);
  same(run(['validate', 'schema.json', 'good.yaml']).status, 0);
  check(!/[\u202e\u001b]/.test(run(['validate', 'schema.json', 'hostile.json', '--model']).out), 'control characters');
  const json = run(['validate', '--format', 'json', '--repair', '--model', 'schema.json', 'bad.json']);
  const result = JSON.parse(json.out);
  same([result.verdict, result.errors[0].pointer, JSON.parse(result.repair.text)], ['invalid', '/port', { port: 80 }]);
  check(/port/.test(result.model), result.model);
  same([run(['validate', 'schema.json', '-'], '{"port":1,"ip":"x"}').status, run(['validate', '--formats', 'schema.json', '-'], '{"port":1,"ip":"x"}').status], [0, 1]);
  same(run(['validate', '--ref', 'https://example.com/s=schema.json', 'ref.json', 'bad.json']).status, 1);
}

function testOthers() {
  same(run(['lint', 'schema.json']), { status: 0, out: 'schema.json: compiles\n', err: '' });
  const wrong = run(['lint', 'schema.json', 'wrong.json']);
  check(wrong.status === 3 && /wrong\.json:1:\d+: error\[SCHEMA\]/.test(wrong.out), wrong.out);
  same(run(['validate', 'wrong.json', 'good.json']).status, 3);
  const tools = run(['tools', 'check', 'tools.json']);
  check(tools.status === 1 && /\ba\b.*ok/.test(tools.out) && /\bb\b.*invalid/.test(tools.out), tools.out);
  same(JSON.parse(run(['tools', 'check', '--format', 'json', 'tools.json']).out.split('\n')[1]).verdict, 'invalid');
  check(/^cupel \d/.test(run(['--version']).out) && /usage/.test(run(['--help']).out), 'version and help');
  for (const args of [[], ['bake'], ['validate'], ['validate', '--speed', 'a', 'b'], ['lint'], ['tools'], ['validate', '--dialect', 'x', 'a', 'b']]) {
    const { status, err } = run(args);
    check(status === 2 && /usage/.test(err), `${args}: ${status} ${err}`);
  }
}

testValidate();
testOthers();
fs.rmSync(folder, { recursive: true });

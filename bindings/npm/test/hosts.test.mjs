/* hosts.test.mjs: the package in workerd (through miniflare), Deno and Bun; CUPEL_ENGINE does not matter here. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
const { check, same } = createRequire(import.meta.url)('./check.cjs');

const folder = path.dirname(new URL(import.meta.url).pathname);
const root = path.join(folder, '..');
const installed = path.join(root, 'node_modules/cupel');

/** What every host has to find; the program returns it as JSON. */
const BODY = `
const v = compile({ type: 'object', properties: { n: { type: 'integer' }, s: { pattern: '^a+$' } }, required: ['n'] });
const tools = catalog([{ name: 't', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }]);
let evaluates = true;
try { new Function('return 1')(); } catch { evaluates = false; }
const call = tools.call({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', arguments: { n: 'x' } } });
const result = {
  kind: engine().kind,
  verdicts: [v.check('{"n":1}'), v.check(new TextEncoder().encode('{"n":"1"}')), v.check('{'), v.check('{"n":1,"s":"ab"}')],
  values: [v.isValid({ n: 1 }), v.isValid({ n: 'é' })],
  pointer: v.validate({ n: 'x' }).errors[0].pointer,
  provider: new CupelJsonSchemaValidator().getValidator({ type: 'null' })(1).valid,
  call: [call.verdict, call.answer.result.isError],
  pin: (await tools.pins())[0].inputSchema,
  diff: await tools.diff(await tools.lock()),
  evaluates,
};`;
const IMPORTS = "import { compile, engine } from 'cupel';\nimport { catalog, CupelJsonSchemaValidator } from 'cupel/mcp';\n";
const PIN = (await import('node:crypto')).createHash('sha256').update('{"properties":{"n":{"type":"integer"}},"type":"object"}').digest('hex');

function checkResult(host, result, kind, evaluates) {
  if (kind !== undefined) same(result.kind, kind, host);
  same(result.verdicts, [0, 1, 2, 1], host);
  same([result.values, result.pointer, result.provider], [[true, false], '/n', false], host);
  same([result.call, result.pin, result.diff], [['invalid', true], PIN, []], host);
  if (evaluates !== undefined) same(result.evaluates, evaluates, `${host} evaluates text as code`);
}

/* -- workerd ----------------------------------------------------------------------------------------------------------- */

/** The modules of a Worker: the entry points and what they import, as workerd names them. */
function workerModules() {
  const text = (name) => ({ type: 'ESModule', path: `cupel/esm/${name}`, contents: fs.readFileSync(path.join(installed, 'esm', name), 'utf8') });
  const modules = fs.readdirSync(path.join(installed, 'esm')).filter((name) => name.endsWith('.js') && !/^(?:node|browser)/.test(name)).map(text);
  for (const name of ['cupel-core.wasm', 'cupel.wasm']) modules.push({ type: 'CompiledWasm', path: `cupel/wasm/${name}`, contents: fs.readFileSync(path.join(installed, 'wasm', name)) });
  const main = `${IMPORTS.replace("'cupel'", "'./cupel/esm/workerd.js'").replace("'cupel/mcp'", "'./cupel/esm/workerd-mcp.js'")}
const early = compile({ type: 'integer' }); /* before there are random numbers */
export default { async fetch() {${BODY}
  result.early = [early.check('1'), early.check('"1"')];
  return Response.json(result);
} };`;
  return [{ type: 'ESModule', path: 'main.js', contents: main }, ...modules];
}

async function testWorkerd() {
  const { Miniflare } = await import('miniflare');
  const worker = new Miniflare({ modules: workerModules(), modulesRoot: root, compatibilityDate: '2026-01-01' });
  try {
    const answer = await worker.dispatchFetch('http://localhost/');
    const result = await answer.json();
    checkResult('workerd', result, 'wasm', false);
    same(result.early, [0, 1], 'a validator of the script itself');
  } finally {
    await worker.dispose();
  }
}

/* -- Deno and Bun -------------------------------------------------------------------------------------------------------- */

/** The program of a host, as its package for this platform has it: nothing here runs install scripts. */
function programOf(scope, file) {
  const base = path.join(root, 'node_modules', scope);
  const found = fs.existsSync(base) ? fs.readdirSync(base).map((name) => path.join(base, name, file)) : [];
  return found.find((program) => fs.existsSync(program) && spawnSync(program, ['--version']).status === 0);
}

function runIn(host, program, args, engine) {
  if (program === undefined) {
    console.log(`skipped: ${host} does not run on this machine`);
    return;
  }
  const file = path.join(root, `host-${host}.mjs`);
  fs.writeFileSync(file, `${IMPORTS}${BODY}\nconsole.log(JSON.stringify(result));`);
  const done = spawnSync(program, [...args, file], { cwd: root, encoding: 'utf8', env: { ...process.env, CUPEL_ENGINE: engine } });
  fs.rmSync(file);
  if (!check(done.status === 0, `${host}: ${done.stderr}`)) return;
  checkResult(host, JSON.parse(done.stdout), engine);
}

/* -- CommonJS in browsers, which waits for nothing ------------------------------------------------------------------------- */

async function testCommonJs() {
  const { compile, init } = createRequire(import.meta.url)(path.join(installed, 'cjs/browser-cjs.js'));
  try {
    compile({});
    check(false, 'compiled without an engine');
  } catch (error) {
    check(/await init\(\)/.test(error.message), error.message);
  }
  await init(fs.readFileSync(path.join(installed, 'wasm/cupel-core.wasm')));
  same([compile({ type: 'null' }).check('null'), compile({ type: 'null' }).check('1')], [0, 1]);
}

await testCommonJs().catch((error) => check(false, error.stack));
await testWorkerd().catch((error) => check(false, error.stack));
for (const engine of ['wasm', 'native']) {
  runIn('deno', programOf('@deno', 'deno'), ['run', '--allow-all'], engine);
  runIn('bun', programOf('@oven', 'bin/bun'), ['run'], engine);
}

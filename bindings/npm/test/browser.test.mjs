/* browser.test.mjs: the package in headless Chromium: the ES module, which fetches its WebAssembly, under a
 * Content-Security-Policy that allows no code from text. */
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { open, program, start } from './chromium.mjs';
const { check, same } = createRequire(import.meta.url)('./check.cjs');

const root = path.join(path.dirname(new URL(import.meta.url).pathname), '..');
const installed = path.join(root, 'node_modules/cupel');
if (program === undefined) {
  console.log('skipped: no chromium');
  process.exit(0);
}

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const PAGE = '<!doctype html><meta charset="utf-8"><pre id="result"></pre><script type="module" src="/program.js"></script>';
const PROGRAM = `
import { compile, engine } from '/cupel/esm/browser.js';
import { catalog, CupelJsonSchemaValidator } from '/cupel/esm/browser-mcp.js';
const v = compile({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });
const tools = catalog([{ name: 't', inputSchema: { type: 'object' } }]);
let evaluates = true;
try { new Function('return 1')(); } catch { evaluates = false; }
let now = 'digests at once';
try { tools.pinsNow(); } catch (error) { now = error.message; }
const lock = await tools.lock();
const result = {
  kind: engine().kind, evaluates, now,
  verdicts: [v.check('{"n":1}'), v.check(new TextEncoder().encode('{"n":"é"}')), v.check('{')],
  pointer: v.validate({ n: 'x' }).errors[0].pointer,
  provider: new CupelJsonSchemaValidator().getValidator({ type: 'null' })(1).valid,
  pin: (await tools.pins())[0].inputSchema,
  lock: /^.{15}"digest":"sha256:[0-9a-f]{64}"/.test(lock), same: await tools.diff(lock),
  damaged: await tools.diff(lock.replace('"t"', '"u"')).then(() => 'read', (error) => error.name),
};
document.getElementById('result').textContent = JSON.stringify(result);
`;

function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  const texts = { '/': ['.html', PAGE], '/program.js': ['.js', PROGRAM] };
  const file = path.join(installed, path.normalize(pathname.replace(/^\/cupel\//, '/')));
  const [type, text] = texts[pathname] ?? (fs.existsSync(file) && fs.statSync(file).isFile() ? [path.extname(file), fs.readFileSync(file)] : []);
  response.writeHead(type === undefined ? 404 : 200, { 'content-type': TYPES[type] ?? 'text/plain', 'content-security-policy': POLICY });
  response.end(text);
}

const server = http.createServer(answer).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const browser = start();
const page = await open(browser, `http://127.0.0.1:${server.address().port}/`);
const done = await page.until("document.getElementById('result').textContent !== ''");
const text = await page.get("document.getElementById('result').textContent");
await browser.end();
server.close();
server.closeAllConnections();
if (check(done, 'no result')) {
  const result = JSON.parse(text);
  same([result.kind, result.evaluates, result.verdicts, result.pointer, result.provider], ['wasm', false, [0, 1, 2], '/n', false]);
  check(/asynchronous/.test(result.now), result.now);
  const digest = (await import('node:crypto')).createHash('sha256').update('{"type":"object"}').digest('hex');
  same([result.pin, result.lock, result.same, result.damaged], [digest, true, [], 'SchemaError']);
}

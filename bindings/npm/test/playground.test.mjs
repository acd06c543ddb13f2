/* playground.test.mjs: the playground in headless Chromium: examples, links, hostile fragments, a screenshot. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { open, program, start } from './chromium.mjs';
const { check, same } = createRequire(import.meta.url)('./check.cjs');

const folder = path.join(process.env.CUPEL_ROOT, 'build/playground');
if (program === undefined) {
  console.log('skipped: no chromium');
  process.exit(0);
}
const built = spawnSync(path.join(process.env.CUPEL_ROOT, 'scripts/playground.sh'), ['--no-build'], { encoding: 'utf8' });
check(built.status === 0, built.stderr);

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' };
const requested = [];
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  requested.push(pathname);
  const file = path.join(folder, path.normalize(pathname === '/' ? '/index.html' : pathname));
  const there = fs.existsSync(file) && fs.statSync(file).isFile();
  response.writeHead(there ? 200 : 404, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain' });
  response.end(there ? fs.readFileSync(file) : '');
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const base = `http://127.0.0.1:${server.address().port}/`;

const browser = start();
const link = (state) => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const PARTS = ['verdict', 'figures', 'messages', 'model', 'repair', 'bytecode', 'lines'];

/** What a page shows once there is a verdict, by id. */
const read = (page) => page.get(`Object.fromEntries(${JSON.stringify(PARTS)}.map((id) => [id, document.getElementById(id).textContent]))`);
async function shown(fragment = '', use = read) {
  const page = await open(browser, base + fragment);
  check(await page.until('document.body?.dataset.verdict !== undefined'), `no verdict for ${fragment.slice(0, 60)}`);
  try {
    return await use(page);
  } finally {
    await page.close();
  }
}

const order = await shown();
same(order.verdict, 'invalid');
check(/\d+ steps, [\d.]+ µs/.test(order.figures), order.figures);
check(/3:12/.test(order.messages) && /integer/.test(order.messages) && /\/count/.test(order.messages), order.messages);
check(/count/.test(order.model) && /"op": "replace"/.test(order.repair) && /OBJECT/.test(order.bytecode), order.repair);
await shown('', async (page) => {
  same(await page.get("[document.querySelectorAll('#lines .ran').length > 2, document.querySelectorAll('#lines .failed').length > 0]"), [true, true], 'the lines that ran');
  await page.get("{ const box = document.getElementById('document'); box.value = '{\"item\":\"lamp\",\"count\":3}'; box.dispatchEvent(new Event('input')); }");
  check(await page.until("document.body.dataset.verdict === 'valid'"), 'the verdict while typing');
  await page.get("{ const list = document.getElementById('example'); list.value = '2'; list.dispatchEvent(new Event('change')); }");
  check(await page.until("document.body.dataset.verdict === 'invalid' && document.getElementById('schema').value.includes('definitions')"), 'a file as an example');
  await page.get("document.querySelector('#messages button').click()");
  same(await page.get("document.activeElement.id === 'document' && document.activeElement.selectionEnd > document.activeElement.selectionStart"), true, 'the place of a message');
  await page.get("document.getElementById('share').click()");
  check((await page.get('location.hash')).length > 100, 'a link');
  same(await page.get("[...document.querySelectorAll('textarea, select, input, button')].every((e) => e.labels?.length > 0 || e.textContent.trim() !== '')"), true, 'labels');
});
check(!requested.some((name) => !fs.existsSync(path.join(folder, name === '/' ? 'index.html' : name)) && name !== '/favicon.ico'), requested.join(' '));

const catalog = await shown(link({ mode: 'catalog', left: '[{"name":"t","inputSchema":{"properties":{"n":{"type":"integer"}},"type":"object"}}]', right: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":"x"}}}' }));
check(catalog.verdict === 'invalid' && /isError/.test(catalog.model) && /t \(ok\)/.test(catalog.messages), JSON.stringify(catalog));
const slow = await shown(link({ mode: 'schema', left: '{"pattern":"^(a|b|ab)*c\\\\1$"}', right: JSON.stringify('ab'.repeat(5000)) }));
check(slow.verdict === 'undecided' && /LIMIT/.test(slow.messages), slow.messages);
same((await shown(link({ mode: 'schema', left: '{"type":"intger"}', right: '1' }))).verdict, 'refused');

/* Fragments from strangers: text stays text, and what the page has not made is ignored. */
const mark = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e';
await shown(link({ mode: 'schema', left: JSON.stringify({ properties: { [mark]: { const: 1 } }, required: [mark] }), right: JSON.stringify({ [mark]: 2 }) }), async (page) => {
  const { verdict, messages } = await read(page);
  check(verdict === 'invalid' && messages.includes('<img') && !messages.includes('\u202e'), messages);
  same(await page.get("[document.title, document.images.length, document.scripts.length]"), ['cupel playground', 0, 1], 'markup in texts');
  same(await page.get("(() => { try { document.body.innerHTML = '<b>'; return 'set'; } catch (error) { return error.name; } })()"), 'TypeError', 'trusted types');
});
for (const fragment of ['#%%%', '#AAAA', link({ mode: 'x', left: '', right: '' }), link({ mode: 'schema', left: 1, right: {} }), link(['schema']), `#${'A'.repeat(70000)}`])
  check((await shown(fragment, (page) => page.get("document.getElementById('schema').value"))).includes('"item"'), `ignored: ${fragment.slice(0, 40)}`);
same((await shown(link({ mode: 'schema', left: '['.repeat(40000), right: '' }))).verdict, 'refused');

/* Dark and light; a picture. */
await shown('', async (page) => {
  for (const value of ['light', 'dark']) {
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    const picture = Buffer.from((await page.send('Page.captureScreenshot', { format: 'png' })).data, 'base64');
    check(picture.length > 20000, `a picture of ${picture.length} bytes`);
    if (process.env.CUPEL_SCREENSHOTS) fs.writeFileSync(path.join(process.env.CUPEL_SCREENSHOTS, `playground-${value}.png`), picture);
  }
});
await browser.end();
server.close();
server.closeAllConnections();

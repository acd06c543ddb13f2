/* app.js: the page: takes two texts, has them judged in a worker, and shows what came of it.  Whatever comes from a text
 * or from the fragment of the URL is shown as text nodes. */
import { EXAMPLES } from './examples.js';
import { linesByPointer } from './pointers.js';

const LIMIT_MS = 2000; /* a worker that takes longer is ended */
const START_MS = 20000; /* the same for loading the module */
const MOST_FRAGMENT = 64 * 1024;
const DELAY_MS = 120;

const element = (id) => document.getElementById(id);
const left = element('schema'), right = element('document');

/* -- The worker -------------------------------------------------------------------------------------------------------- */

const policy = globalThis.trustedTypes?.createPolicy('cupel-worker', { createScriptURL: () => 'worker.js' });
let worker, ready, asked = 0, timer;

function startWorker() {
  worker = new Worker(policy?.createScriptURL('') ?? 'worker.js', { type: 'module' });
  const mine = worker;
  ready = new Promise((resolve) => {
    mine.onmessage = ({ data }) => {
      if (data.ready) resolve();
      else if (data.id === asked && mine === worker) {
        clearTimeout(timer);
        timer = undefined;
        show(data);
      }
    };
  });
  mine.onerror = () => show({ verdict: 'error', reason: { code: 'ERROR', message: 'the module could not be loaded', pointer: '' } });
}

function endWorker() {
  worker.terminate();
  startWorker();
  show({ verdict: 'ended', reason: { code: 'TIME', message: `the worker was ended after ${LIMIT_MS / 1000} seconds`, pointer: '' } });
}

async function judge() {
  if (timer !== undefined) { /* an earlier question is still worked on: only its answer counts no more */
    clearTimeout(timer);
    worker.terminate();
    startWorker();
  }
  const id = ++asked;
  timer = setTimeout(endWorker, START_MS);
  await ready;
  if (id !== asked) return;
  clearTimeout(timer);
  timer = setTimeout(endWorker, LIMIT_MS);
  worker.postMessage({ id, mode: element('mode').value, left: left.value, right: right.value, formats: element('formats').checked });
}

/* -- Showing ------------------------------------------------------------------------------------------------------------- */

function make(name, text, className) {
  const node = document.createElement(name);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

/** Control characters, marks of direction and what is invisible, as escapes. */
function visible(text) {
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g, (c) => [...c].map((p) => `\\u{${p.codePointAt(0).toString(16)}}`).join(''));
}

/** A message, with a button that leads to its place in a text. */
function message(area, { line, column, length, message: text, pointer, keyword }) {
  const item = document.createElement('li');
  if (line !== undefined) {
    const button = make('button', `${line}:${column}`);
    button.type = 'button';
    button.setAttribute('aria-label', `line ${line}, column ${column}: go there`);
    button.onclick = () => select(area, line, column, length ?? 1);
    item.append(button, ' ');
  }
  item.append(visible(`${text}${pointer ? ` at ${pointer}` : ''}${keyword ? ` (${keyword})` : ''}`));
  return item;
}

function select(area, line, column, length) {
  const before = area.value.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, text) => sum + text.length + 1, 0) + [...(area.value.split('\n')[line - 1] ?? '')].slice(0, column - 1).join('').length;
  area.focus();
  area.setSelectionRange(start, start + length);
}

/** The keywords that a trace names, as pointers into the schema, with whether they passed. */
function keywordsOf(trace) {
  const found = new Map();
  if (trace === '' || trace === undefined) return found;
  const todo = [JSON.parse(trace)];
  while (todo.length > 0) {
    const unit = todo.pop();
    const absolute = unit.absoluteKeywordLocation?.split('#')[1];
    const pointer = absolute === undefined ? unit.keywordLocation : decodeURIComponent(absolute);
    if (pointer !== undefined) found.set(pointer, (found.get(pointer) ?? true) && unit.valid !== false);
    for (const part of ['details', 'errors', 'annotations']) if (Array.isArray(unit[part])) todo.push(...unit[part]);
  }
  return found;
}

function showLines(result) {
  const list = element('lines'), marks = new Map();
  if (result.trace) {
    const lines = linesByPointer(left.value);
    for (const [pointer, passed] of keywordsOf(result.trace)) {
      const line = lines.get(pointer);
      if (line !== undefined && pointer !== '') marks.set(line, (marks.get(line) ?? true) && passed);
    }
  }
  list.replaceChildren(...(element('mode').value === 'schema' ? left.value.split('\n').slice(0, 2000) : []).map((text, i) => {
    const passed = marks.get(i + 1);
    const item = make('li', visible(text) || ' ', passed === undefined ? '' : passed ? 'ran' : 'ran failed');
    if (passed !== undefined) item.title = passed ? 'ran, passed' : 'ran, failed';
    return item;
  }));
}

function messagesOf(result) {
  if (result.tools !== undefined) {
    const told = result.tools.flatMap((tool) => tool.problems.map((p) => make('li', visible(`${tool.name}: ${p.severity}: ${p.message}${p.pointer ? ` at ${p.pointer}` : ''}`))));
    return [make('li', visible(`tools: ${result.tools.map((t) => `${t.name} (${t.verdict})`).join(', ')}`)), ...told];
  }
  if (result.reason) return [message(result.verdict === 'refused' ? left : right, { ...result.reason, message: `${result.reason.code}: ${result.reason.message}` })];
  return (result.errors ?? []).map((error) => message(right, error));
}

function show(result) {
  const verdict = element('verdict');
  verdict.textContent = result.verdict;
  verdict.className = { valid: 'valid', invalid: 'invalid', undecided: 'undecided', refused: 'refused' }[result.verdict] ?? 'undecided';
  const time = result.time === undefined ? '' : `, ${result.time < 10 ? result.time.toFixed(2) : result.time.toFixed(0)} µs`;
  element('figures').textContent = result.steps === undefined ? '' : `${result.steps} steps${time}`;
  element('messages').replaceChildren(...messagesOf(result));
  element('model').textContent = visible(result.answer ? JSON.stringify(result.answer, null, 2) : (result.model ?? ''));
  const { repair } = result;
  element('repair').textContent = repair === undefined ? '' : repair.patch === undefined ? repair.result : visible(`${JSON.stringify(repair.patch, null, 2)}\n\n${repair.text}`);
  element('bytecode').textContent = visible(result.bytecode ?? '');
  showLines(result);
  document.body.dataset.verdict = result.verdict;
}

/* -- Examples and links ---------------------------------------------------------------------------------------------------- */

function labels() {
  const catalog = element('mode').value === 'catalog';
  element('left-label').textContent = catalog ? 'Tools' : 'Schema';
  element('right-label').textContent = catalog ? 'Request' : 'Document';
}

function set({ mode, formats, left: one, right: other }) {
  element('mode').value = mode;
  element('formats').checked = formats === true;
  left.value = one;
  right.value = other;
  labels();
  judge();
}

async function useExample(example) {
  const text = example.file === undefined ? example.left : await (await fetch(example.file)).text();
  set({ ...example, left: text });
}

/** The texts in a fragment, or undefined for anything that this page has not made. */
function fromFragment(fragment) {
  if (fragment.length < 2 || fragment.length > MOST_FRAGMENT) return undefined;
  try {
    const bytes = Uint8Array.from(atob(fragment.slice(1).replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const { mode, left: one, right: other, formats } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (!['schema', 'catalog'].includes(mode) || typeof one !== 'string' || typeof other !== 'string') return undefined;
    return { mode, left: one, right: other, formats: formats === true };
  } catch {
    return undefined;
  }
}

function toFragment() {
  const bytes = new TextEncoder().encode(JSON.stringify({ mode: element('mode').value, left: left.value, right: right.value, formats: element('formats').checked }));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `#${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

element('share').onclick = () => {
  const fragment = toFragment();
  if (fragment.length > MOST_FRAGMENT) {
    element('shared').textContent = 'too long for a link';
    return;
  }
  history.replaceState(null, '', fragment);
  element('shared').textContent = 'the address of this page has it now';
};

let delay;
function changed() {
  clearTimeout(delay);
  delay = setTimeout(judge, DELAY_MS);
}
left.oninput = right.oninput = changed;
element('formats').onchange = judge;
element('mode').onchange = () => {
  labels();
  judge();
};
element('example').append(...EXAMPLES.map(({ name }, i) => Object.assign(make('option', name), { value: String(i) })));
element('example').onchange = (event) => useExample(EXAMPLES[Number(event.target.value)]);
window.onhashchange = () => {
  const given = fromFragment(location.hash);
  if (given !== undefined) set(given);
};

startWorker();
const given = fromFragment(location.hash);
if (given !== undefined) set(given);
else useExample(EXAMPLES[0]);

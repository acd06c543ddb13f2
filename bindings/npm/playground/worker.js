/* worker.js: compiles and judges, apart from the page, which ends this worker if it takes too long.
 *
 * Takes { id, mode, left, right, formats }; answers { id, … } with plain values. */
import { Detail, Op } from './cupel/engine.js';
import { WasmEngine } from './cupel/engine-wasm.js';

const response = await fetch('cupel-playground.wasm');
const engine = new WasmEngine(await WebAssembly.compile(await response.arrayBuffer()));

/** Calls a function of the engine; its output, parsed. */
function invoke(op, handle, text, more, number) {
  const result = engine.invoke(op, handle, text, more, number);
  return { result, output: engine.output() };
}

const READ_ERRORS = new Set(['SYNTAX', 'UTF8', 'SURROGATE', 'BOM', 'TRAILING', 'DUPLICATE_KEY', 'JSON_DEPTH', 'JSON_SIZE', 'NUMBER_SIZE']);

/** Microseconds of one validation: the least of several rounds, in at most 20 ms. */
function timeOf(handle, text) {
  let best = Infinity;
  const end = performance.now() + 20;
  do {
    const start = performance.now();
    for (let i = 0; i < 100; i++) engine.checkText(handle, text);
    best = Math.min(best, (performance.now() - start) * 10);
  } while (performance.now() < end);
  return best;
}

function judgeSchema({ left, right, formats }) {
  const compiled = invoke(Op.compile, 0, left, JSON.stringify({ formats }), 0);
  if (compiled.result <= 0) return { verdict: 'refused', reason: JSON.parse(compiled.output) };
  const handle = compiled.result;
  try {
    const raw = invoke(Op.validate, handle, right, '', Detail.problems | Detail.model | Detail.repair);
    const { verdict: _, ...judged } = JSON.parse(raw.output);
    const bytecode = invoke(Op.disassemble, handle, '', '', 0).output;
    if (raw.result === 2) {
      const isText = READ_ERRORS.has(judged.reason.code);
      return { verdict: isText ? 'no JSON' : 'undecided', reason: judged.reason, steps: judged.steps, bytecode };
    }
    const trace = right.length < 1 << 17 ? invoke(Op.trace, handle, right, '', 0).output : '';
    return { verdict: raw.result === 0 ? 'valid' : 'invalid', ...judged, time: timeOf(handle, right), bytecode, trace };
  } finally {
    engine.release(handle);
  }
}

function judgeCatalog({ left, right, formats }) {
  const made = invoke(Op.catalog, 0, left, JSON.stringify({ formats }), 0);
  if (made.result <= 0) return { verdict: 'refused', reason: JSON.parse(made.output) };
  try {
    const tools = JSON.parse(made.output);
    const call = JSON.parse(invoke(Op.call, made.result, right, '', 0).output);
    const [first] = call.messages;
    return { verdict: call.verdict, tools, steps: first?.steps, reasonName: first?.reason, answer: first?.answer ?? null };
  } finally {
    engine.release(made.result);
  }
}

self.onmessage = ({ data }) => {
  let result;
  try {
    result = data.mode === 'catalog' ? judgeCatalog(data) : judgeSchema(data);
  } catch (error) {
    result = { verdict: 'error', reason: { code: error.name, message: error.message, pointer: '' } };
  }
  self.postMessage({ id: data.id, ...result });
};
self.postMessage({ ready: true });

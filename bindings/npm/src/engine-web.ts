/* engine-web.ts: engines for hosts that fetch the module. */
import { provide } from './engine.js';
import { WasmEngine } from './engine-wasm.js';

/** Where a module comes from: its URL, a response with it, its bytes, or the compiled module. */
export type ModuleSource = string | URL | Response | BufferSource | WebAssembly.Module;

async function moduleOf(source: ModuleSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) return moduleOf(await fetch(source));
  if (!(source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw new Error(`cupel: ${source.url} answered ${source.status}`);
  const streams = source.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

export async function provideFrom(source: ModuleSource, forTools: boolean): Promise<void> {
  provide(new WasmEngine(await moduleOf(source)), forTools);
}

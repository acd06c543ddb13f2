/* browser-mcp.ts: cupel/mcp in browsers, as an ES module: the module is fetched from beside this file. */
import { hasSimd } from './engine-wasm.js';
import { provideFrom } from './engine-web.js';

await provideFrom(hasSimd() ? new URL('../wasm/cupel.wasm', import.meta.url) : new URL('../wasm/cupel-scalar.wasm', import.meta.url), true);

export { Catalog, catalog, CupelJsonSchemaValidator, exportTool, findHidden } from './mcp.js';
export type {
  CallMessage, CallVerdict, CallVerdictName, CatalogOptions, Exported, Hidden, JsonSchemaValidator, JsonSchemaValidatorResult, Pin, ProtocolVersion,
  ProviderOptions, ResultVerdict, Target, Tool, ToolChange, ToolProblem,
} from './mcp.js';

/** For code that runs as CommonJS too: the engine is there already. */
export async function init(): Promise<void> {}

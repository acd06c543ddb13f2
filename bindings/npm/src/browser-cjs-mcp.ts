/* browser-cjs-mcp.ts: cupel/mcp in browsers, as CommonJS, which cannot wait for the module: call init() first. */
import { provideFrom, type ModuleSource } from './engine-web.js';

export { Catalog, catalog, CupelJsonSchemaValidator, exportTool, findHidden } from './mcp.js';
export type {
  CallMessage, CallVerdict, CallVerdictName, CatalogOptions, Exported, Hidden, JsonSchemaValidator, JsonSchemaValidatorResult, Pin, ProtocolVersion,
  ProviderOptions, ResultVerdict, Target, Tool, ToolChange, ToolProblem,
} from './mcp.js';

/** Makes the engine of wasm/cupel.wasm: its URL, bytes, or the compiled module. */
export async function init(source: ModuleSource): Promise<void> {
  await provideFrom(source, true);
}

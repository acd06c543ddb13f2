/* workerd-mcp.ts: cupel/mcp in workerd, which compiles modules when a Worker is deployed. */
import module from '../wasm/cupel.wasm';
import { provide } from './engine.js';
import { WasmEngine } from './engine-wasm.js';

provide(new WasmEngine(module), true);

export { Catalog, catalog, CupelJsonSchemaValidator, exportTool, findHidden } from './mcp.js';
export type {
  CallMessage, CallVerdict, CallVerdictName, CatalogOptions, Exported, Hidden, JsonSchemaValidator, JsonSchemaValidatorResult, Pin, ProtocolVersion,
  ProviderOptions, ResultVerdict, Target, Tool, ToolChange, ToolProblem,
} from './mcp.js';

/** For code that runs in browsers too: the engine is there already. */
export async function init(): Promise<void> {}

/* node-mcp.ts: cupel/mcp in Node.js, Deno and Bun: the addon if it is installed, else WebAssembly. */
import { provideNode } from './node-engine.js';

provideNode();

export { Catalog, catalog, CupelJsonSchemaValidator, exportTool, findHidden } from './mcp.js';
export type {
  CallMessage, CallVerdict, CallVerdictName, CatalogOptions, Exported, Hidden, JsonSchemaValidator, JsonSchemaValidatorResult, Pin, ProtocolVersion,
  ProviderOptions, ResultVerdict, Target, Tool, ToolChange, ToolProblem,
} from './mcp.js';

/** For code that runs in browsers too: the engine is there already. */
export async function init(): Promise<void> {}

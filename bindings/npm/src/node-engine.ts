/* node-engine.ts: provides the engine of this process, once, for validators and tools. */
import { provide, type Engine } from './engine.js';
import { nodeEngine } from './engine-native.js';

let engine: Engine | undefined;

export function provideNode(): void {
  engine ??= nodeEngine();
  provide(engine, true);
}

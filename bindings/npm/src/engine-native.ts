/* engine-native.ts: the addon as an engine, and the choice between it and WebAssembly in Node.js, Deno and Bun.
 *
 * The addon of a platform is a package of its own, `cupel-<os>-<arch>[-<libc>]`, that has to be installed beside this
 * one in the same version.  CUPEL_ENGINE=native or wasm forces the choice.  Compiled to CommonJS alone; the ES module
 * for Node.js re-exports that, so a process has one engine. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Digests, type Engine, type Text } from './engine.js';
import { hasSimd, WasmEngine } from './engine-wasm.js';

interface Addon {
  readonly version: string;
  check(handle: number, bytes: Uint8Array): number;
  checkText(handle: number, text: string): number;
  invoke(op: number, handle: number, text: Text, more: Text, number: number): number;
  output(): string;
  release(handle: number): void;
  memory(): number;
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

class NativeEngine implements Engine {
  readonly kind = 'native';
  readonly version: string;
  readonly digests = new Digests(sha256);
  readonly check: Engine['check'];
  readonly checkText: Engine['checkText'];
  readonly invoke: Engine['invoke'];
  readonly output: Engine['output'];
  readonly release: Engine['release'];
  readonly memory: Engine['memory'];

  constructor({ begin }: { begin(key: Uint8Array, sha256: (bytes: Uint8Array) => Uint8Array): Addon }) {
    const addon = begin(new Uint8Array(randomBytes(16)), sha256);
    this.version = addon.version;
    this.check = addon.check;
    this.checkText = addon.checkText;
    this.invoke = addon.invoke;
    this.output = addon.output;
    this.release = addon.release;
    this.memory = addon.memory;
  }
}

/** The packages that may have the addon of this platform. */
function packages(): string[] {
  const name = `cupel-${process.platform}-${process.arch}`;
  return process.platform === 'linux' ? [`${name}-gnu`, `${name}-musl`] : [name];
}

/** The addon, or why there is none. */
function load(): NativeEngine | string {
  const { version } = require('../package.json') as { version: string };
  const reasons: string[] = [];
  for (const name of packages()) {
    try {
      const found = (require(`${name}/package.json`) as { version: string }).version;
      if (found === version) return new NativeEngine(require(name));
      reasons.push(`${name} has version ${found}, not ${version}`);
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message.split('\n', 1)[0]}`);
    }
  }
  return reasons.join('; ');
}

export function nodeEngine(): Engine {
  const wanted = process.env['CUPEL_ENGINE'];
  if (wanted !== undefined && wanted !== '' && wanted !== 'native' && wanted !== 'wasm')
    throw new Error(`CUPEL_ENGINE is ${JSON.stringify(wanted)}; it can be native or wasm`);
  if (wanted !== 'wasm') {
    const native = load();
    if (typeof native !== 'string') return native;
    if (wanted === 'native') throw new Error(`CUPEL_ENGINE=native, but there is no addon: ${native}`);
  }
  const file = hasSimd() ? 'cupel.wasm' : 'cupel-scalar.wasm';
  return new WasmEngine(new WebAssembly.Module(readFileSync(join(__dirname, '../wasm', file))), sha256);
}

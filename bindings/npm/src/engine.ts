/* engine.ts: what the addon and the WebAssembly module have in common, and which one is in use.
 *
 * An engine has one input buffer, one output and a table of objects; native/core.h describes them.  Each entry point of
 * the package (node.ts, browser.ts, workerd.ts and their likes) provides its engine when it is loaded. */

/** The functions of native/core.h by number (enum core_op). */
export const Op = {
  compile: 1,
  outcome: 2,
  validate: 3,
  disassemble: 4,
  trace: 5,
  catalog: 10,
  call: 11,
  result: 12,
  list: 13,
  pins: 14,
  lock: 15,
  lockDiff: 16,
  hidden: 17,
  export: 18,
} as const;

/** Bits that say what Op.validate writes (enum core_detail). */
export const Detail = { problems: 1, model: 2, repair: 4, result: 8 } as const;

export type Text = string | Uint8Array;

export interface Engine {
  readonly kind: 'native' | 'wasm';
  readonly version: string;
  /** The verdict on a JSON text in bytes: 0, 1 or 2; anything else for arguments that are none. */
  check(handle: number, bytes: Uint8Array): number;
  /** The verdict on a JSON text in a string. */
  checkText(handle: number, text: string): number;
  /** Calls a function; -1 if the input was refused or there is no such function or object. */
  invoke(op: number, handle: number, text: Text, more: Text, number: number): number;
  /** The output of the last call that wrote one. */
  output(): string;
  release(handle: number): void;
  /** Bytes that buffers and scratches hold; of WebAssembly, the size of its memory. */
  memory(): number;
  readonly digests: Digests;
}

/** SHA-256 for digests of tools.  Where the host computes it asynchronously, digests are collected first: a run of the
 * library asks for them, gets zeros, and its result is dropped; it runs again until it has asked for none. Where the
 * host has none at all, the run fails: no result is made of those zeros. */
export class Digests {
  readonly #known = new Map<string, Uint8Array>();
  #missing = new Map<string, Uint8Array>();
  #failed = false;

  constructor(readonly now?: (bytes: Uint8Array) => Uint8Array) {}

  /** The digest of bytes that stay as they are only until this returns. */
  readonly get = (bytes: Uint8Array): Uint8Array => {
    if (this.now !== undefined) return this.now(bytes);
    let key = '';
    for (let i = 0; i < bytes.length; i += 4096) key += String.fromCharCode(...bytes.subarray(i, i + 4096));
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    this.#missing.set(key, bytes.slice());
    this.#failed = true;
    return new Uint8Array(32);
  };

  /** Runs a function of the library that needs digests, in a host that has them at once. */
  runNow<T>(run: () => T): T {
    if (this.now === undefined) throw new Error('this host computes SHA-256 asynchronously: use the function that returns a promise');
    return run();
  }

  /** Runs it once; undefined if digests were missing, whatever came of it then. */
  #attempt<T>(run: () => T): { value: T } | undefined {
    this.#failed = false;
    try {
      const value = run();
      if (!this.#failed) return { value };
    } catch (error) {
      if (!this.#failed) throw error;
    } finally {
      if (!this.#failed) this.#known.clear();
    }
    return undefined;
  }

  /** The same in any host. */
  async run<T>(run: () => T): Promise<T> {
    for (;;) {
      const outcome = this.#attempt(run);
      if (outcome !== undefined) return outcome.value;
      const missing = [...this.#missing];
      this.#missing = new Map();
      await Promise.all(
        missing.map(async ([key, bytes]) => {
          const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
          this.#known.set(key, new Uint8Array(digest));
        }),
      );
    }
  }
}

let validators: Engine | undefined;
let tools: Engine | undefined;

/** Makes an engine the one in use: for tools, which also has validators, or for validators alone. */
export function provide(engine: Engine, forTools: boolean): void {
  if (forTools) tools ??= engine;
  else validators ??= engine;
}

const MISSING = 'cupel has no engine yet: await init() before anything else';

export function engineForValidators(): Engine {
  const engine = tools ?? validators;
  if (engine === undefined) throw new Error(MISSING);
  return engine;
}

export function engineForTools(): Engine {
  if (tools === undefined) throw new Error(MISSING);
  return tools;
}

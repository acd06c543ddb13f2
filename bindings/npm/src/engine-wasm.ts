/* engine-wasm.ts: the WebAssembly module as an engine. */
import { Digests, type Engine, type Text } from './engine.js';

interface Exports {
  readonly memory: WebAssembly.Memory;
  begin(a: number, b: number, c: number, d: number): number;
  version(): number;
  input(handle: number, length: number): number;
  output_bytes(): number;
  output_length(): number;
  check(handle: number, length: number): number;
  invoke(op: number, handle: number, length: number, more: number, number: number): number;
  release(handle: number): void;
}

const UNDECIDED = 2;
/** What check returns for an argument that is no array of bytes: no verdict. */
const NO_BYTES = -1;
/** Bytes of the input buffer that the module always has (LEAST_INPUT of native/core.c). */
const ROOM = 4096;
/** A string of more bytes, at worst, is encoded before it is copied. */
const MOST_ROOM = 256 * 1024;
/** A shorter string is written by a loop, which is faster than a call of TextEncoder. */
const SHORT = 48;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class WasmEngine implements Engine {
  readonly kind = 'wasm';
  readonly version: string;
  readonly digests: Digests;
  readonly #exports: Exports;
  readonly #check: Exports['check']; /* of the exports, whose properties are slow to read */
  #memory: Uint8Array;
  #at = 0; /* the address of the input buffer … */
  #room = 0; /* … and the bytes that it surely has */
  #input: Uint8Array; /* the buffer itself */
  #hasKey = false;

  constructor(module: WebAssembly.Module, now?: (bytes: Uint8Array) => Uint8Array) {
    this.digests = new Digests(now);
    const sha256 = (bytes: number, length: number, digest: number): number => {
      const memory = this.#current();
      memory.set(this.digests.get(memory.subarray(bytes, bytes + length)), digest);
      return 0;
    };
    const instance = new WebAssembly.Instance(module, { cupel: { sha256 } });
    this.#exports = instance.exports as unknown as Exports;
    this.#check = this.#exports.check;
    this.#memory = this.#input = new Uint8Array(this.#exports.memory.buffer);
    this.#hasKey = this.#begin(randomWords());
    const at = this.#exports.version();
    const memory = this.#current();
    this.version = decoder.decode(memory.slice(at, memory.indexOf(0, at)));
  }

  /** Makes the core, or gives it the secret numbers for its hashes.  Workers have no random numbers while their script
   * starts; the core then gets its numbers with the first input after that. */
  #begin(words: Uint32Array | undefined): boolean {
    const [a, b, c, d] = words ?? [0, 0, 0, 0];
    if (this.#exports.begin(a!, b!, c!, d!) === 0) throw new RangeError('cupel: there is no memory');
    return words !== undefined;
  }

  /** The memory's bytes; their array is a new one after the memory has grown. */
  #current(): Uint8Array {
    if (this.#memory.length === 0) {
      this.#memory = new Uint8Array(this.#exports.memory.buffer);
      this.#room = 0;
    }
    return this.#memory;
  }

  /** Makes the input buffer so large.  False if the object's limits refuse the length, or memory does. */
  #reserve(handle: number, length: number): boolean {
    if (!this.#hasKey) {
      const words = randomWords();
      if (words !== undefined) this.#hasKey = this.#begin(words);
    }
    this.#at = this.#exports.input(handle, length);
    this.#room = 0;
    if (this.#at === 0) return false;
    const memory = this.#current();
    const room = Math.max(length, ROOM);
    this.#input = memory.subarray(this.#at, this.#at + room);
    if (this.#hasKey) this.#room = room; /* otherwise this function is called again */
    return true;
  }

  check(handle: number, bytes: Uint8Array): number {
    if (!ArrayBuffer.isView(bytes) || (bytes as Partial<Uint8Array>).BYTES_PER_ELEMENT !== 1) return NO_BYTES;
    const length = bytes.length;
    if ((this.#memory.length === 0 || length > this.#room) && !this.#reserve(handle, length)) return UNDECIDED;
    this.#memory.set(bytes, this.#at);
    return this.#check(handle, length);
  }

  checkText(handle: number, text: string): number {
    const most = text.length * 3;
    if (this.#memory.length === 0 || most > this.#room) {
      if (most > MOST_ROOM) return this.check(handle, encoder.encode(text));
      if (!this.#reserve(0, most)) return UNDECIDED; /* the object's limit is checked with the text */
    }
    return this.#check(handle, this.#write(text));
  }

  /** Writes a string that fits the input buffer; its length in bytes. */
  #write(text: string): number {
    const { length } = text;
    if (length < SHORT) {
      const input = this.#input;
      let i = 0;
      for (; i < length; i++) {
        const code = text.charCodeAt(i);
        if (code >= 0x80) break;
        input[i] = code;
      }
      if (i === length) return length;
    }
    return encoder.encodeInto(text, this.#input).written;
  }

  invoke(op: number, handle: number, text: Text, more: Text, number: number): number {
    const most = 3 * (text.length + more.length);
    if (most > MOST_ROOM) {
      const first = typeof text === 'string' ? encoder.encode(text) : text;
      const second = typeof more === 'string' ? encoder.encode(more) : more;
      if (!this.#reserve(handle, first.length + second.length)) return -1;
      this.#memory.set(first, this.#at);
      this.#memory.set(second, this.#at + first.length);
      return this.#exports.invoke(op, handle, first.length, second.length, number);
    }
    if (!this.#reserve(0, most)) return -1;
    const length = this.#put(text, 0);
    return this.#exports.invoke(op, handle, length, this.#put(more, length), number);
  }

  /** Writes a text that fits to a place in the input buffer; its length in bytes. */
  #put(text: Text, at: number): number {
    if (text.length === 0) return 0;
    if (typeof text === 'string') return encoder.encodeInto(text, at === 0 ? this.#input : this.#input.subarray(at)).written;
    this.#input.set(text, at);
    return text.length;
  }

  output(): string {
    const at = this.#exports.output_bytes();
    return decoder.decode(this.#current().subarray(at, at + this.#exports.output_length()));
  }

  release(handle: number): void {
    this.#exports.release(handle);
  }

  memory(): number {
    return this.#exports.memory.buffer.byteLength;
  }
}

function randomWords(): Uint32Array | undefined {
  try {
    return crypto.getRandomValues(new Uint32Array(4));
  } catch {
    return undefined;
  }
}

/** Whether the host has SIMD: whether it accepts a function of one SIMD instruction. */
export function hasSimd(): boolean {
  return WebAssembly.validate(
    Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11),
  );
}

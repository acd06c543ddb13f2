/* json.ts: values to JSON text, as JSON.stringify writes them, with two differences: NaN and infinities, which it would
 * write as null, are refused, and a BigInt, which it would refuse, is written with all its digits. */
import { UndecidedError } from './errors.js';

/** Whether a value is a Uint8Array, of this realm or another one. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]');
}

/** A word that nobody can know, so that no string of a value holds it. */
function secretWord(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('.');
}

function refuse(value: number): never {
  throw new TypeError(`${value} is not a JSON value`);
}

/** The text of a value that has a BigInt or a number that JSON does not have; JSON.stringify has called toJSON when it
 * calls the function. */
function exactText(value: unknown): string | undefined {
  const mark = `${secretWord()}:`; /* before the digits of a BigInt, until they are bare */
  let found = false;
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') {
      found = true;
      return mark + part;
    }
    if (part instanceof Number && !Number.isFinite(part.valueOf())) refuse(part.valueOf());
    if (typeof part === 'number' && !Number.isFinite(part)) refuse(part);
    return part;
  }) as string | undefined;
  return found ? text?.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : text;
}

/** A null, and not the name of the type in a schema. */
const NULL_TOKEN = /(?:^|[[:,])null(?:[\]},]|$)/;

/** Whether a number in the value may be NaN or infinite: false is certain. */
function mayHaveOddNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (mayHaveOddNumber(item)) return true;
    return false;
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function' || value instanceof Number) return true;
  for (const name in value) if (mayHaveOddNumber((value as Record<string, unknown>)[name])) return true;
  return false;
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return exactText(value); /* a BigInt; a cycle throws again */
  }
}

/** The JSON text of a value.  TypeError for a value that has none, UndecidedError for one that JSON.stringify cannot
 * write. */
export function toJson(value: unknown): string {
  try {
    const text = stringify(value);
    if (text === undefined) throw new TypeError(`${typeof value} is not a JSON value`);
    /* Only `null` in the text can stand for a number that JSON does not have. */
    return text.includes('null') && NULL_TOKEN.test(text) && mayHaveOddNumber(value) ? exactText(value)! : text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UndecidedError({ code: 'JSON_DEPTH', message: 'the value is nested too deeply, or its text is too long', pointer: '' });
  }
}

/** The segments of a JSON Pointer (RFC 6901). */
export function segments(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a pointer; undefined where there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

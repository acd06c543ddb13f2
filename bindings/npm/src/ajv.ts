/* ajv.ts: problems in the shape of ajv's errors, for code that reads `validate.errors`. */
import type { Problem } from './errors.js';
import { segments, valueAt } from './json.js';

export interface AjvError {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  message: string;
}

/** The name that a sentence has in quotes. */
function quoted(message: string): string | undefined {
  const found = /"(?:[^"\\]|\\.)*"/.exec(message);
  if (found === null) return undefined;
  try {
    return JSON.parse(found[0]) as string;
  } catch {
    return undefined;
  }
}

/** The name of the missing property.  A sentence cuts a long name; the schema has all of it. */
function missing(problem: Problem, names: unknown): string | undefined {
  const name = quoted(problem.message);
  if (name === undefined || !name.endsWith('…') || !Array.isArray(names)) return name;
  const start = name.slice(0, -1);
  return (names as unknown[]).find((n): n is string => typeof n === 'string' && n.startsWith(start)) ?? name;
}

const COMPARISONS: Record<string, string> = {
  minimum: '>=',
  maximum: '<=',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
};

function params(problem: Problem, value: unknown, last: string): Record<string, unknown> {
  const { keyword } = problem;
  switch (keyword) {
    case 'type':
      return { type: value };
    case 'const':
      return { allowedValue: value };
    case 'enum':
      return { allowedValues: value };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { comparison: COMPARISONS[keyword], limit: value };
    case 'multipleOf':
    case 'pattern':
    case 'format':
      return { [keyword]: value };
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return { limit: value };
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return { missingProperty: missing(problem, value) };
    case 'additionalProperties':
      return { additionalProperty: last };
    case 'unevaluatedProperties':
      return { unevaluatedProperty: last };
    case 'propertyNames':
      return { propertyName: last };
    default:
      return {};
  }
}

/** Converts a problem; `schema` is the schema as a value, of which it takes the keyword's value. */
export function toAjv(problem: Problem, schema: unknown): AjvError {
  const path = segments(problem.pointer);
  const unknownName = problem.code === 'unknown-property';
  const last = path.at(-1) ?? '';
  return {
    keyword: problem.keyword === 'false' ? 'false schema' : problem.keyword,
    instancePath: unknownName ? problem.pointer.slice(0, problem.pointer.lastIndexOf('/')) : problem.pointer,
    schemaPath: `#${problem.schemaPointer}`,
    params: params(problem, valueAt(schema, segments(problem.schemaPointer)), last),
    message: problem.message,
  };
}

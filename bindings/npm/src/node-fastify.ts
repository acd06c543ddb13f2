/* node-fastify.ts: cupel/fastify. */
import { provideNode } from './node-engine.js';

provideNode();

export { BodyError, buildValidator, cupelBody, expressBody, validatorCompiler } from './fastify.js';
export type { BodyOptions, CompilerOptions, RouteSchema, ValidateFunction, ValidatorCompiler } from './fastify.js';

/* package.test.cjs: the package as it is packed: what publint and @arethetypeswrong/cli say, its files, no scripts, the
 * licence and notices; a TypeScript program that uses every entry point compiles under strict settings. */
'use strict';
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { check, same } = require('./check.cjs');

const root = path.join(__dirname, '..');
const installed = path.join(root, 'node_modules/cupel');
const build = path.join(process.env.CUPEL_ROOT, 'build/npm');
const { version } = require('cupel/package.json');
const tarballs = fs.readdirSync(build).filter((name) => name.endsWith(`-${version}.tgz`));
const run = (command, ...args) => spawnSync(path.join(root, 'node_modules/.bin', command), args, { cwd: root, encoding: 'utf8' });

function testLinters() {
  const publint = run('publint', 'run', '--strict', installed);
  check(publint.status === 0 && /All good/.test(publint.stdout), `publint: ${publint.stdout}${publint.stderr}`);
  const types = run('attw', path.join(build, `cupel-${version}.tgz`), '--no-emoji', '--exclude-entrypoints', 'wasm/cupel-core.wasm', 'wasm/cupel.wasm');
  check(types.status === 0 && /No problems found/.test(types.stdout), `attw: ${types.stdout}${types.stderr}`);
}

function testFiles() {
  check(tarballs.length >= 2, tarballs.join(' '));
  for (const tarball of tarballs) {
    const files = execFileSync('tar', ['tzf', path.join(build, tarball)], { encoding: 'utf8' }).split('\n');
    for (const file of ['package.json', 'LICENSE', 'NOTICES', 'README.md']) check(files.includes(`package/${file}`), `${tarball} has no ${file}`);
    const manifest = JSON.parse(execFileSync('tar', ['xzOf', path.join(build, tarball), 'package/package.json'], { encoding: 'utf8' }));
    same([manifest.version, manifest.scripts, manifest.dependencies, manifest.optionalDependencies, manifest.license], [version, undefined, undefined, undefined, 'MIT'], tarball);
    check(!files.some((file) => /\.map$|\.ts$/.test(file) && !file.endsWith('.d.ts')), `${tarball} has sources`);
  }
  check(/Unicode, Inc/.test(fs.readFileSync(path.join(installed, 'NOTICES'), 'utf8')), 'the notices');
}

/** Every file that `exports`, `bin` and `types` name is there. */
function testExports() {
  const manifest = require('cupel/package.json');
  const named = [];
  const walk = (value) => (typeof value === 'string' ? named.push(value) : Object.values(value).forEach(walk));
  walk([manifest.exports, manifest.bin, manifest.main, manifest.types, manifest.typesVersions['*']]);
  for (const file of named) check(fs.existsSync(path.join(installed, file)), `no ${file}`);
}

const PROGRAM = `
import { compile, UndecidedError, type Problem, type ValidationResult } from 'cupel';
import { catalog, CupelJsonSchemaValidator } from 'cupel/mcp';
import { cupelBody, expressBody, validatorCompiler } from 'cupel/fastify';
import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import express from 'express';
import fastify from 'fastify';

const v = compile<{ name: string }>({ type: 'object' }, { formats: true, limits: { steps: 100 } });
const input: unknown = { name: 'Ada' };
if (v.isValid(input)) input.name.toUpperCase();
const verdict: 0 | 1 | 2 = v.check(new Uint8Array());
const result: ValidationResult = v.validate(input);
const problems: readonly Problem[] = result.errors;
const loaded: { name: string } = v.loads('{}');
const provider: jsonSchemaValidator = new CupelJsonSchemaValidator({ cacheSize: 10 });
new Client({ name: 'a', version: '1' }, { jsonSchemaValidator: new CupelJsonSchemaValidator() });
fastify().register(cupelBody);
fastify().setValidatorCompiler(validatorCompiler());
const valid: boolean = catalog([]).call('{}').valid;
export { expressBody, express, UndecidedError, verdict, problems, loaded, provider, valid };
// @ts-expect-error: no such option
compile({}, { speed: 1 });
`;

function testTypes() {
  const folder = fs.mkdtempSync(path.join(root, 'types-'));
  const settings = { compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] }, include: ['*'] };
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ ...settings, compilerOptions: { ...settings.compilerOptions, skipLibCheck: true } }));
  fs.writeFileSync(path.join(folder, 'program.ts'), PROGRAM);
  fs.copyFileSync(path.join(folder, 'program.ts'), path.join(folder, 'program.mts'));
  const tsc = spawnSync(process.execPath, [path.join(build, 'tools/node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  check(tsc.status === 0, tsc.stdout);
  fs.rmSync(folder, { recursive: true });
}

testLinters();
testFiles();
testExports();
testTypes();

// ajv.mjs: compares the reference evaluator with ajv, on pairs that generate.c makes up.
//
// usage: node ajv.mjs DIFFERENTIAL [PAIRS [SEED]]
//
// DIFFERENTIAL is the program built from differential.c.  ajv and ajv-draft-04 are installed from
// npm into a temporary folder; without npm or a network the test is skipped.  A difference passes
// if ajv-differences.txt has its kind; every other one fails and is printed.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const MOST_PRINTED = 20;

// -- ajv ------------------------------------------------------------------------------------------

function install(folder) {
    const packages = ["ajv@8", "ajv-draft-04@1"];
    const options = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--silent"];
    const npm = spawnSync("npm", ["install", "--prefix", folder, ...options, ...packages]);
    return npm.status === 0;
}

function load(folder) {
    const require = createRequire(join(folder, "from-here.js"));
    const ajv = require("ajv").default;
    const metaschema6 = require("ajv/dist/refs/json-schema-draft-06.json");
    return {
        classes: {
            "draft-04": require("ajv-draft-04").default,
            "draft-06": ajv,
            "draft-07": ajv,
            "2019-09": require("ajv/dist/2019").default,
            "2020-12": require("ajv/dist/2020").default,
        },
        metaschema6,
    };
}

// The schema is not held to its meta-schema: numbers that are equal as doubles would be refused.
function judge(ajv, pair) {
    const options = { strict: false, logger: false, validateFormats: false, validateSchema: false };
    try {
        const instance = new ajv.classes[pair.dialect](options);
        if (pair.dialect === "draft-06")
            instance.addMetaSchema(ajv.metaschema6);
        return { valid: instance.validate(pair.schema, pair.instance) };
    } catch (error) {
        return { refused: String(error.message) };
    }
}

// -- Kinds of differences -------------------------------------------------------------------------

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

// The numbers of a line as they are written; strings are stepped over.
function numbers(line) {
    return [...line.matchAll(TOKENS)].map((match) => match[0]).filter((token) => token[0] !== '"');
}

function isBeyondDouble(number) {
    const digits = number.replace(/[eE].*/, "").replace(/[-.]/g, "").replace(/^0+/, "");
    return digits.length > 15 || /[eE][-+]?\d{3}/.test(number);
}

// Whether `test` holds for an object anywhere in a value.
function some(value, test) {
    if (typeof value !== "object" || value === null)
        return false;
    const parts = Object.values(value);
    return (!Array.isArray(value) && test(value)) || parts.some((part) => some(part, test));
}

function hasRefSiblings(object) {
    return typeof object.$ref === "string" && Object.keys(object).length > 1;
}

function requiresEmptyName(object) {
    return Array.isArray(object.required) && object.required.length > 1 && object.required.includes("");
}

function hasEmptyArray(value) {
    if (typeof value !== "object" || value === null)
        return false;
    return (Array.isArray(value) && value.length === 0) || Object.values(value).some(hasEmptyArray);
}

function kindOfRefusal(message, line) {
    if (/resolves to more than one schema/.test(message) && /"x-note"/.test(line))
        return "unknown-keyword-id";
    if (/only supports hash fragment|has unsupported|can't resolve reference/.test(message))
        return /"\$dynamicRef"/.test(line) ? "dynamic-ref" : undefined;
    if (/is not defined|properties of undefined|Maximum call stack/.test(message))
        return "no-verdict";
    return undefined;
}

function kindOf(pair, line, got) {
    if (got.refused !== undefined)
        return kindOfRefusal(got.refused, line);
    const fractions = numbers(line).some((number) => /[.eE]/.test(number));
    const old = pair.dialect.startsWith("draft");
    if (numbers(line).some(isBeyondDouble))
        return "number-beyond-double";
    if (fractions && some(pair.schema, (object) => "multipleOf" in object))
        return "multiple-in-doubles";
    if (fractions && pair.dialect === "draft-04")
        return "draft4-integer";
    if (old && some(pair.schema, hasRefSiblings))
        return "ref-siblings";
    if (some(pair.schema, (object) => "$dynamicRef" in object))
        return "dynamic-ref";
    if (some(pair.schema, (object) => "contains" in object) && hasEmptyArray(pair.instance))
        return "contains-empty-array";
    if (got.valid && some(pair.schema, requiresEmptyName))
        return "required-empty-name";
    if (some(pair.schema, (object) => "$recursiveRef" in object))
        return "recursive-ref";
    if (some(pair.schema, (object) => Object.keys(object).some((key) => /^unevaluated/.test(key))))
        return "unevaluated";
    if (/__proto__|\\u005[fF]/.test(line))
        return "prototype-name";
    return undefined;
}

function readTable() {
    const text = readFileSync(new URL("ajv-differences.txt", import.meta.url), "utf-8");
    const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
    return new Map(lines.map((line) => [line.split(" | ")[0], 0]));
}

// -- The run --------------------------------------------------------------------------------------

async function compare(ajv, program, count, seed) {
    const explained = readTable();
    let passed = 0;
    let failed = 0;
    const child = spawn(program, ["--print", "--pairs", count, "--seed", seed],
        { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface({ input: child.stdout })) {
        const pair = JSON.parse(line);
        const got = judge(ajv, pair);
        const kind = got.valid === pair.valid ? null : kindOf(pair, line, got);
        if (kind === null || explained.has(kind)) {
            passed++;
            if (kind !== null)
                explained.set(kind, explained.get(kind) + 1);
            continue;
        }
        if (failed++ < MOST_PRINTED)
            console.log(`ajv: ${got.refused ?? got.valid}, reference: ${pair.valid}\n  ${line}`);
    }
    for (const [kind, times] of explained)
        console.log(`${kind}: ${times}`);
    console.log(`${passed} passed, ${failed} failed`);
    return failed !== 0 || passed === 0 ? 1 : 0;
}

async function main() {
    const [program, count = "5000", seed = "1"] = process.argv.slice(2);
    const folder = mkdtempSync(join(tmpdir(), "cupel-ajv-"));
    try {
        if (install(folder))
            return await compare(load(folder), program, count, seed);
        console.log("skipped: ajv cannot be installed");
        console.log("0 passed, 0 failed");
        return 0;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

process.exitCode = await main();

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CodeCache } from "./code-cache.js";

/** A folder with two chunks, one of which requires the other and a module of Node. */
function bundle(): { folder: string; cache: string; write: (name: string, source: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), "code-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, source: string) => writeFileSync(join(folder, name), source);
  write(
    "a.cjs",
    'const { sep } = require("node:path"); const { two } = require("./b.cjs"); exports.run = () => ({ sum: 1 + two(), sep, file: __filename });',
  );
  write("b.cjs", "exports.two = () => 2;");
  return { folder, cache: join(folder, "code.cache"), write };
}

interface Result {
  readonly sum: number;
  readonly sep: string;
  readonly file: string;
}

function run(code: CodeCache): Result {
  return (code.load("a.cjs") as { run: () => Result }).run();
}

/** Whether all code of a run came from the file: only then nothing is written. */
async function isComplete(folder: string): Promise<boolean> {
  const cache = join(folder, "code.cache");
  const content = readFileSync(cache);
  const code = new CodeCache(folder);
  run(code);
  rmSync(cache);
  await code.keep();
  const isWritten = existsSync(cache);
  writeFileSync(cache, content);
  return !isWritten;
}

test("chunks run without a file, and their code is kept for the next run", async () => {
  const { folder, cache } = bundle();
  const code = new CodeCache(folder);

  expect(run(code)).toEqual({ sum: 3, sep, file: join(folder, "a.cjs") });
  expect(existsSync(cache)).toBe(false);
  await code.keep();

  expect(readdirSync(folder).sort()).toEqual(["a.cjs", "b.cjs", "code.cache"]);
  expect(run(new CodeCache(folder)).sum).toBe(3);
  expect(await isComplete(folder)).toBe(true);
});

test("a chunk runs once", () => {
  const { folder, write } = bundle();
  write("b.cjs", "let count = 0; exports.two = () => ++count;");
  const code = new CodeCache(folder);

  expect([run(code).sum, run(code).sum]).toEqual([2, 3]);
});

test("a chunk that fails is run again by the next attempt", () => {
  const { folder, write } = bundle();
  write("b.cjs", 'require("./missing.cjs"); exports.two = () => 2;');
  const code = new CodeCache(folder);

  expect(() => run(code)).toThrow("missing.cjs");
  write("missing.cjs", "");

  expect(run(code).sum).toBe(3);
});

test("a changed chunk of the same length runs as it is now", async () => {
  const { folder, write } = bundle();
  const code = new CodeCache(folder);
  run(code);
  await code.keep();

  write("b.cjs", "exports.two = () => 5;");

  expect(await isComplete(folder)).toBe(false);
  expect(run(new CodeCache(folder)).sum).toBe(6);
});

test.each([
  ["is empty", () => Buffer.alloc(0)],
  ["is not a cache", () => Buffer.from("hello")],
  ["is cut off", (content: Buffer) => content.subarray(0, content.length - 10)],
  ["has another byte", (content: Buffer) => content.fill(1, content.length - 10)],
])("a file that %s is not used, and replaced", async (_name, damage) => {
  const { folder, cache } = bundle();
  const code = new CodeCache(folder);
  run(code);
  await code.keep();
  writeFileSync(cache, damage(readFileSync(cache)));

  expect(await isComplete(folder)).toBe(false);
  const next = new CodeCache(folder);
  expect(run(next).sum).toBe(3);
  await next.keep();

  expect(await isComplete(folder)).toBe(true);
});

test("code that cannot be written is not kept, and leaves nothing behind", async () => {
  const { folder, cache } = bundle();
  // No user can put a file in the place of a folder.
  mkdirSync(cache);
  const code = new CodeCache(folder);

  expect(run(code).sum).toBe(3);
  await code.keep();

  expect(readdirSync(folder).sort()).toEqual(["a.cjs", "b.cjs", "code.cache"]);
});

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { precompress } from "./precompress.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "precompress-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a text file gets a brotli and a gzip copy, in every folder", async () => {
  const text = "const word = 1;\n".repeat(200);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets/page.js"), text);

  await precompress(folder);

  expect(brotliDecompressSync(await readFile(join(folder, "assets/page.js.br"))).toString()).toBe(text);
  expect(gunzipSync(await readFile(join(folder, "assets/page.js.gz"))).toString()).toBe(text);
});

test("a copy that would be larger is not written, and an image is not compressed", async () => {
  await writeFile(join(folder, "tiny.css"), "a{}");
  await writeFile(join(folder, "image.png"), Buffer.alloc(4096));

  await precompress(folder);

  expect((await readdir(folder)).filter((name) => name.endsWith(".gz"))).toEqual([]);
  expect(await readdir(folder)).not.toContain("image.png.br");
});

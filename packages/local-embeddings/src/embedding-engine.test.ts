import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { platform } from "node:process";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { builtInEmbeddingModels } from "./built-in-models.js";
import { type EmbeddingEngine, openEmbeddingEngine } from "./embedding-engine.js";
import { InputTooLongError, ModelUnavailableError } from "./errors.js";
import { compiledWorkerUrl } from "./test/compiled-worker-url.js";
import { makeSmallModelFolder } from "./test/small-model-folder.js";
import { weightsFolder } from "./weights/weight-pins.js";

const minilm = join(weightsFolder, "all-MiniLM-L6-v2");
const small = await makeSmallModelFolder();
afterAll(() => rm(small, { recursive: true }));

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "embedding-engine-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function openEngine(options: Parameters<typeof openEmbeddingEngine>[0]): Promise<EmbeddingEngine> {
  const engine = await openEmbeddingEngine({ workers: 1, workerUrl: compiledWorkerUrl, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

function similarity(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * right[index]!, 0);
}

test.runIf(platform === "linux")("workers run below normal priority", async () => {
  const engine = await openEngine({ folders: { small } });

  await engine.embed("small", ["one"]);

  const tasks = await readdir("/proc/self/task");
  const stats = await Promise.all(tasks.map((task) => readFile(`/proc/self/task/${task}/stat`, "utf8")));
  // The nineteenth field is the niceness of a thread. The second, its name, may contain spaces.
  const niceness = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
  expect(niceness).toContain(constants.priority.PRIORITY_BELOW_NORMAL);
  expect(niceness.filter((nice) => nice === getPriority()).length).toBeGreaterThan(1);
});

describe.each(builtInEmbeddingModels)("$id", ({ id, dimensions, maxTokens }) => {
  let engine: EmbeddingEngine;

  beforeAll(async () => {
    engine = await openEmbeddingEngine({ workers: 2, workerUrl: compiledWorkerUrl });
    await engine.warm(id);
  });

  afterAll(() => engine.close());

  test("it is available as described", () => {
    expect(engine.models.get(id)).toEqual({ id, available: true, dimensions, maxTokens });
  });

  test("a paraphrase is nearer than an unrelated sentence", async () => {
    const { vectors } = await engine.embed(id, [
      "How do I reset my password?",
      "I forgot my login credentials and need to set new ones.",
      "The ferry to the island leaves at noon.",
    ]);

    const [question, paraphrase, unrelated] = vectors;
    expect(similarity(question!, paraphrase!)).toBeGreaterThan(similarity(question!, unrelated!) + 0.05);
  });

  test("a vector has the stated dimensions and the length 1", async () => {
    const { vectors } = await engine.embed(id, ["one", "two"]);

    expect(vectors.map((vector) => vector.length)).toEqual([dimensions, dimensions]);
    for (const vector of vectors) expect(similarity(vector, vector)).toBeCloseTo(1, 5);
  });

  test("tokens are counted as the model reads them, special tokens included", async () => {
    const texts = ["", "hello world", "unbelievably", "日本語", "naïve café 🚀", "a\u0000b", "\ud800"];

    const { tokenCounts } = await engine.embed(id, texts);

    expect(tokenCounts).toEqual([2, 4, 7, 5, 5, 3, 2]);
  });

  test("the longest text passes and one token more is refused", async () => {
    const longest = "word ".repeat(maxTokens - 2);

    const { tokenCounts } = await engine.embed(id, [longest]);
    const refusal = await engine.embed(id, ["fine", `${longest} word`]).catch((error: unknown) => error);

    expect(tokenCounts).toEqual([maxTokens]);
    expect(refusal).toBeInstanceOf(InputTooLongError);
    expect(refusal).toMatchObject({ index: 1, length: `${maxTokens + 1} tokens`, maxTokens });
  });

  test("a text of megabytes is refused by its length, without counting its tokens", async () => {
    const text = "word ".repeat(1_000_000);

    const refusal = await engine.embed(id, ["fine", text]).catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(InputTooLongError);
    expect(refusal).toMatchObject({ index: 1, length: "5000000 characters", maxTokens });
  });

  test("a text has one vector to the bit, whatever runs beside it", async () => {
    const text = "The same words must always land on the same spot.";
    const others = Array.from({ length: 20 }, (_, index) => `${"filler ".repeat(index * 3)}${index}`);

    const alone = await engine.embed(id, [text]);
    const mixed = await Promise.all([
      engine.embed(
        id,
        others.flatMap((other) => [other, text]),
      ),
      engine.embed(id, [text, text]),
    ]);

    const vectors = [...mixed[0].vectors.filter((_, index) => index % 2 === 1), ...mixed[1].vectors];
    expect(vectors).toEqual(new Array(22).fill(alone.vectors[0]));
  });

  test("the event loop keeps turning while texts are embedded", async () => {
    let turns = 0;
    let embedding = true;
    const turn = () => {
      turns += 1;
      if (embedding) setImmediate(turn);
    };
    setImmediate(turn);

    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    await engine.embed(id, texts);
    embedding = false;

    // If the model ran on this thread, the loop would turn at most once per text.
    expect(turns).toBeGreaterThan(2 * texts.length);
  });
});

test("a built-in model without weights is reported, and refuses to embed", async () => {
  const folder = await temporaryFolder();

  const engine = await openEngine({ weightsFolder: folder });

  const reason = `${join(folder, "gte-small", "model.onnx")} is missing.`;
  expect(engine.models.get("gte-small")).toEqual({ id: "gte-small", available: false, reason });
  const refusal = await engine.embed("gte-small", ["a"]).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ModelUnavailableError);
  expect(refusal).toMatchObject({ model: "gte-small", cause: reason });
});

test("a built-in model with altered weights is reported", async () => {
  const folder = await temporaryFolder();
  await cp(minilm, join(folder, "all-MiniLM-L6-v2"), { recursive: true });
  await writeFile(join(folder, "all-MiniLM-L6-v2", "tokenizer.json"), "{}");

  const engine = await openEngine({ weightsFolder: folder });
  const refusal = engine.embed("all-MiniLM-L6-v2", ["a"]);

  // A call that comes before the check is over waits for it.
  await expect(refusal).rejects.toThrow(ModelUnavailableError);
  await engine.checked;
  expect(engine.models.get("all-MiniLM-L6-v2")).toMatchObject({
    available: false,
    reason: expect.stringContaining("not the pinned"),
  });
});

test("an unknown model is unavailable", async () => {
  const engine = await openEngine({});

  await expect(engine.embed("no-such-model", ["a"])).rejects.toThrow(ModelUnavailableError);
  await expect(engine.warm("no-such-model")).rejects.toThrow(ModelUnavailableError);
});

describe("a folder of the operator", () => {
  test("returns the vectors of its model under its own name", async () => {
    const folder = await temporaryFolder();
    await cp(minilm, folder, { recursive: true });

    const engine = await openEngine({ folders: { "my-model": folder } });
    const mine = await engine.embed("my-model", ["hello"]);
    const builtIn = await engine.embed("all-MiniLM-L6-v2", ["hello"]);

    const state = { id: "my-model", available: true, dimensions: 384, maxTokens: 512 };
    expect(engine.models.get("my-model")).toEqual(state);
    expect(mine).toEqual(builtIn);
  });

  test("may hold a model with one input that pools by itself", async () => {
    const engine = await openEngine({ folders: { small } });
    const result = await engine.embed("small", ["hello"]);

    expect(engine.models.get("small")).toEqual({
      id: "small",
      available: true,
      dimensions: 2,
      maxTokens: 512,
    });
    expect(result).toEqual({ vectors: [Float32Array.of(0.6, 0.8)], tokenCounts: [3] });
  });

  test("replaces a built-in model of the same name", async () => {
    const engine = await openEngine({ folders: { "gte-small": small } });

    expect(engine.models.get("gte-small")).toMatchObject({ available: true, dimensions: 2 });
  });

  test("with a corrupt model is reported and refused, and the others run on", async () => {
    const folder = await temporaryFolder();
    await cp(small, folder, { recursive: true });
    await writeFile(join(folder, "model.onnx"), "not a model");

    const engine = await openEngine({
      folders: { corrupt: folder, missing: join(folder, "nowhere"), small },
    });

    expect(engine.models.get("corrupt")).toMatchObject({ available: false });
    expect(engine.models.get("missing")).toMatchObject({ available: false });
    await expect(engine.embed("corrupt", ["a"])).rejects.toThrow(ModelUnavailableError);
    expect((await engine.embed("small", ["a"])).vectors).toHaveLength(1);
  });

  test("whose model breaks after it was checked is unavailable, and does not hang", async () => {
    const folder = await temporaryFolder();
    await cp(minilm, join(folder, "all-MiniLM-L6-v2"), { recursive: true });
    const engine = await openEngine({ weightsFolder: folder, folders: { small } });
    await engine.checked;
    await writeFile(join(folder, "all-MiniLM-L6-v2", "model.onnx"), "not a model");

    await expect(engine.embed("all-MiniLM-L6-v2", ["a"])).rejects.toThrow(ModelUnavailableError);
    expect((await engine.embed("small", ["a"])).vectors).toHaveLength(1);
  });
});

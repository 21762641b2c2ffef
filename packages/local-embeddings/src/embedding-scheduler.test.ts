import { rm } from "node:fs/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { EmbeddingScheduler } from "./embedding-scheduler.js";
import { EmbeddingFailedError, EngineBusyError, EngineClosedError, InputTooLongError } from "./errors.js";
import { compiledWorkerUrl } from "./test/compiled-worker-url.js";
import { makeSmallModelFolder } from "./test/small-model-folder.js";

const folder = await makeSmallModelFolder();
afterAll(() => rm(folder, { recursive: true }));

const model = { id: "small", folder, maxTokens: 256 };
const textsOf = (count: number) => Array.from({ length: count }, (_, index) => `text number ${index}`);
const tooLong = "word ".repeat(300);

function openScheduler(options: { workers?: number; queueMax?: number; workerUrl?: URL } = {}) {
  const scheduler = new EmbeddingScheduler({
    workerUrl: compiledWorkerUrl,
    workers: 1,
    queueMax: 1_000,
    ...options,
  });
  onTestFinished(() => scheduler.close());
  return scheduler;
}

test("a short call does not wait for all of a long one", async () => {
  const scheduler = openScheduler();
  const finished: string[] = [];

  const long = scheduler.embed(model, textsOf(50)).then(() => finished.push("long"));
  const short = scheduler.embed(model, ["short"]).then(() => finished.push("short"));
  await Promise.all([long, short]);

  expect(finished).toEqual(["short", "long"]);
});

test("an interactive call is finished before a shorter bulk call that came first", async () => {
  const scheduler = openScheduler();
  const finished: string[] = [];

  const bulk = scheduler.embed(model, textsOf(8), { priority: "bulk" }).then(() => finished.push("bulk"));
  const interactive = scheduler.embed(model, textsOf(16)).then(() => finished.push("interactive"));
  await Promise.all([bulk, interactive]);

  expect(finished).toEqual(["interactive", "bulk"]);
});

test("a call past the queue's limit is refused whole, and the next that fits is not", async () => {
  const scheduler = openScheduler({ queueMax: 5 });
  // The worker takes one of the five at once, so four wait.
  const first = scheduler.embed(model, textsOf(5));

  const embed = (count: number) => scheduler.embed(model, textsOf(count), { owner: "another" });
  await expect(embed(2)).rejects.toThrow(EngineBusyError);
  const fitting = await embed(1);

  expect(fitting.vectors).toHaveLength(1);
  expect((await first).vectors).toHaveLength(5);
});

test("an aborted call rejects with the reason and gives its places back", async () => {
  const scheduler = openScheduler({ queueMax: 20 });
  const controller = new AbortController();
  const reason = new Error("the caller went away");
  const aborted = scheduler.embed(model, textsOf(20), { signal: controller.signal });

  controller.abort(reason);

  await expect(aborted).rejects.toBe(reason);
  const next = await scheduler.embed(model, textsOf(20));
  expect(next.vectors).toHaveLength(20);
});

test("a signal that is already aborted queues nothing", async () => {
  const scheduler = openScheduler({ queueMax: 1 });
  const reason = new Error("too late");

  await expect(scheduler.embed(model, ["a"], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("the first text that is too long is named, whichever worker finds one first", async () => {
  const scheduler = openScheduler({ workers: 2 });
  const texts = ["fine", "also fine", `${tooLong} ${tooLong}`, tooLong, "never reached"];

  const refusal = await scheduler.embed(model, texts).catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(InputTooLongError);
  expect(refusal).toMatchObject({ index: 2, length: "602 tokens", maxTokens: 256 });
});

test("a text that is too long leaves the other calls alone", async () => {
  const scheduler = openScheduler();

  const [refused, finished] = await Promise.allSettled([
    scheduler.embed(model, [tooLong, "a", "b"]),
    scheduler.embed(model, ["a", "b"]),
  ]);

  expect(refused.status).toBe("rejected");
  expect(finished.status).toBe("fulfilled");
});

test("a worker that dies fails only the call it was running, and is replaced", async () => {
  const scheduler = openScheduler({ workerUrl: new URL("./test/crashing-worker.mjs", import.meta.url) });

  const [crashed, waiting] = await Promise.allSettled([
    scheduler.embed(model, ["crash", "a"]),
    scheduler.embed(model, ["a"]),
  ]);
  const later = await scheduler.embed(model, ["a"]);

  expect(crashed).toMatchObject({
    status: "rejected",
    reason: { name: "EmbeddingFailedError", model: "small" },
  });
  expect(waiting).toEqual({ status: "fulfilled", value: later });
});

test("a worker that cannot start fails its texts and does not hang", async () => {
  const scheduler = openScheduler({ workerUrl: new URL("./test/no-such-worker.mjs", import.meta.url) });

  await expect(scheduler.embed(model, ["a", "b"])).rejects.toThrow(EmbeddingFailedError);
  await expect(scheduler.embed(model, ["a"])).rejects.toThrow(EmbeddingFailedError);
});

test("closing rejects running, waiting and later work", async () => {
  const scheduler = openScheduler();
  const running = scheduler.embed(model, textsOf(3));
  const waiting = scheduler.embed(model, textsOf(3));
  const outcomes = Promise.allSettled([running, waiting]);

  await scheduler.close();

  const closed = { status: "rejected", reason: new EngineClosedError() };
  expect(await outcomes).toEqual([closed, closed]);
  await expect(scheduler.embed(model, ["a"])).rejects.toThrow(EngineClosedError);
});

test("no texts cause no work", async () => {
  expect(await openScheduler().embed(model, [])).toEqual({ vectors: [], tokenCounts: [] });
});

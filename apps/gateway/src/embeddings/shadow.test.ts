import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { Vector } from "@model-gateway/domain/vector";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { type EmbeddedInputs, type EmbedForShadow, Shadow, sumShadows } from "./shadow.js";

const next = embeddingModel({ id: "next", dimensions: 2 });

function createFixture(embed: EmbedForShadow, { percent = 100, random = (): number => 0.5 } = {}) {
  const clock = new ManualClock();
  const models = new Map([["next", next]]);
  const shadow = new Shadow({ clock, random, modelNamed: (id) => models.get(id), embed });
  const model = embeddingModel({ id: "m", shadow: { model: "next", percent } });
  const offer = (input: EmbeddedInputs["request"]["input"], more: Partial<EmbeddedInputs["request"]> = {}) =>
    shadow.offer({
      model,
      request: { input, ...more },
      vectors: Array.from({ length: 64 }, (_, index) => Vector.fromFloats(Float32Array.of(1, index))),
      key: undefined,
    });
  return { clock, models, shadow, offer, figures: () => shadow.figures()[0] };
}

const answer: EmbedForShadow = async ({ texts }) => ({
  vectors: texts.map((_, index) => Float32Array.of(1, index)),
  cached: 0,
});

test("texts are embedded in separate calls, each once, and token ids are not", async () => {
  const calls: (readonly string[])[] = [];
  const { shadow, offer, figures } = createFixture(async (call, signal) => {
    calls.push(call.texts);
    return answer(call, signal);
  });

  offer("one");
  offer(["two", "one", "three"]);
  offer([1, 2, 3]);
  offer([[1, 2], [3]]);
  await expect.poll(() => figures()?.embedded).toBe(3);
  await shadow.close();

  expect(calls).toEqual([["one", "two", "three"]]);
});

test("a share of the inputs is taken", async () => {
  let turn = 0;
  const { shadow, offer, figures } = createFixture(answer, {
    percent: 25,
    random: () => {
      turn += 1;
      return (turn % 4) / 4;
    },
  });

  offer(Array.from({ length: 40 }, (_, index) => `text ${index}`));
  await expect.poll(() => figures()?.embedded).toBe(10);
  await shadow.close();
});

test("parameters that the next model does not support are left out of its call", async () => {
  const calls: unknown[] = [];
  const { shadow, offer, figures } = createFixture(async (call, signal) => {
    calls.push([call.dimensions, call.inputType]);
    return answer(call, signal);
  });

  offer("one", { dimensions: 2 });
  offer("two", { dimensions: 512, input_type: "query" });
  await expect.poll(() => figures()?.embedded).toBe(2);
  await shadow.close();

  expect(calls).toEqual([
    [2, undefined],
    [undefined, undefined],
  ]);
});

test("one call runs at a time, and inputs that do not fit the queue are dropped", async () => {
  let running = 0;
  let most = 0;
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { shadow, offer, figures } = createFixture(async (call, signal) => {
    running += 1;
    most = Math.max(most, running);
    await gate;
    running -= 1;
    return answer(call, signal);
  });
  const text = "x".repeat(1024 * 1024);

  for (let number = 0; number < 10; number += 1) offer(`${text}${number}`);
  await expect.poll(() => running).toBe(1);
  for (let number = 0; number < 10; number += 1) offer(`${text}${number + 10}`);
  open();
  await expect.poll(() => figures()?.embedded).toBe(6);
  await shadow.close();

  expect([most, figures()?.dropped]).toEqual([1, 14]);
});

test("short texts for a shadow that stalls take no more memory than long ones", async () => {
  const { shadow, offer, figures } = createFixture(
    (_call, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const texts = Array.from({ length: 64 }, (_, index) => String(index));

  for (let request = 0; request < 400; request += 1) offer(texts);

  // Each input takes half a kilobyte besides its text and its vector, and 8 MB may wait.
  expect(figures()?.dropped).toBeGreaterThan(400 * 64 - 16_384);
  await shadow.close();
});

test("after a failure it pauses, and goes on with the inputs that came meanwhile", async () => {
  let isDown = true;
  const { clock, shadow, offer, figures } = createFixture(async (call, signal) => {
    if (isDown) throw new Error("Down.");
    return answer(call, signal);
  });

  offer("one");
  await expect.poll(() => figures()?.failed).toBe(1);
  offer("two");
  isDown = false;
  expect(figures()?.embedded).toBe(0);
  await clock.runUntil(() => figures()?.embedded === 1);
  await shadow.close();
});

test("inputs for a model that is gone are forgotten, and a stop ends a call in flight", async () => {
  const calls: AbortSignal[] = [];
  const { models, shadow, offer, figures } = createFixture((_call, signal) => {
    calls.push(signal);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });

  offer("one");
  await expect.poll(() => calls.length).toBe(1);
  models.clear();
  offer("two");
  await shadow.close();
  offer("three");

  expect(calls).toHaveLength(1);
  expect(figures()).toMatchObject({ embedded: 0, failed: 1 });
});

test("every sixteen texts are compared, whatever the widths", async () => {
  const { shadow, offer, figures } = createFixture(async ({ texts }) => ({
    // The same order of neighbours, in three dimensions.
    vectors: texts.map((_, index) => Float32Array.of(2, 2 * index, 0)),
    cached: texts.length,
  }));

  offer(Array.from({ length: 40 }, (_, index) => `text ${index}`));
  await expect.poll(() => figures()?.cached).toBe(40);
  await shadow.close();

  expect(figures()).toMatchObject({ model: "m", shadow: "next", compared: 32, neighboursKept: 32 });
});

test("the figures of several processes are added up", () => {
  const one = {
    model: "m",
    shadow: "next",
    embedded: 1,
    cached: 2,
    dropped: 3,
    failed: 4,
    compared: 16,
    neighboursKept: 9,
  };

  expect(sumShadows([one, { ...one, shadow: "other" }, one])).toEqual([
    {
      model: "m",
      shadow: "next",
      embedded: 2,
      cached: 4,
      dropped: 6,
      failed: 8,
      compared: 32,
      neighboursKept: 18,
    },
    { ...one, shadow: "other" },
  ]);
});

test("a long queue is not searched for each call", async () => {
  const { shadow, offer, figures } = createFixture(answer);

  // About as many as the queue holds. Scanning all of them for each call took a hundred times as long.
  for (let count = 0; count < 200; count += 1)
    offer(Array.from({ length: 64 }, (_, index) => `${count} ${index}`));
  await expect.poll(() => figures()?.embedded).toBe(12_800);
  await shadow.close();
});

import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { BatchTooLargeError } from "../../domain/requests.js";
import { noTrace } from "../../domain/trace.js";
import { Vector } from "../../domain/vector.js";
import { GatewayError } from "../../errors.js";
import { embeddingModel } from "../test/embedding-model.js";
import { Coalescer, type CoalescerOptions } from "./coalescer.js";
import type { InputRequest } from "./pending-input.js";

const [target] = embeddingModel().targets;

const want = (text: string): InputRequest => ({
  key: text,
  input: text,
  tokens: text.length,
  trace: noTrace,
  caller: "c",
});
const vectorOf = (text: unknown) =>
  Vector.fromFloats(Float32Array.of(String(text).length, String(text).charCodeAt(0)));
const never = new AbortController().signal;

/** A lane whose upstream answers when it is told to. */
function createLane(needs: Partial<CoalescerOptions> = {}): {
  lane: Coalescer;
  calls: {
    inputs: readonly unknown[];
    signal: AbortSignal;
    answer: () => void;
    fail: (failure: unknown) => void;
  }[];
} {
  const calls: ReturnType<typeof createLane>["calls"] = [];
  const lane = new Coalescer({
    limits: () => ({ maxInputs: 100, maxTokens: 10_000 }),
    maxConcurrency: 2,
    coalesce: undefined,
    learn: () => false,
    onIdle: () => undefined,
    send: ({ inputs }, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        const promptTokens = inputs.reduce<number>((sum, input) => sum + input.length, 0);
        calls.push({
          inputs,
          signal,
          fail: reject,
          answer: () => resolve({ vectors: inputs.map(vectorOf), promptTokens, target, attempts: 1 }),
        });
      }),
    ...needs,
  });
  return { lane, calls };
}

test("an input that is on its way is not sent again", async () => {
  const { lane, calls } = createLane();

  const first = lane.fetch([want("a"), want("bb")], never);
  const second = lane.fetch([want("bb")], never);
  const third = lane.fetch([want("bb"), want("c")], never);
  for (const call of calls) call.answer();

  expect(calls.map(({ inputs }) => inputs)).toEqual([["a", "bb"], ["c"]]);
  expect((await second)[0]?.tokens).toBe(2);
  expect((await third).map(({ vector }) => [...vector.toFloats()])).toEqual([
    [2, 98],
    [1, 99],
  ]);
  await first;
  expect(lane.isIdle).toBe(true);
});

test("a call lives until its last waiter leaves", async () => {
  const { lane, calls } = createLane();
  const [one, two] = [new AbortController(), new AbortController()];

  const first = lane.fetch([want("a")], one.signal);
  const second = lane.fetch([want("a")], two.signal);
  one.abort(new Error("one left"));
  await expect(first).rejects.toThrow("one left");
  expect(calls[0]?.signal.aborted).toBe(false);
  two.abort(new Error("two left"));
  await expect(second).rejects.toThrow("two left");

  expect(calls[0]?.signal.aborted).toBe(true);
  expect(lane.isIdle).toBe(true);
});

test("after a call was given up, the same input is sent anew", async () => {
  const { lane, calls } = createLane();
  const leaving = new AbortController();

  const first = lane.fetch([want("a")], leaving.signal);
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  const second = lane.fetch([want("a")], never);
  calls[1]?.answer();

  expect((await second)[0]?.tokens).toBe(1);
});

test("parts are sent a few at a time", async () => {
  const { lane, calls } = createLane({ limits: () => ({ maxInputs: 1, maxTokens: 100 }), maxConcurrency: 2 });

  const all = lane.fetch([want("a"), want("bb"), want("ccc")], never);
  expect(calls).toHaveLength(2);
  calls[0]?.answer();
  await setImmediate();
  expect(calls).toHaveLength(3);
  calls[1]?.answer();
  calls[2]?.answer();

  expect((await all).map(({ tokens }) => tokens)).toEqual([1, 2, 3]);
});

test("one failing part fails the whole request, and gives up the others", async () => {
  const { lane, calls } = createLane({ limits: () => ({ maxInputs: 1, maxTokens: 100 }), maxConcurrency: 2 });

  const all = lane.fetch([want("a"), want("bb"), want("ccc")], never);
  calls[0]?.fail(new GatewayError("upstream_error", "part one"));

  await expect(all).rejects.toThrow("part one");
  expect(calls[1]?.signal.aborted).toBe(true);
  await setImmediate();
  expect(calls).toHaveLength(2);
  expect(lane.isIdle).toBe(true);
});

test("a batch that is too large goes again in the parts that were learned", async () => {
  let maxInputs = 4;
  const learn = () => {
    maxInputs = 2;
    return true;
  };
  const { lane, calls } = createLane({
    limits: () => ({ maxInputs, maxTokens: 100 }),
    learn,
    maxConcurrency: 8,
  });

  const all = lane.fetch(["a", "bb", "ccc"].map(want), never);
  calls[0]?.fail(new BatchTooLargeError("too large", { maxInputs: 2 }));
  await setImmediate();
  for (const call of calls) call.answer();

  expect((await all).map(({ tokens }) => tokens)).toEqual([1, 2, 3]);
  expect(calls.map(({ inputs }) => inputs.length)).toEqual([3, 2, 1]);
});

test("requests that come within the window travel together, and each gets its own", async () => {
  vi.useFakeTimers();
  const { lane, calls } = createLane({ coalesce: { windowMs: 5, maxInputs: 10 } });

  const requests = ["a", "bb", "ccc"].map((text) => lane.fetch([want(text)], never));
  expect(calls).toHaveLength(0);
  vi.advanceTimersByTime(5);
  vi.useRealTimers();
  calls[0]?.answer();

  expect(calls.map(({ inputs }) => inputs)).toEqual([["a", "bb", "ccc"]]);
  expect((await Promise.all(requests)).map(([one]) => one?.tokens)).toEqual([1, 2, 3]);
});

test("a full window does not wait", async () => {
  const { lane, calls } = createLane({ coalesce: { windowMs: 60_000, maxInputs: 2 } });

  const requests = ["a", "b"].map((text) => lane.fetch([want(text)], never));
  calls[0]?.answer();

  await expect(Promise.all(requests)).resolves.toHaveLength(2);
});

test("one request's bad input does not fail the others that travelled with it", async () => {
  const { lane, calls } = createLane({ coalesce: { windowMs: 60_000, maxInputs: 2 } });
  const bad = new GatewayError("context_length_exceeded", "too long");

  const good = lane.fetch([want("good")], never);
  const faulty = lane.fetch([want("bad")], never);
  calls[0]?.fail(bad);
  await expect.poll(() => calls.length).toBe(3);
  calls.find(({ inputs }, index) => index > 0 && inputs[0] === "good")?.answer();
  calls.find(({ inputs }, index) => index > 0 && inputs[0] === "bad")?.fail(bad);

  await expect(faulty).rejects.toBe(bad);
  expect((await good)[0]?.tokens).toBe(4);
});

test("a bystander that shares an input does not share the other's fault", async () => {
  const { lane, calls } = createLane();
  const bad = new GatewayError("context_length_exceeded", "too long");

  const faulty = lane.fetch([want("shared"), want("bad")], never);
  const bystander = lane.fetch([want("shared")], never);
  calls[0]?.fail(bad);
  await expect.poll(() => calls.length).toBe(3);
  calls.find(({ inputs }) => inputs.length === 1 && inputs[0] === "shared")?.answer();
  calls.find(({ inputs }) => inputs.length === 1 && inputs[0] === "bad")?.fail(bad);

  await expect(faulty).rejects.toBe(bad);
  expect((await bystander)[0]?.tokens).toBe(6);
});

test("no more calls are under way than may be, also while a limit is learned", async () => {
  let underWay = 0;
  let most = 0;
  let maxInputs = 4;
  const lane = new Coalescer({
    limits: () => ({ maxInputs, maxTokens: 1000 }),
    maxConcurrency: 2,
    coalesce: undefined,
    learn: () => {
      maxInputs = 1;
      return true;
    },
    onIdle: () => undefined,
    send: async ({ inputs }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await setImmediate();
      underWay -= 1;
      if (inputs.length > 1) throw new BatchTooLargeError("too large", { maxInputs: 1 });
      return { vectors: inputs.map(vectorOf), promptTokens: 1, target, attempts: 1 };
    },
  });

  await lane.fetch([..."abcdefghijklmnop"].map(want), never);

  expect(most).toBe(2);
});

test("who leaves while the window is open is not sent", async () => {
  vi.useFakeTimers();
  const { lane, calls } = createLane({ coalesce: { windowMs: 5, maxInputs: 10 } });
  const leaving = new AbortController();

  const gone = lane.fetch([want("gone")], leaving.signal);
  const stays = lane.fetch([want("stays")], never);
  leaving.abort(new Error("left"));
  await expect(gone).rejects.toThrow("left");
  vi.advanceTimersByTime(5);
  vi.useRealTimers();
  calls[0]?.answer();
  await stays;

  expect(calls.map(({ inputs }) => inputs)).toEqual([["stays"]]);
});

import { setImmediate } from "node:timers/promises";
import { GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import { BatchTooLargeError, isContent } from "@model-gateway/domain/requests";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { noTrace } from "@model-gateway/domain/trace";
import { Vector } from "@model-gateway/domain/vector";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import { expect, test, vi } from "vitest";
import { Coalescer, type CoalescerOptions } from "./coalescer.js";
import type { InputRequest } from "./pending-input.js";
import type { BatchReply, InputBatch } from "./send-batch.js";

const never = new AbortController().signal;
const inputOf = (text: string): InputRequest => ({
  key: text,
  input: text,
  tokens: text.length,
  needsNumbers: false,
  context: { caller: "c", trace: noTrace, signal: never },
});
const vectorOf = (text: unknown) =>
  Vector.fromFloats(Float32Array.of(String(text).length, String(text).charCodeAt(0)));
const unlimited = {
  of: () => ({ maxInputs: 100, maxTokens: 10_000, maxCharacters: Number.POSITIVE_INFINITY }),
  learn: () => false,
};
const oneByOne = {
  of: () => ({ maxInputs: 1, maxTokens: 100, maxCharacters: Number.POSITIVE_INFINITY }),
  learn: () => false,
};
const twoByTwo = {
  of: () => ({ maxInputs: 2, maxTokens: 100, maxCharacters: Number.POSITIVE_INFINITY }),
  learn: () => false,
};

interface FixtureOptions extends Partial<Pick<CoalescerOptions, "limits">> {
  readonly coalesce?: EmbeddingModel["coalesce"];
  readonly maxConcurrency?: number;
  readonly isBulk?: boolean;
  readonly send?: (batch: InputBatch) => Promise<BatchReply>;
}

function createCoalescer({
  limits = unlimited,
  coalesce,
  maxConcurrency = 2,
  isBulk = false,
  send,
}: FixtureOptions = {}) {
  const model = embeddingModel(coalesce === undefined ? {} : { coalesce }, { capacity: { maxConcurrency } });
  const [target] = model.targets;
  const calls: {
    inputs: readonly unknown[];
    signal: AbortSignal;
    reply: () => void;
    fail: (failure: unknown) => void;
  }[] = [];
  /** An upstream that replies when a test says so. */
  const hold = ({ inputs, context: { signal } }: InputBatch): Promise<BatchReply> =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      const promptTokens = inputs.reduce<number>(
        (sum, input) => sum + (isContent(input) ? 1 : input.length),
        0,
      );
      calls.push({
        inputs,
        signal,
        fail: reject,
        reply: () =>
          resolve({
            vectors: inputs.map(vectorOf),
            promptTokens,
            tokensEstimated: false,
            target,
            attempts: 1,
          }),
      });
    });
  const coalescer = new Coalescer({
    route: { model, options: { encoding_format: "float", dimensions: undefined, user: undefined }, isBulk },
    limits,
    sender: { send: send ?? hold },
    onIdle: () => undefined,
  });
  return { coalescer, calls, target };
}

test("an input in flight is not sent again", async () => {
  const { coalescer, calls } = createCoalescer();

  const first = coalescer.fetch([inputOf("a"), inputOf("bb")], never);
  const second = coalescer.fetch([inputOf("bb")], never);
  const third = coalescer.fetch([inputOf("bb"), inputOf("c")], never);
  await setImmediate();
  for (const call of calls) call.reply();

  expect(calls.map(({ inputs }) => inputs)).toEqual([["a", "bb"], ["c"]]);
  expect((await second)[0]?.tokens).toBe(2);
  expect((await third).map(({ vector }) => [...vector.toFloats()])).toEqual([
    [2, 98],
    [1, 99],
  ]);
  await first;
  expect(coalescer.isIdle).toBe(true);
});

test("an input requested again in the tick of its delivery gets a new call", async () => {
  const { coalescer, calls } = createCoalescer({ limits: twoByTwo });

  // The first request still waits for its second batch, so it has not left the inputs of the first one.
  const first = coalescer.fetch(["a", "bb", "ccc"].map(inputOf), never);
  const again = coalescer.fetch([inputOf("a")], never).then(() => coalescer.fetch([inputOf("a")], never));
  await setImmediate();
  calls[0]?.reply();
  await setImmediate();
  const sent = calls.map(({ inputs }) => inputs);
  for (const call of calls) call.reply();

  expect(sent).toEqual([["a", "bb"], ["ccc"], ["a"]]);
  expect((await again)[0]?.tokens).toBe(1);
  await first;
  expect(coalescer.isIdle).toBe(true);
});

test("a call is aborted when its last waiter leaves, and not before", async () => {
  const { coalescer, calls } = createCoalescer();
  const [one, two] = [new AbortController(), new AbortController()];

  const first = coalescer.fetch([inputOf("a")], one.signal);
  const second = coalescer.fetch([inputOf("a")], two.signal);
  one.abort(new Error("one left"));
  await expect(first).rejects.toThrow("one left");
  expect(calls[0]?.signal.aborted).toBe(false);
  two.abort(new Error("two left"));
  await expect(second).rejects.toThrow("two left");

  expect(calls[0]?.signal.aborted).toBe(true);
  expect(coalescer.isIdle).toBe(true);
});

test("after its call was aborted, an input is sent again", async () => {
  const { coalescer, calls } = createCoalescer();
  const leaving = new AbortController();

  const first = coalescer.fetch([inputOf("a")], leaving.signal);
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  const second = coalescer.fetch([inputOf("a")], never);
  await setImmediate();
  calls[1]?.reply();

  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect((await second)[0]?.tokens).toBe(1);
});

test("batches are sent a few at a time", async () => {
  const { coalescer, calls } = createCoalescer({ limits: oneByOne });

  const all = coalescer.fetch([inputOf("a"), inputOf("bb"), inputOf("ccc")], never);
  await setImmediate();
  expect(calls).toHaveLength(2);
  calls[0]?.reply();
  await setImmediate();
  expect(calls).toHaveLength(3);
  calls[1]?.reply();
  calls[2]?.reply();

  expect((await all).map(({ tokens }) => tokens)).toEqual([1, 2, 3]);
});

test("a failed batch fails the whole request, and aborts the other batches", async () => {
  const { coalescer, calls } = createCoalescer({ limits: oneByOne });

  const all = coalescer.fetch([inputOf("a"), inputOf("bb"), inputOf("ccc")], never);
  await setImmediate();
  calls[0]?.fail(new GatewayError("upstream_error", "batch one"));

  await expect(all).rejects.toThrow("batch one");
  expect(calls[1]?.signal.aborted).toBe(true);
  await setImmediate();
  expect(calls).toHaveLength(2);
  expect(coalescer.isIdle).toBe(true);
});

test("a batch that is too large is sent again in batches of the learned size", async () => {
  let maxInputs = 4;
  const limits = {
    of: () => ({ maxInputs, maxTokens: 100, maxCharacters: Number.POSITIVE_INFINITY }),
    learn: () => {
      maxInputs = 2;
      return true;
    },
  };
  const { coalescer, calls } = createCoalescer({ limits, maxConcurrency: 8 });

  const all = coalescer.fetch(["a", "bb", "ccc"].map(inputOf), never);
  await setImmediate();
  calls[0]?.fail(new BatchTooLargeError("too large", { maxInputs: 2 }));
  await setImmediate();
  for (const call of calls) call.reply();

  expect((await all).map(({ tokens }) => tokens)).toEqual([1, 2, 3]);
  expect(calls.map(({ inputs }) => inputs.length)).toEqual([3, 2, 1]);
});

test("requests within the window share a batch, and each gets its own vectors", async () => {
  vi.useFakeTimers();
  const { coalescer, calls } = createCoalescer({ coalesce: { windowMs: 5, maxInputs: 10 } });

  const requests = ["a", "bb", "ccc"].map((text) => coalescer.fetch([inputOf(text)], never));
  expect(calls).toHaveLength(0);
  vi.advanceTimersByTime(5);
  vi.useRealTimers();
  await setImmediate();
  calls[0]?.reply();

  expect(calls.map(({ inputs }) => inputs)).toEqual([["a", "bb", "ccc"]]);
  expect((await Promise.all(requests)).map(([one]) => one?.tokens)).toEqual([1, 2, 3]);
});

test("a full batch does not wait for the window", async () => {
  const { coalescer, calls } = createCoalescer({ coalesce: { windowMs: 60_000, maxInputs: 2 } });

  const requests = ["a", "b"].map((text) => coalescer.fetch([inputOf(text)], never));
  await setImmediate();
  calls[0]?.reply();

  await expect(Promise.all(requests)).resolves.toHaveLength(2);
});

test("one request's bad input does not fail the other requests of its batch", async () => {
  const { coalescer, calls } = createCoalescer({ coalesce: { windowMs: 60_000, maxInputs: 2 } });
  const bad = new GatewayError("context_length_exceeded", "too long");

  const good = coalescer.fetch([inputOf("good")], never);
  const faulty = coalescer.fetch([inputOf("bad")], never);
  await setImmediate();
  calls[0]?.fail(bad);
  await expect.poll(() => calls.length, { timeout: 90_000 }).toBe(3);
  calls.find(({ inputs }, index) => index > 0 && inputs[0] === "good")?.reply();
  calls.find(({ inputs }, index) => index > 0 && inputs[0] === "bad")?.fail(bad);

  await expect(faulty).rejects.toBe(bad);
  expect((await good)[0]?.tokens).toBe(4);
});

test("a request that shares one input does not fail for another input of its batch", async () => {
  const { coalescer, calls } = createCoalescer();
  const bad = new GatewayError("context_length_exceeded", "too long");

  const faulty = coalescer.fetch([inputOf("shared"), inputOf("bad")], never);
  const sharing = coalescer.fetch([inputOf("shared")], never);
  await setImmediate();
  calls[0]?.fail(bad);
  await expect.poll(() => calls.length, { timeout: 90_000 }).toBe(3);
  calls.find(({ inputs }) => inputs.length === 1 && inputs[0] === "shared")?.reply();
  calls.find(({ inputs }) => inputs.length === 1 && inputs[0] === "bad")?.fail(bad);

  await expect(faulty).rejects.toBe(bad);
  expect((await sharing)[0]?.tokens).toBe(6);
});

test("the concurrency limit holds even while a batch limit is learned", async () => {
  let inFlight = 0;
  let inFlightMax = 0;
  let maxInputs = 4;
  const limits = {
    of: () => ({ maxInputs, maxTokens: 1000, maxCharacters: Number.POSITIVE_INFINITY }),
    learn: () => {
      maxInputs = 1;
      return true;
    },
  };
  const { coalescer, target } = createCoalescer({
    limits,
    send: async ({ inputs }) => {
      inFlight += 1;
      inFlightMax = Math.max(inFlightMax, inFlight);
      await setImmediate();
      inFlight -= 1;
      if (inputs.length > 1) throw new BatchTooLargeError("too large", { maxInputs: 1 });
      return { vectors: inputs.map(vectorOf), promptTokens: 1, tokensEstimated: false, target, attempts: 1 };
    },
  });

  await coalescer.fetch([..."abcdefghijklmnop"].map(inputOf), never);

  expect(inFlightMax).toBe(2);
});

test("the input of a caller that leaves within the window is not sent", async () => {
  vi.useFakeTimers();
  const { coalescer, calls } = createCoalescer({ coalesce: { windowMs: 5, maxInputs: 10 } });
  const leaving = new AbortController();

  const left = coalescer.fetch([inputOf("left")], leaving.signal);
  const stays = coalescer.fetch([inputOf("stays")], never);
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  vi.advanceTimersByTime(5);
  vi.useRealTimers();
  await setImmediate();
  calls[0]?.reply();
  await stays;

  expect(calls.map(({ inputs }) => inputs)).toEqual([["stays"]]);
});

test("a caller that leaves a huge batch costs one look at it, and not one for each of its inputs", async () => {
  const huge = {
    of: () => ({ maxInputs: 200_000, maxTokens: 10_000_000, maxCharacters: Number.POSITIVE_INFINITY }),
    learn: () => false,
  };
  const { coalescer, calls } = createCoalescer({ limits: huge });
  const leaving = new AbortController();
  const inputs = Array.from({ length: 100_000 }, (_, index) => inputOf(String(index)));
  const left = coalescer.fetch(inputs, leaving.signal);
  const stays = coalescer.fetch(inputs.slice(-1), never);

  // With a look for each input this would take minutes.
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  calls[0]?.reply();

  expect((await stays).length).toBe(1);
});

test("bulk requests that share a call end a few in each turn of the event loop", async () => {
  const { coalescer, calls } = createCoalescer({ isBulk: true, coalesce: { windowMs: 1, maxInputs: 20 } });
  let ended = 0;
  const requests = Array.from({ length: 20 }, (_, index) =>
    coalescer.fetch([inputOf(`text ${index}`)], new AbortController().signal).then(() => {
      ended += 1;
    }),
  );
  await setImmediate();

  calls[0]?.reply();
  const endedAfterTurns = new Set<number>();
  while (ended < 20) {
    await setImmediate();
    endedAfterTurns.add(ended);
  }

  expect(calls).toHaveLength(1);
  expect([...endedAfterTurns]).toEqual([8, 16, 20]);
  await Promise.all(requests);
});

test("a bulk request that is sent before others end does not free their part of the reply", async () => {
  const count = 40;
  const texts = Array.from({ length: count }, (_, index) =>
    Buffer.from(new Float32Array(2048).fill(index).buffer).toString("base64"),
  );
  const send = async (): Promise<BatchReply> => {
    const buffers = new ReplyBuffers(new BufferPool());
    const vectors = texts.map((text) =>
      Vector.fromCheckedBase64([buffers.add(Buffer.from(text))], 2048, buffers),
    );
    return { vectors, promptTokens: count, tokensEstimated: false, target, attempts: 1 };
  };
  const { coalescer, target } = createCoalescer({
    isBulk: true,
    coalesce: { windowMs: 1, maxInputs: count },
    send,
  });

  const read = await Promise.all(
    texts.map(async (_, index) => {
      const [fetched] = await coalescer.fetch([inputOf(`text ${index}`)], never);
      const text = fetched?.vector.toBase64() ?? [];
      const copy = typeof text === "string" ? text : Buffer.concat(text).toString();
      fetched?.vector.release();
      return copy;
    }),
  );

  expect(read).toEqual(texts);
});

test("a window that begins again with each input ends when no more come", async () => {
  vi.useFakeTimers();
  try {
    const { coalescer, calls } = createCoalescer({
      coalesce: { windowMs: 10, isSinceLast: true, maxInputs: 20 },
    });

    for (const text of ["one", "two", "three"]) {
      void coalescer.fetch([inputOf(text)], never);
      await vi.advanceTimersByTimeAsync(6);
    }
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(4);

    expect(calls.map(({ inputs }) => inputs)).toEqual([["one", "two", "three"]]);
  } finally {
    vi.useRealTimers();
  }
});

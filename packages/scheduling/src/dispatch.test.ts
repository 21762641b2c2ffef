import { GatewayError } from "@model-gateway/domain/errors";
import { imageProfiles } from "@model-gateway/domain/image-profiles";
import type { EmbeddingTarget, ImageModel } from "@model-gateway/domain/model";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { noTrace } from "@model-gateway/domain/trace";
import type { Call } from "@model-gateway/providers/call";
import type { OpenProvider } from "@model-gateway/providers/provider";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { seededRandom } from "@model-gateway/runtime/test/random";
import { expect, test } from "vitest";
import { TargetAdmission } from "./admission.js";
import { Dispatcher } from "./dispatch.js";
import { RetryQuotas, retryQuotaMax } from "./retry-quota.js";
import { Scheduler } from "./scheduler.js";

type Behaviour = (callTimeoutMs: number, call: Call) => void;

/** Upstreams that reply at once, unless their behaviour throws. */
function createFixture(behaviours: Readonly<Record<string, Behaviour>>): {
  dispatcher: Dispatcher;
  called: string[];
  clock: FakeClock;
} {
  const clock = new FakeClock();
  const called: string[] = [];
  const createProvider = (name: string, behave: Behaviour): OpenProvider => ({
    operations: {
      createEmbedding: async (_request, call) => {
        called.push(name);
        behave(call.timeoutMs, call);
        return { items: [], promptTokens: 1 };
      },
      createImage: async (_request, call) => {
        called.push(name);
        behave(call.timeoutMs, call);
        return { images: { created: 1, data: [] } };
      },
    },
    unavailable: () => undefined,
    close: async () => undefined,
  });
  const upstreams = new Map(
    Object.entries(behaviours).map(([name, behave]) => [
      name,
      {
        upstream: {
          name,
          provider: "openai-compatible",
          baseUrl: "http://x",
          hasKey: false,
          allowPrivateUrls: false,
          settings: {},
        },
        provider: createProvider(name, behave),
      },
    ]),
  );
  const random = seededRandom(1);
  const scheduler = new Scheduler({ clock, random });
  return {
    dispatcher: new Dispatcher({
      upstreams,
      scheduler,
      admission: new TargetAdmission({ scheduler, clock }),
      retryQuotas: new RetryQuotas(),
      clock,
      random,
      onAttempt: () => undefined,
    }),
    called,
    clock,
  };
}

const fail =
  (code: ConstructorParameters<typeof GatewayError>[0], detail = {}) =>
  () => {
    throw new GatewayError(code, code, detail);
  };
const succeed = () => undefined;
const model = (...names: string[]) => {
  const base = embeddingModel({ strategy: "ordered", deadlineMs: names.length > 1 ? 120_000 : 60_000 });
  const capacity = { maxConcurrency: 10_000 };
  const [first, ...others] = names.map(
    (upstream): EmbeddingTarget => ({ ...base.targets[0], upstream, capacity }),
  );
  return { ...base, targets: [first ?? base.targets[0], ...others] as const };
};
const { signal } = new AbortController();
const embed = (dispatcher: Dispatcher, ...names: string[]) =>
  dispatcher.dispatch({
    operation: "createEmbedding",
    model: model(...names),
    request: () => ({ inputs: ["a"] }),
    accept: () => "good",
    context: { caller: "c", trace: noTrace, signal },
    tokens: 1,
  });

test.each([
  "upstream_error",
  "upstream_unavailable",
  "upstream_timeout",
  "upstream_invalid_reply",
  "rate_limit_exceeded",
  "upstream_auth_error",
  "upstream_model_missing",
] as const)("after %s the next target is called", async (code) => {
  const { dispatcher, called } = createFixture({ a: fail(code), b: succeed });

  expect(await embed(dispatcher, "a", "b")).toMatchObject({
    result: "good",
    target: { upstream: "b" },
    attempts: 2,
    failedAttempts: [{ upstream: "a", reason: code }],
  });
  expect(called).toEqual(["a", "b"]);
  expect((await embed(dispatcher, "b")).failedAttempts).toBeUndefined();
});

test("the last failure has every attempt, without an upstream's own words", async () => {
  const recorded = "The upstream refused the request.";
  const { dispatcher, clock } = createFixture({
    a: () => {
      clock.advance(20);
      throw new GatewayError("upstream_error", "down", { upstreamStatus: 500 });
    },
    b: fail("upstream_rejected", { recorded, upstreamStatus: 400 }),
  });

  const { model: name } = model("a").targets[0];
  await expect(embed(dispatcher, "a", "b")).rejects.toMatchObject({
    upstream: "b",
    attempts: 2,
    failedAttempts: [
      { upstream: "a", model: name, status: 500, ms: 20, reason: "down" },
      { upstream: "b", model: name, status: 400, ms: 0, reason: recorded },
    ],
  });
});

test("where no target can be called, the failure has each with its reason", async () => {
  const { dispatcher } = createFixture({ a: fail("upstream_auth_error"), b: fail("insufficient_quota") });
  await embed(dispatcher, "a", "b").catch(() => undefined);

  const { model: name } = model("a").targets[0];
  await expect(embed(dispatcher, "a", "b")).rejects.toMatchObject({
    upstream: undefined,
    failedAttempts: [
      { upstream: "a", model: name, status: null, ms: null, reason: "upstream_auth_error" },
      { upstream: "b", model: name, status: null, ms: null, reason: "insufficient_quota" },
    ],
  });
});

test("a caller's own mistake is never retried", async () => {
  const { dispatcher, called } = createFixture({ a: fail("upstream_rejected"), b: succeed });

  await expect(embed(dispatcher, "a", "b")).rejects.toThrow("upstream_rejected");
  expect(called).toEqual(["a"]);
});

test("a reply that is not accepted is a failure of its target", async () => {
  const { dispatcher, called } = createFixture({ a: succeed, b: succeed });
  const verified: string[] = [];

  const { result } = await dispatcher.dispatch({
    operation: "createEmbedding",
    model: model("a", "b"),
    request: () => ({ inputs: ["a"] }),
    accept: (_reply, { upstream }) => {
      verified.push(upstream);
      if (upstream === "a") throw new GatewayError("upstream_invalid_reply", "not a vector");
      return "good";
    },
    context: { caller: "c", trace: noTrace, signal },
    tokens: 1,
  });

  expect([result, called, verified]).toEqual(["good", ["a", "b"], ["a", "b"]]);
});

test("there are at most three attempts, which share one deadline", async () => {
  const timeouts: number[] = [];
  const { dispatcher, clock } = createFixture({
    a: (timeoutMs) => {
      timeouts.push(timeoutMs);
      clock.advance(20_000);
      throw new GatewayError("upstream_error", "down");
    },
  });

  await expect(embed(dispatcher, "a")).rejects.toThrow("down");

  expect(timeouts.map((ms) => Math.round(ms / 10_000))).toEqual([6, 4, 2]);
});

test("a model without retries is called once", async () => {
  const { dispatcher, called } = createFixture({ a: fail("upstream_error"), b: succeed });

  const failure = dispatcher.dispatch({
    operation: "createEmbedding",
    model: { ...model("a", "b"), retries: { max: 0 } },
    request: () => ({ inputs: ["a"] }),
    accept: () => "good",
    context: { caller: "c", trace: noTrace, signal },
    tokens: 1,
  });

  await expect(failure).rejects.toThrow("upstream_error");
  expect(called).toEqual(["a"]);
});

test("a stalled target uses up its own time only, and is paused after five requests", async () => {
  const timeouts: number[] = [];
  const { dispatcher, called, clock } = createFixture({
    a: (timeoutMs) => {
      clock.advance(timeoutMs);
      throw new GatewayError("upstream_timeout", "stalled");
    },
    b: (timeoutMs) => void timeouts.push(timeoutMs),
  });

  for (let request = 0; request < 20; request += 1) await embed(dispatcher, "a", "b");

  expect(called.join("")).toBe("ab".repeat(5) + "b".repeat(15));
  // The jitter before a retry counts as well.
  expect(timeouts.map((ms) => Math.round(ms / 1000))).toEqual(Array(20).fill(60));
});

test("a late attempt gets the rest of the deadline", async () => {
  const timeouts: number[] = [];
  const stall = (timeoutMs: number) => {
    timeouts.push(timeoutMs);
    clock.advance(timeoutMs);
    throw new GatewayError("upstream_timeout", "stalled");
  };
  const { dispatcher, clock } = createFixture({ a: stall, b: stall, c: stall });

  const failure = dispatcher.dispatch({
    operation: "createEmbedding",
    model: { ...model("a", "b", "c"), deadlineMs: 90_000 },
    request: () => ({ inputs: ["a"] }),
    accept: () => "good",
    context: { caller: "c", trace: noTrace, signal },
    tokens: 1,
  });

  await expect(failure).rejects.toThrow("stalled");
  expect(timeouts.map((ms) => Math.round(ms / 1000))).toEqual([60, 30]);
});

test("no other target is called once the deadline has passed", async () => {
  const { dispatcher, called, clock } = createFixture({
    a: () => {
      clock.advance(120_000);
      throw new GatewayError("upstream_timeout", "slow");
    },
    b: succeed,
  });

  await expect(embed(dispatcher, "a", "b")).rejects.toThrow("slow");

  expect(called).toEqual(["a"]);
});

test("where every target throttles, the caller learns when the first cooldown ends", async () => {
  const { dispatcher, called } = createFixture({
    a: fail("rate_limit_exceeded", { retryAfterMs: 9000 }),
    b: fail("rate_limit_exceeded", { retryAfterMs: 4000 }),
  });
  await expect(embed(dispatcher, "a", "b")).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  const before = called.length;

  const failure = await embed(dispatcher, "a", "b").catch((error: GatewayError) => error);

  expect(failure).toMatchObject({ code: "rate_limit_exceeded", status: 429 });
  expect((failure as GatewayError).retryAfterMs).toBeLessThanOrEqual(4000);
  // No target is called during its cooldown.
  expect(called).toHaveLength(before);
});

test("the end of a short cooldown is awaited when all other targets have failed", async () => {
  let isThrottled = true;
  const { dispatcher, called } = createFixture({
    a: () => {
      if (!isThrottled) return;
      isThrottled = false;
      throw new GatewayError("rate_limit_exceeded", "a moment", { retryAfterMs: 800 });
    },
    b: fail("upstream_error"),
  });
  await embed(dispatcher, "a").catch(() => undefined);

  expect((await embed(dispatcher, "a", "b")).target.upstream).toBe("a");
  expect(called).toEqual(["a", "b", "a"]);
});

test("an outage opens the breaker: callers get a 503 at once, and the upstream is not called", async () => {
  const { dispatcher, called } = createFixture({ a: fail("upstream_error") });
  for (let request = 0; request < 20; request += 1) await embed(dispatcher, "a").catch(() => undefined);
  const before = called.length;

  const message = "The upstream has failed too often. The gateway will call it again in a moment.";
  await expect(embed(dispatcher, "a")).rejects.toMatchObject({
    code: "upstream_unavailable",
    status: 503,
    message,
    operatorMessage: `${message} The last error of a: upstream_error`,
    failedAttempts: [
      {
        upstream: "a",
        ms: null,
        reason: message,
        skipped: {
          failingSince: expect.any(Number),
          failures: before,
          pausedUntil: expect.any(Number),
          lastError: {
            at: expect.any(Number),
            code: "upstream_error",
            status: null,
            message: "upstream_error",
          },
        },
      },
    ],
  });

  expect(called).toHaveLength(before);
  expect(before).toBeLessThan(20);
});

test("a burst right after the start moves to the healthy target as a whole", async () => {
  const { dispatcher, called } = createFixture({ a: fail("upstream_error"), b: succeed });

  const served = await Promise.all(Array.from({ length: 200 }, () => embed(dispatcher, "a", "b")));

  expect(served.map(({ target, attempts }) => [target.upstream, attempts])).toEqual(
    Array(200).fill(["b", 2]),
  );
  expect(called).toHaveLength(400);
});

test("in an outage of all targets the retries are bounded, however many requests there are", async () => {
  const { dispatcher, called } = createFixture({ a: fail("upstream_error"), b: fail("upstream_error") });

  const outcomes = await Promise.allSettled(Array.from({ length: 2000 }, () => embed(dispatcher, "a", "b")));
  const afterBurst = called.length;
  for (let request = 0; request < 100; request += 1) await embed(dispatcher, "a", "b").catch(() => undefined);

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([]);
  expect([afterBurst, called.length]).toEqual([2000 + retryQuotaMax, 2100 + retryQuotaMax]);
});

test("an image is requested again only when it is certain that none was created", async () => {
  const image: ImageModel = {
    id: "p",
    type: "image",
    strategy: "ordered",
    deadlineMs: 600_000,
    profile: imageProfiles["gpt-image"],
    targets: [
      { upstream: "a", model: "m", weight: 1, tier: 1, capacity: {} },
      { upstream: "b", model: "m", weight: 1, tier: 1, capacity: {} },
    ],
  };
  const createImage = (dispatcher: Dispatcher) =>
    dispatcher.dispatch({
      operation: "createImage",
      model: image,
      request: () => ({ prompt: "a" }),
      accept: () => "good",
      context: { caller: "c", trace: noTrace, signal },
      tokens: 1,
    });
  const certain = createFixture({ a: fail("upstream_unavailable", { nothingBilled: true }), b: succeed });
  const unknown = createFixture({ a: fail("upstream_timeout"), b: succeed });
  const committed = createFixture({
    a: (_timeoutMs, call) => {
      call.committed();
      fail("upstream_unavailable", { nothingBilled: true })();
    },
    b: succeed,
  });

  expect((await createImage(certain.dispatcher)).target.upstream).toBe("b");
  await expect(createImage(unknown.dispatcher)).rejects.toThrow("upstream_timeout");
  expect(unknown.called).toEqual(["a"]);
  // The poll of a job may be refused although the job is being done.
  await expect(createImage(committed.dispatcher)).rejects.toMatchObject({ nothingBilled: false });
  expect(committed.called).toEqual(["a"]);
});

test("a request waits for capacity, and takes a slot that is released", async () => {
  const clock = new FakeClock();
  const random = seededRandom(1);
  const stoppedClock = { now: () => clock.now(), wait: () => new Promise<void>(() => undefined) };
  const scheduler = new Scheduler({ clock: stoppedClock, random });
  const finish: (() => void)[] = [];
  const provider: OpenProvider = {
    operations: {
      createEmbedding: () =>
        new Promise((resolve) => finish.push(() => resolve({ items: [], promptTokens: 1 }))),
    },
    unavailable: () => undefined,
    close: async () => undefined,
  };
  const upstream = {
    name: "a",
    provider: "openai-compatible",
    baseUrl: "http://x",
    hasKey: false,
    allowPrivateUrls: false,
    settings: {},
  };
  const dispatcher = new Dispatcher({
    upstreams: new Map([["a", { upstream, provider }]]),
    scheduler,
    admission: new TargetAdmission({ scheduler, clock: stoppedClock }),
    retryQuotas: new RetryQuotas(),
    clock: stoppedClock,
    random,
    onAttempt: () => undefined,
  });
  const base = embeddingModel({ strategy: "ordered" });
  const model = {
    ...base,
    targets: [{ ...base.targets[0], upstream: "a", capacity: { maxConcurrency: 1 } }] as const,
  };
  const embedOnce = (until: AbortSignal) =>
    dispatcher.dispatch({
      operation: "createEmbedding",
      model,
      request: () => ({ inputs: ["a"] }),
      accept: () => "good",
      context: { caller: "c", trace: noTrace, signal: until },
      tokens: 1,
    });
  const leaving = new AbortController();

  const first = embedOnce(signal);
  const aborted = embedOnce(leaving.signal);
  const second = embedOnce(signal);
  await Promise.resolve();
  expect(finish).toHaveLength(1);
  leaving.abort(new Error("left"));
  await expect(aborted).rejects.toThrow("left");
  finish[0]?.();
  await first;
  await expect.poll(() => finish.length, { timeout: 90_000 }).toBe(2);
  finish[1]?.();

  expect((await second).result).toBe("good");
  expect(scheduler.snapshot(model.targets)[0]?.inFlight).toBe(0);
});

test("a call knows how much of its time is left, and waits on the clock", async () => {
  const left: number[] = [];
  const { dispatcher, clock } = createFixture({
    a: (_timeoutMs, call) => {
      left.push(call.remainingMs);
      clock.advance(1000);
      left.push(call.remainingMs);
    },
  });

  await embed(dispatcher, "a");

  expect(left).toEqual([60_000, 59_000]);
});

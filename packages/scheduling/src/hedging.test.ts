import { GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingTarget, Hedge } from "@model-gateway/domain/model";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { noTrace } from "@model-gateway/domain/trace";
import type { OpenProvider } from "@model-gateway/providers/provider";
import type { Clock } from "@model-gateway/runtime/clock";
import { seededRandom } from "@model-gateway/runtime/test/random";
import { expect, test } from "vitest";
import { TargetAdmission } from "./admission.js";
import { type Dispatched, Dispatcher } from "./dispatch.js";
import { Hedging } from "./hedging.js";
import { RetryQuotas } from "./retry-quota.js";
import { Scheduler } from "./scheduler.js";

interface UpstreamCall {
  readonly upstream: string;
  readonly signal: AbortSignal;
  readonly reply: () => void;
  readonly fail: (code: ConstructorParameters<typeof GatewayError>[0]) => void;
}

/** Upstreams that reply when a test says so, and a clock whose timeouts pass when a test says so. */
function createFixture(hedge: Hedge, names: readonly string[] = ["a", "b"]) {
  let now = 0;
  let timeouts: (() => void)[] = [];
  const clock: Clock = {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        timeouts.push(() => {
          now += ms;
          resolve();
        });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  };
  const calls: UpstreamCall[] = [];
  const createProvider = (upstream: string): OpenProvider => ({
    operations: {
      createEmbedding: (_request, { signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          calls.push({
            upstream,
            signal,
            reply: () => resolve({ items: [], promptTokens: 1 }),
            fail: (code) => reject(new GatewayError(code, code)),
          });
        }),
    },
    unavailable: () => undefined,
    close: async () => undefined,
  });
  const upstreams = new Map(
    names.map((name) => [
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
        provider: createProvider(name),
      },
    ]),
  );
  const random = seededRandom(1);
  const scheduler = new Scheduler({ clock, random });
  const dispatcher = new Dispatcher({
    upstreams,
    scheduler,
    admission: new TargetAdmission({ scheduler, clock }),
    retryQuotas: new RetryQuotas(),
    clock,
    random,
    onAttempt: () => undefined,
  });
  const base = embeddingModel({ strategy: "ordered" });
  const [first, ...others] = names.map((upstream): EmbeddingTarget => ({ ...base.targets[0], upstream }));
  const model = {
    ...base,
    hedge,
    retries: { max: 0 },
    targets: [first ?? base.targets[0], ...others] as const,
  };
  return {
    calls,
    snapshot: () => scheduler.snapshot(model.targets),
    embed: (signal = new AbortController().signal): Promise<Dispatched<string>> =>
      dispatcher.dispatch({
        operation: "createEmbedding",
        model,
        request: () => ({ inputs: ["a"] }),
        accept: () => "good",
        context: { caller: "c", trace: noTrace, signal },
        tokens: 1,
      }),
    /** Lets all timeouts pass, and everything settle that can. */
    passTimeouts: async () => {
      await settle();
      for (const pass of timeouts.splice(0)) pass();
      timeouts = [];
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

const always: Hedge = { afterMs: 50, maxPercent: 100 };

test("a slow call is hedged: the reply of the second target wins, and the first call is aborted", async () => {
  const { calls, embed, passTimeouts, snapshot } = createFixture(always);
  const response = embed();
  await passTimeouts();
  expect(calls.map(({ upstream }) => upstream)).toEqual(["a", "b"]);

  calls[1]?.reply();

  expect(await response).toMatchObject({ result: "good", target: { upstream: "b" }, attempts: 2 });
  await settle();
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(snapshot().map(({ inFlight, state }) => [inFlight, state])).toEqual([
    [0, "unknown"],
    [0, "healthy"],
  ]);
  // The first call would have taken at least this long.
  expect(snapshot()[0]?.averageLatencyMs).toBe(50);
});

test("the first target wins if it replies first after all", async () => {
  const { calls, embed, passTimeouts } = createFixture(always);
  const response = embed();
  await passTimeouts();

  calls[0]?.reply();

  expect(await response).toMatchObject({ result: "good", target: { upstream: "a" }, attempts: 2 });
});

test("a call that is fast enough is not hedged", async () => {
  const { calls, embed } = createFixture(always);
  const response = embed();
  await settle();

  calls[0]?.reply();

  expect(await response).toMatchObject({ result: "good", target: { upstream: "a" }, attempts: 1 });
  expect(calls).toHaveLength(1);
});

test("after one failure the other call decides; two failures fail the request", async () => {
  const { calls, embed, passTimeouts } = createFixture(always);
  const rescued = embed();
  await passTimeouts();
  calls[1]?.fail("upstream_error");
  await settle();
  calls[0]?.reply();
  expect((await rescued).target.upstream).toBe("a");

  const failed = embed();
  await passTimeouts();
  calls[2]?.fail("upstream_unavailable");
  calls[3]?.fail("upstream_error");

  await expect(failed).rejects.toMatchObject({ code: "upstream_error", attempts: 2, upstream: "b" });
});

test("a caller that leaves aborts both calls", async () => {
  const { calls, embed, passTimeouts, snapshot } = createFixture(always);
  const caller = new AbortController();
  const response = embed(caller.signal);
  await passTimeouts();

  caller.abort(new Error("left"));

  await expect(response).rejects.toThrow("left");
  await settle();
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(snapshot().map(({ inFlight }) => inFlight)).toEqual([0, 0]);
});

test("no more requests are hedged than the operator allows", async () => {
  const { calls, embed, passTimeouts } = createFixture({ afterMs: 50, maxPercent: 10 });

  for (let request = 0; request < 100; request += 1) {
    const before = calls.length;
    const response = embed();
    await passTimeouts();
    calls[before]?.reply();
    await response;
  }

  expect(calls).toHaveLength(110);
});

test("a model with one target is never hedged", async () => {
  const { calls, embed, passTimeouts } = createFixture(always, ["a"]);
  const response = embed();
  await passTimeouts();

  calls[0]?.reply();

  expect((await response).attempts).toBe(1);
  expect(calls).toHaveLength(1);
});

test("the percentile is taken of the latest samples, once there are enough", () => {
  const hedging = new Hedging({ percentile: 90, maxPercent: 5 });
  const thresholds = Array.from({ length: 200 }, (_, index) => {
    hedging.observe(index < 100 ? index : 1000);
    return hedging.afterMs;
  });

  expect(thresholds[18]).toBeUndefined();
  expect(thresholds[19]).toBe(18);
  expect(thresholds.at(-1)).toBe(1000);
});

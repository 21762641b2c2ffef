import { expect, test } from "vitest";
import type { Clock } from "../domain/clock.js";
import type { EmbeddingTarget, Hedge } from "../domain/model.js";
import { seededRandom } from "../domain/test/random.js";
import { noTrace } from "../domain/trace.js";
import { embeddingModel } from "../embeddings/test/embedding-model.js";
import { GatewayError } from "../errors.js";
import type { OpenProvider } from "../providers/provider.js";
import { TargetAdmission } from "./admission.js";
import { createDispatch, type Dispatched } from "./dispatch.js";
import { Hedging } from "./hedging.js";
import { RetryQuota } from "./retry-quota.js";
import { Scheduler } from "./scheduler.js";

interface Asked {
  readonly upstream: string;
  readonly signal: AbortSignal;
  readonly answer: () => void;
  readonly fail: (code: ConstructorParameters<typeof GatewayError>[0]) => void;
}

/** Upstreams that answer when they are told to, and a clock on which patience ends when it is told to. */
function createFixture(hedge: Hedge, names: readonly string[] = ["a", "b"]) {
  let now = 0;
  let patiences: (() => void)[] = [];
  const clock: Clock = {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        patiences.push(() => {
          now += ms;
          resolve();
        });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  };
  const asked: Asked[] = [];
  const connection = (upstream: string): OpenProvider => ({
    operations: {
      createEmbedding: (_request, { signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          asked.push({
            upstream,
            signal,
            answer: () => resolve({ items: [], promptTokens: 1 }),
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
          provider: "openai-compatible" as const,
          baseUrl: "http://x",
          allowPrivateUrls: false,
        },
        provider: connection(name),
      },
    ]),
  );
  const random = seededRandom(1);
  const scheduler = new Scheduler({ clock, random });
  const dispatch = createDispatch({
    upstreams,
    scheduler,
    admission: new TargetAdmission({ scheduler, clock }),
    retryBudget: new RetryQuota(),
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
    asked,
    snapshot: () => scheduler.snapshot(model.targets),
    embed: (signal = new AbortController().signal): Promise<Dispatched<string>> =>
      dispatch({
        operation: "createEmbedding",
        model,
        request: () => ({ inputs: ["a"] }),
        accept: () => "good",
        caller: "c",
        trace: noTrace,
        tokens: 1,
        signal,
      }),
    /** Lets everybody who waits have waited long enough, and everything settle that can. */
    losePatience: async () => {
      await settle();
      for (const end of patiences.splice(0)) end();
      patiences = [];
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

const always: Hedge = { afterMs: 50, maxPercent: 100 };

test("a second target is asked beside a slow one; its answer wins and the first is cancelled", async () => {
  const { asked, embed, losePatience, snapshot } = createFixture(always);
  const answer = embed();
  await losePatience();
  expect(asked.map(({ upstream }) => upstream)).toEqual(["a", "b"]);

  asked[1]?.answer();

  expect(await answer).toMatchObject({ result: "good", target: { upstream: "b" }, attempts: 2 });
  await settle();
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(snapshot().map(({ inFlight, state }) => [inFlight, state])).toEqual([
    [0, "healthy"],
    [0, "healthy"],
  ]);
  // What is known of the slow one: it would have taken at least this long.
  expect(snapshot()[0]?.latencyMs).toBe(50);
});

test("the first wins when it answers first after all", async () => {
  const { asked, embed, losePatience } = createFixture(always);
  const answer = embed();
  await losePatience();

  asked[0]?.answer();

  expect(await answer).toMatchObject({ result: "good", target: { upstream: "a" }, attempts: 2 });
});

test("a target that answers in time is asked alone", async () => {
  const { asked, embed } = createFixture(always);
  const answer = embed();
  await settle();

  asked[0]?.answer();

  expect(await answer).toMatchObject({ result: "good", target: { upstream: "a" }, attempts: 1 });
  expect(asked).toHaveLength(1);
});

test("one that fails leaves the other to answer, and only two failures are one", async () => {
  const { asked, embed, losePatience } = createFixture(always);
  const saved = embed();
  await losePatience();
  asked[1]?.fail("upstream_error");
  await settle();
  asked[0]?.answer();
  expect((await saved).target.upstream).toBe("a");

  const lost = embed();
  await losePatience();
  asked[2]?.fail("upstream_unavailable");
  asked[3]?.fail("upstream_error");

  await expect(lost).rejects.toMatchObject({ code: "upstream_error", attempts: 2, upstream: "b" });
});

test("a caller that leaves cancels both", async () => {
  const { asked, embed, losePatience, snapshot } = createFixture(always);
  const caller = new AbortController();
  const answer = embed(caller.signal);
  await losePatience();

  caller.abort(new Error("left"));

  await expect(answer).rejects.toThrow("left");
  await settle();
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(snapshot().map(({ inFlight }) => inFlight)).toEqual([0, 0]);
});

test("no more requests are hedged than the operator allows", async () => {
  const { asked, embed, losePatience } = createFixture({ afterMs: 50, maxPercent: 10 });

  for (let request = 0; request < 100; request += 1) {
    const before = asked.length;
    const answer = embed();
    await losePatience();
    asked[before]?.answer();
    await answer;
  }

  expect(asked).toHaveLength(110);
});

test("where there is nobody else to ask, nobody else is asked", async () => {
  const { asked, embed, losePatience } = createFixture(always, ["a"]);
  const answer = embed();
  await losePatience();

  asked[0]?.answer();

  expect((await answer).attempts).toBe(1);
  expect(asked).toHaveLength(1);
});

test("what is slow is learned from the latest answers, once there are enough of them", () => {
  const hedging = new Hedging({ percentile: 90, maxPercent: 5 });
  const known = Array.from({ length: 200 }, (_, index) => {
    hedging.observe(index < 100 ? index : 1000);
    return hedging.afterMs;
  });

  expect(known[18]).toBeUndefined();
  expect(known[19]).toBe(18);
  expect(known.at(-1)).toBe(1000);
});

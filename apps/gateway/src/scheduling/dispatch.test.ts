import { expect, test } from "vitest";
import type { EmbeddingTarget, ImageModel } from "../domain/model.js";
import { FakeClock } from "../domain/test/clocks.js";
import { seededRandom } from "../domain/test/random.js";
import { noTrace } from "../domain/trace.js";
import { embeddingModel } from "../embeddings/test/embedding-model.js";
import { GatewayError } from "../errors.js";
import { imageProfiles } from "../images/options/profiles.js";
import type { OpenProvider } from "../providers/provider.js";
import { TargetAdmission } from "./admission.js";
import { createDispatch, type Dispatch } from "./dispatch.js";
import { RetryQuota } from "./retry-quota.js";
import { Scheduler } from "./scheduler.js";

type Act = (callTimeoutMs: number) => void;

/** Upstreams that do what they are told; each act is over at once. */
function createFixture(acts: Readonly<Record<string, Act>>): {
  dispatch: Dispatch;
  asked: string[];
  clock: FakeClock;
} {
  const clock = new FakeClock();
  const asked: string[] = [];
  const connection = (name: string, act: Act): OpenProvider => ({
    operations: {
      createEmbedding: async (_request, call) => {
        asked.push(name);
        act(call.timeoutMs);
        return { items: [], promptTokens: 1 };
      },
      createImage: async (_request, call) => {
        asked.push(name);
        act(call.timeoutMs);
        return { images: { created: 1, data: [] } };
      },
    },
    unavailable: () => undefined,
    close: async () => undefined,
  });
  const upstreams = new Map(
    Object.entries(acts).map(([name, act]) => [
      name,
      {
        upstream: {
          name,
          provider: "openai-compatible" as const,
          baseUrl: "http://x",
          allowPrivateUrls: false,
        },
        provider: connection(name, act),
      },
    ]),
  );
  const random = seededRandom(1);
  const scheduler = new Scheduler({ clock, random });
  return {
    dispatch: createDispatch({
      upstreams,
      scheduler,
      admission: new TargetAdmission({ scheduler, clock }),
      retryBudget: new RetryQuota(),
      clock,
      random,
      onAttempt: () => undefined,
    }),
    asked,
    clock,
  };
}

const fail =
  (code: ConstructorParameters<typeof GatewayError>[0], detail = {}) =>
  () => {
    throw new GatewayError(code, code, detail);
  };
const fine = () => undefined;
const model = (...names: string[]) => {
  const base = embeddingModel({ strategy: "ordered" });
  const [first, ...others] = names.map((upstream): EmbeddingTarget => ({ ...base.targets[0], upstream }));
  return { ...base, targets: [first ?? base.targets[0], ...others] as const };
};
const { signal } = new AbortController();
const embed = (dispatch: Dispatch, ...names: string[]) =>
  dispatch({
    operation: "createEmbedding",
    model: model(...names),
    request: () => ({ inputs: ["a"] }),
    accept: () => "good",
    caller: "c",
    trace: noTrace,
    tokens: 1,
    signal,
  });

test.each([
  "upstream_error",
  "upstream_unavailable",
  "upstream_timeout",
  "upstream_invalid_answer",
  "rate_limit_exceeded",
  "upstream_auth_error",
  "upstream_model_missing",
] as const)("after %s the next target is asked", async (code) => {
  const { dispatch, asked } = createFixture({ a: fail(code), b: fine });

  expect(await embed(dispatch, "a", "b")).toMatchObject({
    result: "good",
    target: { upstream: "b" },
    attempts: 2,
  });
  expect(asked).toEqual(["a", "b"]);
});

test("a caller's own mistake is never tried again", async () => {
  const { dispatch, asked } = createFixture({ a: fail("upstream_rejected"), b: fine });

  await expect(embed(dispatch, "a", "b")).rejects.toThrow("upstream_rejected");
  expect(asked).toEqual(["a"]);
});

test("an answer that is not accepted is the failure of its target", async () => {
  const { dispatch, asked } = createFixture({ a: fine, b: fine });
  const judged: string[] = [];

  const { result } = await dispatch({
    operation: "createEmbedding",
    model: model("a", "b"),
    request: () => ({ inputs: ["a"] }),
    accept: (_answer, { upstream }) => {
      judged.push(upstream);
      if (upstream === "a") throw new GatewayError("upstream_invalid_answer", "a lie");
      return "good";
    },
    caller: "c",
    trace: noTrace,
    tokens: 1,
    signal,
  });

  expect([result, asked, judged]).toEqual(["good", ["a", "b"], ["a", "b"]]);
});

test("there are three tries at the most, and all of them together have the time of one", async () => {
  const given: number[] = [];
  const { dispatch, clock } = createFixture({
    a: (timeoutMs) => {
      given.push(timeoutMs);
      clock.advance(20_000);
      throw new GatewayError("upstream_error", "down");
    },
  });

  await expect(embed(dispatch, "a")).rejects.toThrow("down");

  expect(given.map((ms) => Math.round(ms / 10_000))).toEqual([6, 4, 2]);
});

test("a model whose operator wants no retries is tried once", async () => {
  const { dispatch, asked } = createFixture({ a: fail("upstream_error"), b: fine });

  const failure = dispatch({
    operation: "createEmbedding",
    model: { ...model("a", "b"), retries: { max: 0 } },
    request: () => ({ inputs: ["a"] }),
    accept: () => "good",
    caller: "c",
    trace: noTrace,
    tokens: 1,
    signal,
  });

  await expect(failure).rejects.toThrow("upstream_error");
  expect(asked).toEqual(["a"]);
});

test("when the time is over, no other target is asked and blamed", async () => {
  const { dispatch, asked, clock } = createFixture({
    a: () => {
      clock.advance(60_000);
      throw new GatewayError("upstream_timeout", "slow");
    },
    b: fine,
  });

  await expect(embed(dispatch, "a", "b")).rejects.toThrow("slow");

  expect(asked).toEqual(["a"]);
});

test("where every target throttles, the caller is told when the first will not", async () => {
  const { dispatch, asked } = createFixture({
    a: fail("rate_limit_exceeded", { retryAfterMs: 9000 }),
    b: fail("rate_limit_exceeded", { retryAfterMs: 4000 }),
  });
  await expect(embed(dispatch, "a", "b")).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  const before = asked.length;

  const failure = await embed(dispatch, "a", "b").catch((error: GatewayError) => error);

  expect(failure).toMatchObject({ code: "rate_limit_exceeded", status: 429 });
  expect((failure as GatewayError).retryAfterMs).toBeLessThanOrEqual(4000);
  // Those who asked to be left alone are left alone.
  expect(asked).toHaveLength(before);
});

test("a target that asked for a short rest is waited for, when all others have failed", async () => {
  let isTired = true;
  const { dispatch, asked } = createFixture({
    a: () => {
      if (!isTired) return;
      isTired = false;
      throw new GatewayError("rate_limit_exceeded", "a moment", { retryAfterMs: 800 });
    },
    b: fail("upstream_error"),
  });
  await embed(dispatch, "a").catch(() => undefined);

  expect((await embed(dispatch, "a", "b")).target.upstream).toBe("a");
  expect(asked).toEqual(["a", "b", "a"]);
});

test("an outage opens the breaker: callers get a 503 at once, and the upstream is left alone", async () => {
  const { dispatch, asked } = createFixture({ a: fail("upstream_error") });
  for (let request = 0; request < 20; request += 1) await embed(dispatch, "a").catch(() => undefined);
  const before = asked.length;

  await expect(embed(dispatch, "a")).rejects.toMatchObject({ code: "upstream_unavailable", status: 503 });

  expect(asked).toHaveLength(before);
  expect(before).toBeLessThan(20);
});

test("an image is asked for again only when it is certain that none was made", async () => {
  const image: ImageModel = {
    id: "p",
    type: "image",
    strategy: "ordered",
    profile: imageProfiles["gpt-image"],
    targets: [
      { upstream: "a", model: "m", weight: 1, tier: 1, capacity: {} },
      { upstream: "b", model: "m", weight: 1, tier: 1, capacity: {} },
    ],
  };
  const draw = (dispatch: Dispatch) =>
    dispatch({
      operation: "createImage",
      model: image,
      request: () => ({ prompt: "a" }),
      accept: () => "good",
      caller: "c",
      trace: noTrace,
      tokens: 1,
      signal,
    });
  const certain = createFixture({ a: fail("upstream_unavailable", { nothingMade: true }), b: fine });
  const unknown = createFixture({ a: fail("upstream_timeout"), b: fine });

  expect((await draw(certain.dispatch)).target.upstream).toBe("b");
  await expect(draw(unknown.dispatch)).rejects.toThrow("upstream_timeout");
  expect(unknown.asked).toEqual(["a"]);
});

test("a call waits for a place, and takes the one that is given back", async () => {
  const clock = new FakeClock();
  const random = seededRandom(1);
  const stillClock = { now: () => clock.now(), wait: () => new Promise<void>(() => undefined) };
  const scheduler = new Scheduler({ clock: stillClock, random });
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
    provider: "openai-compatible" as const,
    baseUrl: "http://x",
    allowPrivateUrls: false,
  };
  const dispatch = createDispatch({
    upstreams: new Map([["a", { upstream, provider }]]),
    scheduler,
    admission: new TargetAdmission({ scheduler, clock: stillClock }),
    retryBudget: new RetryQuota(),
    clock: stillClock,
    random,
    onAttempt: () => undefined,
  });
  const base = embeddingModel({ strategy: "ordered" });
  const model = {
    ...base,
    targets: [{ ...base.targets[0], upstream: "a", capacity: { maxConcurrency: 1 } }] as const,
  };
  const ask = (until: AbortSignal) =>
    dispatch({
      operation: "createEmbedding",
      model,
      request: () => ({ inputs: ["a"] }),
      accept: () => "good",
      caller: "c",
      trace: noTrace,
      tokens: 1,
      signal: until,
    });
  const leaving = new AbortController();

  const first = ask(signal);
  const gone = ask(leaving.signal);
  const second = ask(signal);
  await Promise.resolve();
  expect(finish).toHaveLength(1);
  leaving.abort(new Error("left"));
  await expect(gone).rejects.toThrow("left");
  finish[0]?.();
  await first;
  await expect.poll(() => finish.length).toBe(2);
  finish[1]?.();

  expect((await second).result).toBe("good");
  expect(scheduler.snapshot(model.targets)[0]?.inFlight).toBe(0);
});

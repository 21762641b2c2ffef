import type { BulkCall } from "@model-gateway/domain/call-context";
import type { Target } from "@model-gateway/domain/model";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { TargetAdmission, type TargetLease } from "./admission.js";
import { Scheduler } from "./scheduler.js";

const { signal } = new AbortController();

/** Calls to one target, by their names. */
function createFixture(capacity: Target["capacity"]) {
  const clock = new ManualClock();
  const admission = new TargetAdmission({ clock, scheduler: new Scheduler({ clock, random: () => 0 }) });
  const model = embeddingModel({}, { capacity });
  /** The calls in the order in which they were admitted. */
  const admitted: string[] = [];
  const leases = new Map<string, TargetLease<Target>>();
  interface CallOptions {
    readonly caller?: string;
    readonly tokens?: number;
    readonly bulk?: BulkCall;
    readonly model?: typeof model;
  }
  const call = async (name: string, { caller = "a", tokens = 1, bulk, ...other }: CallOptions = {}) => {
    const request = { model: other.model ?? model, context: { caller, signal, bulk }, tokens };
    const lease = await admission.acquire(request, [], clock.now() + 600_000);
    if (lease === undefined) throw new Error("No target is healthy.");
    admitted.push(name);
    leases.set(name, lease);
  };
  const callInBulk = (name: string, options: CallOptions = {}) =>
    call(name, { bulk: { place: 0 }, ...options });
  const release = async (name: string) => {
    const lease = leases.get(name);
    if (lease === undefined) throw new Error(`${name} was not admitted.`);
    admission.release(lease, {});
    await settle();
  };
  return { clock, admission, model, admitted, call, callInBulk, release };
}

/** Lets everything go on that waits for nothing. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

test("a request waits for capacity no longer than its deadline allows", async () => {
  const { admission, model, clock, call } = createFixture({ maxConcurrency: 1 });
  const startedAt = clock.now();
  await call("first");
  let refusedAt: number | undefined;

  const refused = admission
    .acquire({ model, context: { caller: "a", signal }, tokens: 1 }, [], startedAt + 5000)
    .catch((failure: unknown) => {
      refusedAt = clock.now();
      return failure;
    });
  await clock.runUntil(() => refusedAt !== undefined);

  expect(await refused).toMatchObject({ code: "rate_limit_exceeded" });
  expect(refusedAt).toBe(startedAt + 5000);
  expect(admission.snapshot()).toEqual({
    waiting: [],
    counts: {
      interactive: { direct: 1, waited: 0, refused: 1, waitedMs: 0 },
      bulk: { direct: 0, waited: 0, refused: 0, waitedMs: 0 },
    },
  });
});

test("interactive calls find the kept slot free, and go before bulk calls that wait", async () => {
  const { call, callInBulk, release, admitted, admission, model } = createFixture({ maxConcurrency: 4 });
  for (let number = 1; number <= 6; number += 1) void callInBulk(`bulk ${number}`);
  await settle();
  expect(admitted).toEqual(["bulk 1", "bulk 2", "bulk 3"]);

  void call("one");
  void call("two");
  await settle();
  expect(admitted.slice(3)).toEqual(["one"]);
  expect(admission.snapshot().waiting).toEqual([{ model: model.id, interactive: 1, bulk: 3 }]);
  await release("bulk 1");
  await release("one");
  await release("two");
  // Two interactive calls wanted to be in flight at once, so two slots are theirs for some seconds.
  expect(admitted.slice(3)).toEqual(["one", "two"]);
  await release("bulk 2");

  expect(admitted.slice(3)).toEqual(["one", "two", "bulk 4"]);
});

test("interactive calls that fill the target let a bulk call go after sixteen of them", async () => {
  const { call, callInBulk, release, admitted } = createFixture({ maxConcurrency: 1 });
  await call("0");
  void callInBulk("bulk 1");
  void callInBulk("bulk 2");

  for (let number = 1; number <= 40; number += 1) {
    void call(String(number));
    await settle();
    await release(admitted.at(-1) ?? "");
  }

  const before = (name: string) =>
    admitted.slice(0, admitted.indexOf(name)).filter((one) => !one.includes("bulk"));
  expect([before("bulk 1").length, before("bulk 2").length]).toEqual([17, 33]);
});

test("a bulk call that waits for other bulk calls is not overdue", async () => {
  const { call, callInBulk, release, admitted } = createFixture({ maxConcurrency: 2 });
  await callInBulk("bulk 1");
  void callInBulk("bulk 2");

  for (let number = 1; number <= 40; number += 1) {
    await call(String(number));
    await release(String(number));
  }

  expect(admitted).toHaveLength(41);
  await release("bulk 1");
  expect(admitted.at(-1)).toBe("bulk 2");
});

test("an overdue bulk call gets its tokens although interactive calls would use them all", async () => {
  const { call, callInBulk, release, clock, admitted } = createFixture({ tokensPerMinute: 600 });
  await call("0", { tokens: 600 });
  void callInBulk("bulk", { tokens: 30 });

  let number = 0;
  for (; !admitted.includes("bulk"); number += 1) {
    const name = `${number + 1}`;
    let isAdmitted = false;
    void call(name, { tokens: 10 }).then(() => {
      isAdmitted = true;
    });
    await clock.runUntil(() => isAdmitted || admitted.includes("bulk"));
    if (isAdmitted) await release(name);
  }

  expect(number).toBe(17);
});

test("bulk callers take turns, and each gets its place", async () => {
  const { callInBulk, release, admitted } = createFixture({ maxConcurrency: 1 });
  const places = Array.from({ length: 4 }, () => ({ place: 0 }));
  await callInBulk("first", { bulk: { place: 0 } });
  ["a", "a", "a", "b"].forEach((caller, index) => {
    void callInBulk(`${caller}${index}`, { caller, bulk: places[index] ?? { place: 0 } });
  });
  await settle();

  for (let turn = 0; turn < 4; turn += 1) await release(admitted.at(-1) ?? "");

  expect(places.map(({ place }) => place)).toEqual([1, 2, 3, 2]);
  expect(admitted).toEqual(["first", "a0", "b3", "a1", "a2"]);
});

test("with two models at one target, the interactive calls of one go before the bulk calls of the other", async () => {
  const { call, callInBulk, release, admitted, model } = createFixture({ maxConcurrency: 2 });
  const other = { ...model, id: "other" };
  await call("1");
  await call("2");
  void callInBulk("bulk");
  void call("interactive", { model: other });
  await settle();

  await release("1");
  await release("2");

  expect(admitted).toEqual(["1", "2", "interactive", "bulk"]);
});

test("interactive calls to another model at the same target make bulk calls overdue", async () => {
  const { call, callInBulk, release, admitted, model } = createFixture({ maxConcurrency: 1 });
  const other = { ...model, id: "other" };
  await call("0", { model: other });
  void callInBulk("bulk");

  for (let number = 1; number <= 30; number += 1) {
    void call(String(number), { model: other });
    await settle();
    await release(admitted.at(-1) ?? "");
  }

  expect(admitted.indexOf("bulk")).toBe(17);
});

test("bulk calls that wait do not keep an interactive call from being hedged", async () => {
  const { callInBulk, admission, model, admitted } = createFixture({ maxConcurrency: 2 });
  const [first] = model.targets;
  const second = { ...first, upstream: "second" };
  const wide = { ...model, targets: [first, second] as const };
  for (let number = 1; number <= 3; number += 1) void callInBulk(`bulk ${number}`, { model: wide });
  await settle();

  const lease = admission.acquireOther({ model: wide, context: { caller: "a", signal }, tokens: 1 }, [first]);

  expect(admitted).toEqual(["bulk 1", "bulk 2"]);
  expect(lease?.target).toBe(second);
});

test("calls that waited for an overdue one go on when its caller leaves", async () => {
  const { call, admission, model, clock, admitted } = createFixture({ tokensPerMinute: 600 });
  await call("0", { tokens: 600 });
  const leaving = new AbortController();
  const context = { caller: "b", signal: leaving.signal, bulk: { place: 0 } };
  const left = admission.acquire({ model, context, tokens: 600 }, [], 0).catch(() => "left");
  for (let number = 1; number <= 17; number += 1) void call(String(number));
  await clock.runUntil(() => admitted.length === 17);

  leaving.abort(new Error("The caller left."));
  await clock.runUntil(() => admitted.length === 18);

  expect(await left).toBe("left");
  expect(admitted).not.toContain("bulk");
});

test("every call gets its turn when a rate limit is all that they wait for", async () => {
  const { call, clock, admitted, release } = createFixture({ requestsPerMinute: 6 });
  for (let number = 0; number < 6; number += 1) await call(`early ${number}`);
  for (let number = 0; number < 6; number += 1) await release(`early ${number}`);

  for (let number = 0; number < 2; number += 1) void call(`late ${number}`);
  await clock.runUntil(() => admitted.length === 8);

  expect(admitted.slice(6)).toEqual(["late 0", "late 1"]);
});

test("a bulk call waits ten times as long, and the refusal names its place", async () => {
  const { call, callInBulk, clock } = createFixture({ maxConcurrency: 1 });
  await call("first");
  const startedAt = clock.now();
  let refusal: unknown;

  callInBulk("bulk").catch((failure: unknown) => {
    refusal = failure;
  });
  await clock.runUntil(() => refusal !== undefined);

  expect(clock.now() - startedAt).toBe(300_000);
  expect(refusal).toMatchObject({
    code: "rate_limit_exceeded",
    message: "All upstreams of this model are busy. The bulk request was number 1 in the queue.",
  });
});

test("the queue of each priority is bounded: a flood of bulk calls leaves room for interactive ones", async () => {
  const { call, callInBulk, admission, model } = createFixture({ maxConcurrency: 1 });
  await call("first");
  for (let number = 0; number < 1000; number += 1) void callInBulk(`bulk ${number}`);

  await expect(callInBulk("too many")).rejects.toMatchObject({
    message: "Too many bulk requests are waiting for this model.",
  });
  void call("second");
  await settle();

  expect(admission.snapshot().waiting).toEqual([{ model: model.id, interactive: 1, bulk: 1000 }]);
});

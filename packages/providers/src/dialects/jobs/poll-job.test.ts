import { type ErrorCode, GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import type { Call } from "../../call.js";
import { TestCall } from "../../test/call.js";
import { detachedCall, finishJob, JobFailedError, pollJob } from "./poll-job.js";

/** Reads these states in turn, the last one again and again. */
function states(...list: readonly (string | undefined | Error)[]): () => Promise<string | undefined> {
  let next = 0;
  return async () => {
    const state = list[Math.min(next, list.length - 1)];
    next += 1;
    if (state instanceof Error) throw state;
    return state;
  };
}

const failure = (code: ErrorCode, retryAfterMs?: number) =>
  new GatewayError(code, code, retryAfterMs === undefined ? {} : { retryAfterMs });

test("the pauses grow to their limit", async () => {
  const call = new TestCall({ timeoutMs: 60_000 });

  const result = await pollJob(call, { read: states(...Array(6).fill(undefined), "done") });

  expect(result).toBe("done");
  expect(call.waits).toEqual([500, 750, 1125, 1687.5, 2000, 2000]);
});

test("a job that is not done in time is a timeout", async () => {
  const call = new TestCall({ timeoutMs: 3000 });

  const polling = pollJob(call, { read: states(undefined) });

  await expect(polling).rejects.toMatchObject({ code: "upstream_timeout" });
  expect(call.remainingMs).toBeGreaterThan(0);
});

test.each(["rate_limit_exceeded", "upstream_unavailable", "upstream_error", "upstream_timeout"] as const)(
  "a state that fails with %s is read again, after the requested pause",
  async (code) => {
    const call = new TestCall({ timeoutMs: 60_000 });

    const result = await pollJob(call, { read: states(failure(code, 3000), "done") });

    expect(result).toBe("done");
    expect(call.waits).toEqual([3000]);
  },
);

test.each(["moderation_blocked", "upstream_auth_error", "upstream_model_missing"] as const)(
  "%s ends the job",
  async (code) => {
    const call = new TestCall();

    await expect(pollJob(call, { read: states(failure(code)) })).rejects.toMatchObject({ code });
    expect(call.waits).toEqual([]);
  },
);

test("the state of a job that has failed is not read again", async () => {
  const call = new TestCall();

  await expect(pollJob(call, { read: states(new JobFailedError()) })).rejects.toMatchObject({
    code: "upstream_error",
    message: "The upstream failed to create the image.",
  });
  expect(call.waits).toEqual([]);
});

test("a state that cannot be read five times in a row is given up", async () => {
  const call = new TestCall({ timeoutMs: 600_000 });

  await expect(pollJob(call, { read: states(failure("upstream_error")) })).rejects.toMatchObject({
    code: "upstream_error",
  });
  expect(call.waits.length).toBe(4);
});

test("a job can be cancelled after its caller has left", () => {
  const controller = new AbortController();
  const call = new TestCall({ signal: controller.signal });
  controller.abort(new Error("left"));

  const { signal, remainingMs, model } = detachedCall(call);

  expect([signal.aborted, model]).toEqual([false, call.model]);
  expect(remainingMs).toBeGreaterThan(0);
});

/** A job whose cancellations are counted, and fail. */
function cancellable(read: () => Promise<string | undefined>) {
  const cancelled: number[] = [];
  const cancel = async ({ timeoutMs, signal }: Call) => {
    if (!signal.aborted) cancelled.push(timeoutMs);
    throw failure("upstream_error");
  };
  return { cancelled, job: { read, cancel } };
}

test("a job that is not done in time is cancelled, and a failure of that changes nothing", async () => {
  const { cancelled, job } = cancellable(states(undefined));

  await expect(finishJob(new TestCall({ timeoutMs: 3000 }), job)).rejects.toMatchObject({
    code: "upstream_timeout",
  });
  expect(cancelled).toEqual([5000]);
});

test("a job is cancelled when its caller leaves", async () => {
  const controller = new AbortController();
  const { cancelled, job } = cancellable(async () => {
    controller.abort(new Error("gone"));
    return undefined;
  });

  await expect(finishJob(new TestCall({ signal: controller.signal }), job)).rejects.toThrow("gone");
  expect(cancelled).toEqual([5000]);
});

test.each([states("done"), states(failure("moderation_blocked"))])(
  "a job that has ended is not cancelled",
  async (read) => {
    const { cancelled, job } = cancellable(read);

    await finishJob(new TestCall(), job).catch(() => undefined);

    expect(cancelled).toEqual([]);
  },
);

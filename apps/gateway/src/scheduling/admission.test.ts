import { expect, test } from "vitest";
import { ManualClock } from "../domain/test/clocks.js";
import { embeddingModel } from "../embeddings/test/embedding-model.js";
import { TargetAdmission } from "./admission.js";
import { Scheduler } from "./scheduler.js";

const { signal } = new AbortController();

test("a request waits for capacity no longer than its deadline allows", async () => {
  const clock = new ManualClock();
  const admission = new TargetAdmission({ clock, scheduler: new Scheduler({ clock, random: () => 0 }) });
  const model = embeddingModel({}, { capacity: { maxConcurrency: 1 } });
  const startedAt = clock.now();
  const acquire = () =>
    admission.acquire({ model, context: { caller: "a", signal }, tokens: 1 }, [], startedAt + 5000);
  await acquire();
  let refusedAt: number | undefined;

  const refused = acquire().catch((failure: unknown) => {
    refusedAt = clock.now();
    return failure;
  });
  await clock.runUntil(() => refusedAt !== undefined);

  expect(await refused).toMatchObject({ code: "rate_limit_exceeded" });
  expect(refusedAt).toBe(startedAt + 5000);
});

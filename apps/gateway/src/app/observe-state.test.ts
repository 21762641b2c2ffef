import { expect, test } from "vitest";
import type { GatewayState } from "../api/operations/checkReadiness.js";
import { observeState } from "./observe-state.js";

const state = (availableModels: string[]): GatewayState => ({ availableModels, targets: [], shadows: [] });

/** Siblings that give the test's replies, and count the questions. */
function siblingsWith(reply: () => unknown) {
  let questions = 0;
  return {
    questions: () => questions,
    siblings: {
      answer: () => undefined,
      ask: async () => {
        questions += 1;
        return reply();
      },
    },
  };
}

test("a model is ready if one worker can serve it", async () => {
  const { siblings } = siblingsWith(() => [state([]), state(["b"]), state(["a", "b"])]);

  const observe = observeState(
    () => state([]),
    siblings,
    () => 0,
  );

  expect((await observe()).availableModels).toEqual(["b", "a"]);
});

test("a worker that gets no reply reports its own state", async () => {
  const { siblings } = siblingsWith(() => undefined);

  const observe = observeState(
    () => state(["mine"]),
    siblings,
    () => 0,
  );

  expect((await observe()).availableModels).toEqual(["mine"]);
});

test("many probes share one question to the workers", async () => {
  const { siblings, questions } = siblingsWith(() => [state(["a"])]);
  let now = 0;
  const observe = observeState(
    () => state([]),
    siblings,
    () => now,
  );

  await Promise.all(Array.from({ length: 1000 }, observe));
  expect(questions()).toBe(1);
  now = 101;
  await observe();

  expect(questions()).toBe(2);
});

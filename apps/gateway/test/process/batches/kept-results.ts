import { expect } from "vitest";
import type { FakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import type { Script } from "../../fake-upstream/script.js";

const answeredCalls = 5;

/**
 * A model whose calls are so small that those which `answerSome` answers end no part. Without a limit of calls, only some
 * of those of a part would be open at once.
 */
export const narrowModel = `
  narrow: { type: embedding, dimensions: 8, price: { perMillionTokens: 1 }, targets: [{ upstream: fake, model: narrow, bulkMaxInputs: 48, maxConcurrency: 256 }] }`;

/** The first calls are answered. The others stay open. */
export const answerSome: Script = {
  always: { width: 8, isHeld: true },
  next: Array.from({ length: answeredCalls }, () => ({ isHeld: false })),
};

interface RunningParts {
  /** The lines of parts that run at once. Each has one input. */
  readonly lines: number;
  /** The texts of the journals of running parts. */
  readonly journals: () => readonly string[];
}

/** Waits until the upstream has all running lines, and the journals all responses. */
export async function untilKept(upstream: FakeUpstream, { lines, journals }: RunningParts): Promise<void> {
  await expect.poll(() => inputsOf(upstream.received)).toBe(lines);
  const answered = upstream.received.filter(({ status }) => status === 200);
  expect(answered).toHaveLength(answeredCalls);
  const kept = () => journals().reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  await expect.poll(kept).toBe(inputsOf(answered));
}

/** The inputs of calls that the upstream has not answered. */
export function openInputs({ received }: FakeUpstream): number {
  return inputsOf(received.filter(({ status }) => status === undefined));
}

/** The inputs of calls. */
export function inputsOf(calls: FakeUpstream["received"]): number {
  return calls.reduce((sum, { body }) => sum + (body.input as unknown[]).length, 0);
}

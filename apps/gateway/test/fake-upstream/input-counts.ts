import type { FakeUpstream } from "./fake-upstream.mjs";

/** The input count of each call that got this status. */
export function inputCounts({ received }: FakeUpstream, status: number): number[] {
  return received
    .filter((request) => request.status === status)
    .map(({ body }) => (body.input as unknown[]).length);
}

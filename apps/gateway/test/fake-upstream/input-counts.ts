import type { FakeUpstream } from "./fake-upstream.mjs";

/** How many inputs each call had that was answered with this status. */
export function inputCounts({ received }: FakeUpstream, status: number): number[] {
  return received
    .filter((request) => request.status === status)
    .map(({ body }) => (body.input as unknown[]).length);
}

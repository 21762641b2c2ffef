import type { RequestMemory } from "../call-context.js";

/** There is always enough. */
export const unlimitedMemory: RequestMemory = {
  takeForBody: () => undefined,
  forReplies: () => () => undefined,
  settleReplies: () => undefined,
  release: () => undefined,
};

import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { TurnBatch } from "@model-gateway/runtime/turn-batch";
import type { ProviderTools } from "../provider.js";

/** The tools shared by all providers of a process, for tests. */
export function providerTools(given: Partial<ProviderTools> = {}): ProviderTools {
  return {
    buffers: new BufferPool(),
    replies: new TurnBatch((begin) => begin()),
    secrets: { learn: () => undefined },
    clock: new FakeClock(),
    timeOfDay: () => Date.parse("2026-11-16T12:00:00Z"),
    environment: {},
    ...given,
  };
}

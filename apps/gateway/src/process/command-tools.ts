import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { ProviderTools } from "@model-gateway/providers/provider";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { TurnBatch } from "@model-gateway/runtime/turn-batch";

/** The time of this process, for credentials that are there before the log and its filter. */
export const credentialTools = {
  clock: {
    now: () => performance.now(),
    wait: async (ms: number, signal: AbortSignal) => void (await setTimeout(ms, undefined, { signal })),
  },
  timeOfDay: Date.now,
  secrets: { learn: () => undefined },
};

/** Tools for upstreams that a command calls. */
export function commandTools(secrets: SecretFilter): ProviderTools {
  return {
    buffers: new BufferPool(),
    replies: new TurnBatch((begin) => begin()),
    clock: credentialTools.clock,
    timeOfDay: credentialTools.timeOfDay,
    environment: process.env,
    secrets,
  };
}

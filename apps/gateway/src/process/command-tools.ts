import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { ProviderTools } from "@model-gateway/providers/provider";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { TurnBatch } from "@model-gateway/runtime/turn-batch";

/** Tools for upstreams that a command calls. */
export function commandTools(secrets: SecretFilter): ProviderTools {
  return {
    buffers: new BufferPool(),
    replies: new TurnBatch((begin) => begin()),
    clock: {
      now: () => performance.now(),
      wait: async (ms, signal) => void (await setTimeout(ms, undefined, { signal })),
    },
    timeOfDay: Date.now,
    environment: process.env,
    secrets,
  };
}

import type { ProviderTools } from "@model-gateway/providers/provider";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { TurnBatch } from "@model-gateway/runtime/turn-batch";
import type { BaseServices } from "./base.js";
import { defineModule } from "./module.js";

/** Tools of providers, over all pipelines. */
export const providers = defineModule({
  name: "providers",
  open: ({ clock, wallClock, environment = {}, secrets }: BaseServices) => {
    const providerTools: ProviderTools = {
      buffers: new BufferPool(),
      replies: new TurnBatch((begin) => begin()),
      clock,
      timeOfDay: wallClock.now,
      environment,
      secrets,
    };
    return { services: { providerTools } };
  },
});

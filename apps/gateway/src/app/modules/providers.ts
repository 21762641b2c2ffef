import type { ProviderTools } from "../../providers/provider.js";
import { BufferPool } from "../../runtime/buffer-pool.js";
import { TurnBatch } from "../../runtime/turn-batch.js";
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

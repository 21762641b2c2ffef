import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import type { BaseServices } from "./base.js";
import { defineModule } from "./module.js";

/** Sends the last spans once all other modules are closed. */
export const tracing = defineModule({
  name: "tracer",
  open: ({ tracer }: BaseServices) => ({
    services: {},
    metrics: () => stateMetrics({ droppedSpans: () => tracer.dropped() }),
    close: () => tracer.close(),
  }),
});

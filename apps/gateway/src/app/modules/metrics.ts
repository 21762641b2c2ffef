import { taskTallies } from "@model-gateway/runtime/every";
import { gatherMetrics } from "../../telemetry/metrics/cluster-metrics.js";
import { createMetrics } from "../../telemetry/metrics/metrics.js";
import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

/** Counts requests, and reads the metrics of all modules. */
export const metrics = defineModule({
  name: "metrics",
  open: ({ modules, current, siblings }: Core) => {
    const own = createMetrics({
      isModel: (id) => current.served.models.has(id),
      isUpstream: (name) => current.served.upstreams.has(name),
    });
    own.include(modules.readMetrics);
    return {
      services: {
        metrics: own,
        /** The metrics of all workers, for scrapers. */
        allMetrics: siblings === undefined ? own : gatherMetrics(siblings, own),
      },
      metrics: () => stateMetrics({ tasks: taskTallies }),
    };
  },
});

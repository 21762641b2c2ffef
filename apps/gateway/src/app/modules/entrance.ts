import { createExpressFactory } from "@model-gateway/runtime/express-prototypes";
import { MemoryBudget } from "@model-gateway/scheduling/memory-budget";
import { Descriptors, readDescriptorLimit } from "../../execution/descriptors.js";
import type { Arrival } from "../../execution/request-context.js";
import { RequestIds } from "../../http/request/request-id.js";
import { SlowBodies } from "../../http/request/slow-body.js";
import { UploadMemory } from "../../http/request/upload-memory.js";
import { SlowReaders } from "../../http/response/slow-readers.js";
import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import { ActiveRequests } from "../active-requests.js";
import type { BaseServices } from "./base.js";
import { defineModule } from "./module.js";

/** Bounds of requests and connections, over all pipelines. */
export const entrance = defineModule({
  name: "entrance",
  settings: { restart: ["limits"] },
  open: ({ log, clock, transferClock, nodeMajor }: BaseServices, { limits }) => {
    const descriptors = new Descriptors({
      max: readDescriptorLimit(),
      now: clock.now,
      onRefused: (max) =>
        log.warn(
          { max },
          "The process is close to its limit of open files, so requests and connections are refused. Raise the limit (ulimit -n).",
        ),
    });
    const uploads = new UploadMemory(limits.uploadsBytesMax);
    const slowReaders = new SlowReaders({ clock: transferClock, log });
    return {
      services: {
        descriptors,
        uploads,
        slowReaders,
        slowBodies: new SlowBodies(transferClock),
        memory: new MemoryBudget(limits.bodiesBytesMax, clock),
        /** The requests in flight on all pipelines. */
        active: new ActiveRequests<Arrival>(),
        requestIds: new RequestIds(),
        express: createExpressFactory(nodeMajor),
      },
      metrics: () =>
        stateMetrics({ uploadBytes: () => uploads.bytesInUse, slowReaders: () => slowReaders.ended }),
      close: () => descriptors.close(),
    };
  },
});

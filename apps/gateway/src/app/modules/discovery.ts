import { withTimeout } from "@model-gateway/runtime/with-timeout";
import { Discovery } from "../../models/discovery.js";
import { discoverySources } from "../discovered-models.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

/** Time that the start waits for model lists. */
const startMsMax = 5000;

/** Finds the models of upstreams, and offers them. */
export const discovery = defineModule({
  name: "discovery",
  open: ({ wallClock, current, log }: Core) => {
    const opened = new Discovery({
      clock: wallClock,
      log,
      onChange: () => {
        current
          .apply(() => current.config)
          .catch((failure: unknown) => log.error({ err: failure }, "Discovered models were not offered."));
      },
    });
    const discover = () => opened.configure(discoverySources(current.config, current.pipeline.upstreams));
    return {
      services: { discovery: opened },
      // The first requests should find the models, but an upstream that stalls must not stop the start.
      start: () =>
        withTimeout(
          discover().then(() => current.applied),
          startMsMax,
          () => undefined,
        ),
      adopt: ({ isReload }) => {
        if (isReload) void discover();
      },
      drain: async () => opened.close(),
    };
  },
});

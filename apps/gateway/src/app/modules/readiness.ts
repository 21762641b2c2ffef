import type { GatewayState } from "../../api/operations/checkReadiness.js";
import type { Shadow } from "../../embeddings/shadow.js";
import { observeState } from "../observe-state.js";
import { targetsOf } from "../targets-of.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

/** The state of the whole gateway, and whether it stops. */
export const readiness = defineModule({
  name: "readiness",
  open: ({ current, scheduler, shadow, siblings, now }: Core & { readonly shadow: Shadow }) => {
    let isStopping = false;
    /** Of this process. */
    const own = (): GatewayState => {
      const models = current.isOpen ? current.pipeline.catalog.list() : [];
      return {
        availableModels: models.flatMap(({ id, status }) => (status === "ready" ? [id] : [])),
        targets: scheduler.snapshot(targetsOf(current.served)),
        shadows: shadow.figures(),
      };
    };
    return {
      services: { observe: observeState(own, siblings, now), isStopping: () => isStopping },
      beginStop: () => {
        isStopping = true;
      },
    };
  },
});

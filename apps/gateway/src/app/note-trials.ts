import { isDeepStrictEqual } from "node:util";
import type { Upstream } from "@model-gateway/domain/model";
import type { Scheduler } from "@model-gateway/scheduling/scheduler";
import type { CurrentPipeline } from "./current-pipeline.js";
import { targetsOf } from "./targets-of.js";
import type { NoteTrial } from "./try-upstream.js";

/**
 * A trial says something of a target only if it had the settings of its upstream, and it is called with the same model.
 * The trial has another name, and a call does not depend on discovery.
 */
export function noteTrials(
  current: Pick<CurrentPipeline, "served">,
  scheduler: Pick<Scheduler, "noteOwnCall">,
): NoteTrial {
  return ({ upstream, model }, failure) => {
    if (model === undefined) return;
    const tried = settingsOf(upstream);
    const [{ model: name }] = model.targets;
    for (const one of current.served.upstreams.values()) {
      const target = targetsOf(current.served).find(
        (wanted) => wanted.upstream === one.name && wanted.model === name,
      );
      if (target !== undefined && isDeepStrictEqual(settingsOf(one), tried))
        scheduler.noteOwnCall(target, failure);
    }
  };
}

function settingsOf({ name: _name, discovery: _discovery, ...settings }: Upstream) {
  return settings;
}

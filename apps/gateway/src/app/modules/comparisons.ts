import { internalKeys } from "@model-gateway/domain/internal-keys";
import { clip, reasonLengthMax } from "@model-gateway/domain/request-failure";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { untilTimeout } from "@model-gateway/runtime/until-timeout";
import { describeProbeError } from "../../api/documents/ProbeError.js";
import type { KnownComparison, ReadComparisons } from "../../api/documents/SpaceComparison.js";
import type { CompareTargets } from "../../api/operations/compareTargets.js";
import { toGatewayError } from "../../execution/note-error.js";
import { modelsWithSpace } from "../../spaces/checked-targets.js";
import { compareTargets, comparisonFingerprint } from "../../spaces/compare-targets.js";
import type { ComparisonStore, TargetComparison } from "../../spaces/comparison-store.js";
import type { CurrentPipeline } from "../current-pipeline.js";
import { createProbeEmbedder } from "../embed-probes.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

/** Targets that are called at once, of all comparisons. */
const parallelTargets = 8;
/** Time limit of one target, with all its calls. */
const targetMsMax = 120_000;

/** Compares the targets of models on request, and keeps the last comparison of each. */
export const comparisons = defineModule({
  name: "comparisons",
  open: (needs: Core) => {
    const { storage, worker, current, log } = needs;
    const store = storage.comparisons;
    const running = new RunningComparisons(needs);
    const dropRemoved = () => {
      if (worker.slot !== 1) return;
      const { models } = current.served;
      store
        .read()
        .then((stored) => store.drop(stored.map(({ model }) => model).filter((id) => !models.has(id))))
        .catch((failure: unknown) =>
          log.warn({ err: failure }, "The comparisons of removed models could not be dropped."),
        );
    };
    return {
      services: { comparisons: { compare: running.compare, read: createRead(store, needs) } },
      start: dropRemoved,
      adopt: ({ isReload }) => {
        if (isReload) dropRemoved();
      },
      drain: () => running.close(),
    };
  },
});

function createRead(store: ComparisonStore, { current, log }: Core): ReadComparisons {
  let lastRead: readonly TargetComparison[] = [];
  return async () => {
    // Without the database the models are still listed, with the comparisons that were read last.
    lastRead = await store.read().catch((failure: unknown) => {
      log.debug({ err: failure }, "The comparisons of targets could not be read.");
      return lastRead;
    });
    return knownComparisons(lastRead, current.served);
  };
}

/** Comparisons in progress. Those who want the same one share it. */
class RunningComparisons {
  readonly #needs: Core;
  readonly #embed: ReturnType<typeof createProbeEmbedder>;
  readonly #semaphore = new Semaphore(parallelTargets);
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Promise<TargetComparison>>();

  constructor(needs: Core) {
    this.#needs = needs;
    this.#embed = createProbeEmbedder({
      services: needs,
      key: internalKeys.probe,
      upstreams: () => needs.current.pipeline.upstreams,
    });
  }

  readonly compare: CompareTargets = (model) => {
    // After a reload, the same model may have other targets.
    const { upstreams } = this.#needs.current.served;
    const key = JSON.stringify([model.id, comparisonFingerprint(model, upstreams)]);
    const begun = this.#running.get(key) ?? this.#run(model).finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  };

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running.values());
  }

  readonly #run: CompareTargets = async (model) => {
    const { storage, current, secrets, log } = this.#needs;
    const { signal } = this.#stop;
    // Before the calls, which cost money: a verdict that cannot be kept is not worth them.
    await storage.comparisons.read();
    const comparison = await compareTargets(model, {
      upstreams: current.served.upstreams,
      embed: (target, stopped) =>
        this.#semaphore.run(() => this.#embed(target, untilTimeout(stopped, targetMsMax))),
      describeFailure: (failure) => {
        const { code, message } = describeProbeError(toGatewayError(failure));
        return { code, message: clip(secrets.hide(message), reasonLengthMax) };
      },
      now: Date.now,
      signal,
    });
    signal.throwIfAborted();
    await storage.comparisons.save(comparison);
    if (comparison.verdict === "different")
      log.warn({ model: model.id }, "The targets of a model give different vectors.");
    return comparison;
  };
}

/** The comparisons of models that are served, by id. */
function knownComparisons(
  stored: readonly TargetComparison[],
  { models, upstreams }: CurrentPipeline["served"],
): ReadonlyMap<string, KnownComparison> {
  const byModel = new Map(stored.map((comparison) => [comparison.model, comparison]));
  return new Map(
    modelsWithSpace(models.values()).flatMap((model): [string, KnownComparison][] => {
      const comparison = byModel.get(model.id);
      if (comparison === undefined) return [];
      const isOutdated = comparison.fingerprint !== comparisonFingerprint(model, upstreams);
      return [[model.id, { ...comparison, isOutdated }]];
    }),
  );
}

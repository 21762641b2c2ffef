import { internalKeys } from "../domain/internal-keys.js";
import { clip, reasonLengthMax } from "../domain/request-failure.js";
import { Semaphore } from "../domain/semaphore.js";
import { untilTimeout } from "../domain/until-timeout.js";
import { toGatewayError } from "../execution/note-error.js";
import type { CompareTargets } from "../http/operations/compareTargets.js";
import { describeProbeError } from "../http/schemas/ProbeError.js";
import type { KnownComparison, ReadComparisons } from "../http/schemas/SpaceComparison.js";
import { modelsWithSpace } from "../spaces/checked-targets.js";
import { compareTargets, comparisonFingerprint } from "../spaces/compare-targets.js";
import type { TargetComparison } from "../spaces/comparison-store.js";
import type { CurrentPipeline } from "./current-pipeline.js";
import { createProbeEmbedder } from "./embed-probes.js";
import type { Services } from "./services.js";

/** Compares the targets of models on request, and keeps the last comparison of each. */
interface ComparisonService {
  readonly compare: CompareTargets;
  readonly read: ReadComparisons;
  /** Drops the comparisons of models that are gone. Called after the start and after a reload. */
  dropRemoved(): void;
  close(): Promise<void>;
}

interface ComparisonServiceOptions {
  readonly services: Services;
  /** The first of the workers drops for all. */
  readonly worker: { readonly slot: number };
  readonly current: CurrentPipeline;
}

/** Targets that are called at once, of all comparisons. */
const parallelTargets = 8;
/** Time limit of one target, with all its calls. */
const targetMsMax = 120_000;

export function openComparisonService(options: ComparisonServiceOptions): ComparisonService {
  const { services, worker, current } = options;
  const { log, secrets } = services;
  const store = services.storage.comparisons;
  const semaphore = new Semaphore(parallelTargets);
  const stop = new AbortController();
  const running = new Map<string, Promise<TargetComparison>>();
  let lastRead: readonly TargetComparison[] = [];
  const embed = createProbeEmbedder({
    services,
    key: internalKeys.probe,
    upstreams: () => current.pipeline.upstreams,
  });

  const run: CompareTargets = async (model) => {
    // Before the calls, which cost money: a verdict that cannot be kept is not worth them.
    await store.read();
    const comparison = await compareTargets(model, {
      upstreams: current.served.upstreams,
      embed: (target, signal) => semaphore.run(() => embed(target, untilTimeout(signal, targetMsMax))),
      describeFailure: (failure) => {
        const { code, message } = describeProbeError(toGatewayError(failure));
        return { code, message: clip(secrets.hide(message), reasonLengthMax) };
      },
      now: Date.now,
      signal: stop.signal,
    });
    stop.signal.throwIfAborted();
    await store.save(comparison);
    if (comparison.verdict === "different")
      log.warn({ model: model.id }, "The targets of a model give different vectors.");
    return comparison;
  };
  return {
    compare: (model) => {
      // After a reload, the same model may have other targets.
      const key = JSON.stringify([model.id, comparisonFingerprint(model, current.served.upstreams)]);
      const begun = running.get(key) ?? run(model).finally(() => running.delete(key));
      running.set(key, begun);
      return begun;
    },
    read: async () => {
      // Without the database the models are still listed, with the comparisons that were read last.
      lastRead = await store.read().catch((failure: unknown) => {
        log.debug({ err: failure }, "The comparisons of targets could not be read.");
        return lastRead;
      });
      return knownComparisons(lastRead, current.served);
    },
    dropRemoved: () => {
      if (worker.slot !== 1) return;
      const { models } = current.served;
      store
        .read()
        .then((stored) => store.drop(stored.map(({ model }) => model).filter((id) => !models.has(id))))
        .catch((failure: unknown) =>
          log.warn({ err: failure }, "The comparisons of removed models could not be dropped."),
        );
    },
    close: async () => {
      stop.abort();
      await Promise.allSettled(running.values());
    },
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

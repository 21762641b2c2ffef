import type { Config, DriftSettings } from "@model-gateway/config/config";
import { internalKeys } from "@model-gateway/domain/internal-keys";
import type { Target } from "@model-gateway/domain/model";
import type { SpaceCheck } from "@model-gateway/scheduling/target-state";
import type { AcceptSpace } from "../../api/operations/acceptSpace.js";
import {
  modelsWithSpace,
  recordedSpaceOf,
  type TargetToCheck,
  targetsToCheck,
  withAcceptedRevisions,
} from "../../spaces/checked-targets.js";
import { KnownSpaces } from "../../spaces/known-spaces.js";
import { SpaceChecks } from "../../spaces/space-checks.js";
import { lowestCosine, type TargetCheck } from "../../spaces/space-store.js";
import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import { createProbeEmbedder } from "../embed-probes.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

/** Watches the vector spaces: checks their targets, takes drifted ones out, and keeps the accepted revisions. */
export const spaces = defineModule({
  name: "spaces",
  open: async (needs: Core) => {
    const { worker, siblings, current } = needs;
    const watched = new WatchedSpaces(needs);
    const { known } = watched;
    siblings?.answer("spaces", () => (current.isOpen ? known.refresh() : undefined));
    const checks = openChecks(watched, needs);
    const check = () => {
      if (worker.slot === 1) checks.begin();
    };
    // Before the first pipeline is built.
    await known.load();
    return {
      services: {
        spaces: {
          /** A configuration with the accepted revisions. */
          revise: (config: Config): Config => ({
            ...config,
            models: withAcceptedRevisions(config.models, known.accepted),
          }),
          accept: createAccept(watched, needs),
        },
      },
      metrics: () => stateMetrics({ spaceChecks: () => checks.counts }),
      start: () => {
        watched.note();
        void known.watch();
        check();
      },
      adopt: ({ isReload }) => {
        watched.note();
        if (isReload) check();
      },
      drain: async () => {
        known.close();
        await checks.close();
      },
    };
  },
});

/** The spaces of the current pipeline, and the stored states of their targets. */
class WatchedSpaces {
  readonly known: KnownSpaces;
  readonly #needs: Core;
  #isNoted = false;

  constructor(needs: Core) {
    const { storage, wallClock: clock, log, current } = needs;
    this.#needs = needs;
    this.known = new KnownSpaces({
      store: storage.spaces,
      clock,
      log,
      isWatching: () => this.settings !== undefined,
      onRead: async ({ hasNewRevisions }) => {
        if (!current.isOpen) return;
        if (!hasNewRevisions) return this.note();
        // A pipeline that is built again notes the checks itself.
        await current.apply(() => current.config);
      },
    });
  }

  get settings(): DriftSettings | undefined {
    return this.#needs.current.config.drift;
  }

  get targets(): TargetToCheck[] {
    return targetsToCheck(this.#needs.current.served.models.values());
  }

  /** Reports the state of the current pipeline's targets to the scheduler. */
  note(): void {
    const { known, settings: drift } = this;
    const { scheduler, current } = this.#needs;
    if (drift === undefined && !this.#isNoted) return;
    this.#isNoted = drift !== undefined;
    const judged = (one: TargetCheck | undefined) => drift && one && judge(one, drift);
    for (const [target, check] of worstChecks(this.targets, (one) => known.checkOf(one)))
      scheduler.noteSpaceCheck(target, judged(check));
    scheduler.exclude(targetsWhere(current.served, (one) => judged(known.checkOf(one))?.isExcluded === true));
  }

  /** Reads the stored states in all workers. */
  async refreshAll(): Promise<void> {
    await this.known.refresh();
    await this.#needs.siblings?.ask("spaces");
  }
}

function openChecks(watched: WatchedSpaces, needs: Core): SpaceChecks {
  const { storage, wallClock: clock, log, current } = needs;
  return new SpaceChecks({
    store: storage.spaces,
    clock,
    log,
    settings: () => watched.settings,
    targets: () => watched.targets,
    embed: createProbeEmbedder({
      services: needs,
      key: internalKeys.drift,
      upstreams: () => current.pipeline.upstreams,
    }),
    onChecked: () =>
      watched
        .refreshAll()
        .catch((failure: unknown) =>
          log.warn({ err: failure }, "The checks of vector spaces could not be read."),
        ),
  });
}

function createAccept(watched: WatchedSpaces, { storage, log, current }: Core): AcceptSpace {
  const { known } = watched;
  return async (model, { upstream, model: name }) => {
    const target = { space: recordedSpaceOf(model), upstream, model: name };
    await known.refresh();
    const drift = watched.settings;
    const check = known.checkOf(target);
    if (drift === undefined || check === undefined || !judge(check, drift).isDrifted) return undefined;
    if ((await storage.spaces.accept(target)) === undefined) return undefined;
    const { cosineMin, imageCosineMin } = check;
    log.warn({ ...target, cosineMin, imageCosineMin }, "Changed vectors were accepted as a new revision.");
    await watched.refreshAll();
    return modelsWithSpace(current.served.models.values()).filter(
      (one) => recordedSpaceOf(one) === target.space,
    );
  };
}

/** A target may serve several spaces: the check with the largest distance counts. */
function worstChecks(
  targets: readonly TargetToCheck[],
  checkOf: (target: TargetToCheck) => TargetCheck | undefined,
): Iterable<readonly [Target, TargetCheck | undefined]> {
  const worst = new Map<string, readonly [Target, TargetCheck | undefined]>();
  for (const one of targets) {
    const key = JSON.stringify([one.upstream, one.model]);
    const check = checkOf(one);
    const [, before] = worst.get(key) ?? [];
    const isWorse =
      before === undefined || (check !== undefined && lowestCosine(check) < lowestCosine(before));
    if (isWorse) worst.set(key, [one.asks.target, check]);
  }
  return worst.values();
}

/** The targets of embedding models for which something holds. */
function targetsWhere(
  { models }: Config,
  holds: (target: Pick<TargetCheck, "space" | "upstream" | "model">) => boolean,
): Set<Target> {
  const found = new Set<Target>();
  for (const model of modelsWithSpace(models.values())) {
    const space = recordedSpaceOf(model);
    for (const target of model.targets)
      if (holds({ space, upstream: target.upstream, model: target.model })) found.add(target);
  }
  return found;
}

function judge(check: TargetCheck, drift: DriftSettings): SpaceCheck {
  const { cosineMin, imageCosineMin, checkedAt } = check;
  const isDrifted = lowestCosine(check) < drift.cosineMin;
  const isExcluded = isDrifted && drift.action === "exclude";
  return { cosineMin, imageCosineMin, checkedAt, isDrifted, isExcluded };
}

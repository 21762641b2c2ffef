import type { Config } from "../config/config.js";
import { internalKeys } from "../domain/internal-keys.js";
import type { Target } from "../domain/model.js";
import type { Siblings } from "../domain/siblings.js";
import type { AcceptSpace } from "../http/operations/acceptSpace.js";
import type { SpaceCheck } from "../scheduling/target-state.js";
import {
  modelsWithSpace,
  recordedSpaceOf,
  type TargetToCheck,
  targetsToCheck,
  withAcceptedRevisions,
} from "../spaces/checked-targets.js";
import { KnownSpaces } from "../spaces/known-spaces.js";
import { type CheckOutcome, type DriftSettings, SpaceChecks } from "../spaces/space-checks.js";
import { lowestCosine, type TargetCheck } from "../spaces/space-store.js";
import type { CurrentPipeline } from "./current-pipeline.js";
import { createProbeEmbedder } from "./embed-probes.js";
import type { Services } from "./services.js";

/** Watches the vector spaces: checks their targets, takes drifted ones out, and keeps the accepted revisions. */
export interface SpaceService {
  readonly counts: ReadonlyMap<CheckOutcome, number>;
  /** Reads the stored states, before the first pipeline is built. */
  load(): Promise<void>;
  /** A configuration with the accepted revisions. */
  revise(config: Config): Config;
  /** Follows changes by other workers and replicas, from the first pipeline on. */
  start(): void;
  /** Reports the state of the current pipeline's targets to the scheduler. */
  note(): void;
  /** Checks all targets, after the start and after a reload. */
  begin(): void;
  readonly accept: AcceptSpace;
  close(): Promise<void>;
}

interface SpaceServiceOptions {
  readonly services: Services;
  /** The first of the workers checks for all. */
  readonly worker: { readonly slot: number };
  readonly siblings: Siblings | undefined;
  readonly current: CurrentPipeline;
}

export function openSpaceService({ services, worker, siblings, current }: SpaceServiceOptions): SpaceService {
  const { log, wallClock: clock, scheduler, events } = services;
  const store = services.storage.spaces;
  const settings = () => current.config.drift;
  const targets = () => targetsToCheck(current.served.models.values());
  let isStarted = false;
  let isNoted = false;

  const note = () => {
    const drift = settings();
    if (drift === undefined && !isNoted) return;
    isNoted = drift !== undefined;
    const judged = (one: TargetCheck | undefined) => drift && one && judge(one, drift);
    for (const [target, check] of worstChecks(targets(), (one) => known.checkOf(one)))
      scheduler.noteSpaceCheck(target, judged(check));
    scheduler.exclude(targetsWhere(current.served, (one) => judged(known.checkOf(one))?.isExcluded === true));
  };
  const known = new KnownSpaces({
    store,
    clock,
    log,
    isWatching: () => settings() !== undefined,
    onRead: async ({ hasNewRevisions }) => {
      if (!isStarted) return;
      if (!hasNewRevisions) return note();
      // A pipeline that is built again notes the checks itself.
      await current.apply(() => current.config);
      events.feed.end();
    },
  });
  const refreshAll = async () => {
    await known.refresh();
    await siblings?.ask("spaces");
  };
  siblings?.answer("spaces", () => (isStarted ? known.refresh() : undefined));
  const checks = new SpaceChecks({
    store,
    clock,
    log,
    settings,
    targets,
    embed: createProbeEmbedder({
      services,
      key: internalKeys.drift,
      upstreams: () => current.pipeline.upstreams,
    }),
    onChecked: () =>
      refreshAll().catch((failure: unknown) =>
        log.warn({ err: failure }, "The checks of vector spaces could not be read."),
      ),
  });
  return {
    counts: checks.counts,
    load: () => known.load(),
    revise: (config) => ({ ...config, models: withAcceptedRevisions(config.models, known.accepted) }),
    note,
    start: () => {
      isStarted = true;
      note();
      void known.watch();
    },
    begin: () => {
      if (worker.slot === 1) checks.begin();
    },
    accept: async (model, { upstream, model: name }) => {
      const target = { space: recordedSpaceOf(model), upstream, model: name };
      await known.refresh();
      const drift = settings();
      const check = known.checkOf(target);
      if (drift === undefined || check === undefined || !judge(check, drift).isDrifted) return undefined;
      if ((await store.accept(target)) === undefined) return undefined;
      const { cosineMin, imageCosineMin } = check;
      log.warn({ ...target, cosineMin, imageCosineMin }, "Changed vectors were accepted as a new revision.");
      await refreshAll();
      return modelsWithSpace(current.served.models.values()).filter(
        (one) => recordedSpaceOf(one) === target.space,
      );
    },
    close: async () => {
      known.close();
      await checks.close();
    },
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

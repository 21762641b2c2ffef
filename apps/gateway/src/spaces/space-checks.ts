import type { DriftSettings } from "@model-gateway/config/config";
import { backoffMs } from "@model-gateway/runtime/backoff";
import type { Clock } from "@model-gateway/runtime/clock";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { untilTimeout } from "@model-gateway/runtime/until-timeout";
import type { Logger } from "pino";
import type { TargetToCheck } from "./checked-targets.js";
import type { TargetProbes } from "./embed-at-target.js";
import { lowestCosine, type SpaceStore } from "./space-store.js";

/** Embeds the probe texts at a target, and the probe images if it takes images. */
export type EmbedProbes = (target: TargetToCheck, signal: AbortSignal) => Promise<TargetProbes>;

interface SpaceChecksOptions {
  readonly store: Pick<SpaceStore, "claim" | "release" | "record">;
  /** Its times are milliseconds since 1970. */
  readonly clock: Clock;
  readonly log: Logger;
  /** As the configuration says at the moment. Undefined: nothing is checked. */
  readonly settings: () => DriftSettings | undefined;
  readonly targets: () => readonly TargetToCheck[];
  readonly embed: EmbedProbes;
  /** Called after a round in which a target was checked. */
  readonly onChecked: () => Promise<void>;
}

type CheckOutcome = "same" | "drifted" | "failed";

/** Number of spaces checked in parallel. Targets of one space are called one after the other. */
const parallelSpaces = 4;
/** Time limit of one check, with all its calls. */
const checkMsMax = 120_000;
/** Longer than a check: after this time its holder is dead. */
const leaseMs = 180_000;
const retryMs = 60_000;
const retriesMax = 5;
/** Replicas check on separate schedules. A check within this share of the interval is not repeated by the others. */
const freshShare = 0.9;

/**
 * Checks all targets when it begins, and again every day. A check that fails says nothing about the vectors, and is
 * repeated a few times.
 */
export class SpaceChecks {
  readonly #options: SpaceChecksOptions;
  readonly #counts = new Map<CheckOutcome, number>();
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: SpaceChecksOptions) {
    this.#options = options;
  }

  /** Number of checks by this process, by outcome. */
  get counts(): ReadonlyMap<CheckOutcome, number> {
    return this.#counts;
  }

  /** Checks all targets now, and from then on as often as the settings say. Ends an earlier schedule. */
  begin(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#running = this.#running.then(() => this.#run(signal));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, settings } = this.#options;
    let since = clock.now();
    let retries = 0;
    let nextAt: number | undefined;
    while (!signal.aborted) {
      const everyMs = settings()?.everyMs;
      if (everyMs === undefined) return;
      const isComplete = await this.#round(since, signal);
      // Retries are for the targets that failed. They do not put off the next check of the others.
      nextAt ??= clock.now() + everyMs;
      const retryAt = clock.now() + backoffMs(retries + 1, { firstMs: retryMs, maxMs: everyMs });
      const isRetried = !isComplete && retries < retriesMax && retryAt < nextAt;
      await clock.wait((isRetried ? retryAt : nextAt) - clock.now(), signal).catch(() => undefined);
      retries = isRetried ? retries + 1 : 0;
      if (isRetried) continue;
      since = clock.now() - everyMs * freshShare;
      nextAt = undefined;
    }
  }

  /** Returns whether every target was checked, here or by another replica. */
  async #round(since: number, signal: AbortSignal): Promise<boolean> {
    const { log, targets, onChecked } = this.#options;
    const spaces = groupBySpace(targets());
    const semaphore = new Semaphore(parallelSpaces);
    const before = this.#recorded;
    try {
      const results = await Promise.all(
        [...spaces.values()].map((members) => semaphore.run(() => this.#checkAll(members, since, signal))),
      );
      return results.every(Boolean);
    } catch (failure) {
      log.warn(
        { err: failure },
        "The vectors of some targets could not be stored. The gateway will try again.",
      );
      return false;
    } finally {
      if (this.#recorded > before && !signal.aborted) await onChecked();
    }
  }

  /** In order: where a space is new, the vectors of its first target are recorded. */
  async #checkAll(members: readonly TargetToCheck[], since: number, signal: AbortSignal): Promise<boolean> {
    const { store, clock } = this.#options;
    let isComplete = true;
    for (const target of members) {
      if (signal.aborted) return false;
      const claim = await store.claim(target, { since, until: clock.now() + leaseMs });
      if (claim === "checked") continue;
      const isChecked = claim === "claimed" && (await this.#check(target, signal));
      isComplete &&= isChecked;
    }
    return isComplete;
  }

  async #check(target: TargetToCheck, signal: AbortSignal): Promise<boolean> {
    const { store, log, embed, settings } = this.#options;
    const { upstream, model, space } = target;
    let probes: TargetProbes;
    try {
      probes = await embed(target, untilTimeout(signal, checkMsMax));
    } catch (failure) {
      await store.release(target);
      if (signal.aborted) return false;
      this.#count("failed");
      log.warn(
        { upstream, model, err: failure },
        "The vectors of a target could not be checked. Its state stays as it is.",
      );
      return false;
    }
    const distance = await store.record(target, probes);
    const wanted = settings();
    const isDrifted = wanted !== undefined && lowestCosine(distance) < wanted.cosineMin;
    this.#count(isDrifted ? "drifted" : "same");
    const fields = { upstream, model, space, ...distance, action: wanted?.action };
    if (isDrifted) log.warn(fields, "The vectors of a target are far from those recorded for its space.");
    else log.debug(fields, "The vectors of a target are those recorded for its space.");
    return true;
  }

  get #recorded(): number {
    return (this.#counts.get("same") ?? 0) + (this.#counts.get("drifted") ?? 0);
  }

  #count(outcome: CheckOutcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }
}

function groupBySpace(targets: readonly TargetToCheck[]): Map<string, TargetToCheck[]> {
  const spaces = new Map<string, TargetToCheck[]>();
  for (const target of targets) spaces.set(target.space, [...(spaces.get(target.space) ?? []), target]);
  return spaces;
}

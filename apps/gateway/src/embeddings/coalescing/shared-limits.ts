import type { Clock } from "../../domain/clock.js";
import { type Target, targetKey } from "../../domain/model.js";
import type { TargetSignal, TellSignal } from "../../scheduling/target-signals.js";
import type { LearnedLimit, LimitsOfOthers } from "./batches.js";

/** An upstream may raise its limits, so a limit is learned anew after this time. */
const toldMs = 60 * 60_000;

/** The batch limits that other replicas have learned, and the way to tell them of new ones. */
export class SharedLimits implements LimitsOfOthers {
  readonly #clock: Pick<Clock, "now">;
  readonly #tell: TellSignal;
  readonly #heard = new Map<string, { readonly limit: LearnedLimit; readonly until: number }>();

  constructor(clock: Pick<Clock, "now">, tell: TellSignal) {
    this.#clock = clock;
    this.#tell = tell;
  }

  get isEmpty(): boolean {
    return this.#heard.size === 0;
  }

  of(target: Target): LearnedLimit | undefined {
    const key = targetKey(target);
    const heard = this.#heard.get(key);
    if (heard === undefined || this.#clock.now() < heard.until) return heard?.limit;
    this.#heard.delete(key);
    return undefined;
  }

  tell(target: Target, { maxInputs, maxTokens }: LearnedLimit): void {
    this.#tell(target, { kind: "batch-limit", maxInputs, maxTokens, ms: toldMs });
  }

  hear(target: Target, signal: TargetSignal): void {
    if (signal.kind !== "batch-limit") return;
    const { maxInputs, maxTokens, ms } = signal;
    const limit = { maxInputs, maxTokens };
    this.#heard.set(targetKey(target), { limit, until: this.#clock.now() + Math.min(ms, toldMs) });
  }
}

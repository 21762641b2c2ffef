import { type Target, targetKey } from "@model-gateway/domain/model";
import type { Clock } from "@model-gateway/runtime/clock";
import type { PublishSignal, TargetSignal } from "@model-gateway/scheduling/target-signals";
import type { LearnedLimit, LimitsOfOthers } from "./batches.js";

/** An upstream may raise its limits, so a limit is learned again after this time. */
const publishedMs = 60 * 60_000;

/** The batch limits that other replicas have learned. It publishes new ones. */
export class SharedBatchLimits implements LimitsOfOthers {
  readonly #clock: Pick<Clock, "now">;
  readonly #publish: PublishSignal;
  readonly #received = new Map<string, { readonly limit: LearnedLimit; readonly until: number }>();

  constructor(clock: Pick<Clock, "now">, publish: PublishSignal) {
    this.#clock = clock;
    this.#publish = publish;
  }

  get isEmpty(): boolean {
    return this.#received.size === 0;
  }

  of(target: Target): LearnedLimit | undefined {
    const key = targetKey(target);
    const received = this.#received.get(key);
    if (received === undefined || this.#clock.now() < received.until) return received?.limit;
    this.#received.delete(key);
    return undefined;
  }

  publish(target: Target, { maxInputs, maxTokens }: LearnedLimit): void {
    this.#publish(target, { kind: "batch-limit", maxInputs, maxTokens, ms: publishedMs });
  }

  receive(target: Target, signal: TargetSignal): void {
    if (signal.kind !== "batch-limit") return;
    const { maxInputs, maxTokens, ms } = signal;
    const limit = { maxInputs, maxTokens };
    this.#received.set(targetKey(target), { limit, until: this.#clock.now() + Math.min(ms, publishedMs) });
  }
}

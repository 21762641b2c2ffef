import { FakeClock } from "@model-gateway/runtime/test/clocks";
import type { Call, ModelTarget } from "../call.js";

/** A call of a test. Its waits take no time. */
export class TestCall implements Call {
  readonly target: Call["target"];
  readonly model: string;
  readonly clock = new FakeClock();
  isCommitted = false;
  /** The waits so far. */
  readonly waits: number[] = [];
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly takeMemory: Call["takeMemory"];
  readonly #endsAt: number;

  constructor(given: Partial<Pick<Call, "signal" | "timeoutMs" | "takeMemory"> & ModelTarget> = {}) {
    this.model = given.model ?? "upstream-model";
    this.target = { upstream: "upstream", model: this.model, ...(given.facts && { facts: given.facts }) };
    this.signal = given.signal ?? new AbortController().signal;
    this.timeoutMs = given.timeoutMs ?? 10_000;
    this.takeMemory = given.takeMemory;
    this.#endsAt = this.clock.now() + this.timeoutMs;
  }

  get remainingMs(): number {
    return this.#endsAt - this.clock.now();
  }

  wait(ms: number): Promise<void> {
    this.waits.push(ms);
    return this.clock.wait(ms, this.signal);
  }

  committed(): void {
    this.isCommitted = true;
  }
}

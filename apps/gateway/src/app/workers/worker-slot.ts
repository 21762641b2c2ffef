import type { Worker } from "node:cluster";
import type { Greeting } from "../welcome.js";

/** A worker's response to pings. A late one gets no new connections, and a hung one is killed. */
type Pulse = "alive" | "late" | "hung";

const restartMsMin = 100;
const restartMsMax = 5000;
/** A worker that ran this long did not fail at its start. */
const startedMs = 10_000;
/** Beats without a pong, one a second. */
const lateBeats = 3;
const hungBeats = 10;

/** The number of a worker, and the process that has it now. */
export class WorkerSlot {
  readonly number: number;
  /** Resolves with the greeting of the first process. Rejects if that exits before. */
  readonly ready: Promise<Greeting>;
  /** Whether the process serves callers. */
  isServing = false;
  #worker: Worker | undefined;
  #startedAt = 0;
  #restartMs = restartMsMin;
  #missedBeats = 0;
  #becomeReady: (greeting: Greeting) => void = () => undefined;
  #fail: (failure: Error) => void = () => undefined;
  #exited: Promise<void> = Promise.resolve();

  constructor(number: number) {
    this.number = number;
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#fail = reject;
    });
    this.ready.catch(() => undefined);
  }

  /** Whether an earlier process had the number. */
  get isReplaced(): boolean {
    return this.#startedAt > 0;
  }

  get worker(): Worker | undefined {
    return this.#worker;
  }

  /** Resolves when the process has exited and its last messages are read. */
  get exited(): Promise<void> {
    return this.#exited;
  }

  assign(worker: Worker): void {
    this.#worker = worker;
    this.#startedAt = Date.now();
    this.#missedBeats = 0;
    this.isServing = false;
    this.#exited = new Promise((resolve) => {
      worker.once("exit", () => {
        this.#worker = undefined;
        this.isServing = false;
        this.#fail(new Error("A worker could not start."));
      });
      const { process: child } = worker;
      child.once("close", () => resolve());
    });
  }

  becomeReady(greeting: Greeting): void {
    this.isServing = true;
    this.#becomeReady(greeting);
  }

  /** Called once a second. Counts beats and not time: after a sleep of the machine all processes wake up together. */
  beat(): Pulse {
    this.#missedBeats += 1;
    if (this.#missedBeats > hungBeats) return "hung";
    return this.#missedBeats > lateBeats ? "late" : "alive";
  }

  /** @returns Whether it was late. */
  pong(): boolean {
    const wasLate = this.#missedBeats > lateBeats;
    this.#missedBeats = 0;
    return wasLate;
  }

  /** The delay doubles for a worker that keeps failing at its start. */
  restartMs(): number {
    const hasStarted = Date.now() - this.#startedAt > startedMs;
    this.#restartMs = hasStarted ? restartMsMin : Math.min(this.#restartMs * 2, restartMsMax);
    return this.#restartMs;
  }

  signal(name: NodeJS.Signals): void {
    const { process: child } = this.#worker ?? {};
    child?.kill(name);
  }
}

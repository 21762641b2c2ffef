import type { Cluster, Worker } from "node:cluster";
import type { Logger } from "pino";

export interface WorkersOptions {
  readonly cluster: Cluster;
  readonly count: number;
  /** Variables for the workers, beside the environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Logger;
}

/** The processes that serve requests on one port. */
export interface Workers {
  /** Resolves with the greeting of the first worker when all workers serve. Rejects if one cannot start. */
  readonly ready: Promise<string>;
  /** Signals every worker to reload its configuration. */
  reload(): void;
  /** Signals every worker to drain its requests, and waits until all have exited. */
  stop(): Promise<void>;
  kill(): void;
}

/** A worker sends this when it serves. */
export interface ReadyMessage {
  readonly kind: "ready";
  readonly welcome: string;
}

/** The environment variable with the number of a worker, from 1. A replacement gets the same number. */
export const slotVariable = "GATEWAY_WORKER";

const restartMsMin = 100;
const restartMsMax = 5000;
/** A worker that ran this long did not fail at its start. */
const startedMs = 10_000;

/** Starts the workers, and replaces each that dies. */
export function startWorkers({ cluster, count, environment, log }: WorkersOptions): Workers {
  const slots = Array.from({ length: count }, (_, index) => new WorkerSlot(index + 1));
  let isStopping = false;
  const fork = (slot: WorkerSlot) =>
    slot.assign(cluster.fork({ ...environment, [slotVariable]: String(slot.number) }), (code) => {
      if (isStopping) return;
      log.error({ worker: slot.number, code }, "A worker died and is being replaced.");
      setTimeout(() => {
        if (!isStopping) fork(slot);
      }, slot.restartMs());
    });
  for (const slot of slots) fork(slot);
  return {
    ready: Promise.all(slots.map(({ ready }) => ready)).then(([first]) => first ?? ""),
    reload: () => {
      for (const slot of slots) slot.signal("SIGHUP");
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(slots.map((slot) => slot.stop()));
    },
    kill: () => {
      isStopping = true;
      for (const slot of slots) slot.signal("SIGKILL");
    },
  };
}

/** The number of a worker, and the process that has it now. */
class WorkerSlot {
  readonly number: number;
  readonly ready: Promise<string>;
  #worker: Worker | undefined;
  #startedAt = 0;
  #restartMs = restartMsMin;
  #becomeReady: (welcome: string) => void = () => undefined;
  #fail: (failure: Error) => void = () => undefined;

  constructor(number: number) {
    this.number = number;
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#fail = reject;
    });
    this.ready.catch(() => undefined);
  }

  assign(worker: Worker, onDeath: (code: number) => void): void {
    this.#worker = worker;
    this.#startedAt = Date.now();
    worker.on("message", (message: unknown) => {
      if (isReadyMessage(message)) this.#becomeReady(message.welcome);
    });
    worker.once("exit", (code) => {
      this.#worker = undefined;
      this.#fail(new Error("A worker could not start."));
      onDeath(code);
    });
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

  async stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    await new Promise<void>((resolve) => {
      worker.once("exit", () => resolve());
      this.signal("SIGTERM");
    });
  }
}

function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === "ready";
}

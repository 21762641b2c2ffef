import type { Cluster, Worker } from "node:cluster";
import type { Logger } from "pino";

export interface WorkersNeeds {
  readonly cluster: Cluster;
  readonly count: number;
  /** What the workers shall find in their environment, beside what this process has. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Logger;
}

/** The processes that serve requests, on one port. */
export interface Workers {
  /** What the first worker has to say to people, once all of them serve. Rejects when one cannot start. */
  readonly ready: Promise<string>;
  /** Has every worker read its configuration again. */
  reload(): void;
  /** Lets every worker finish what it has begun. */
  stop(): Promise<void>;
  kill(): void;
}

/** A worker says this when it serves. */
export interface ReadyMessage {
  readonly kind: "ready";
  readonly welcome: string;
}

/** The place of a worker among the others, in its environment. It stays the same for whoever takes it over. */
export const slotVariable = "GATEWAY_WORKER";

const restartMsMin = 100;
const restartMsMax = 5000;
/** A worker that has served so long died of something else than its start. */
const soundMs = 10_000;

/** Starts the workers, and puts another one in the place of each that dies. */
export function startWorkers({ cluster, count, environment, log }: WorkersNeeds): Workers {
  const places = Array.from({ length: count }, (_, index) => new WorkerSlot(index + 1));
  let isStopping = false;
  const fork = (place: WorkerSlot) =>
    place.take(cluster.fork({ ...environment, [slotVariable]: String(place.slot) }), (code) => {
      if (isStopping) return;
      log.error({ worker: place.slot, code }, "A worker has died and is replaced.");
      setTimeout(() => {
        if (!isStopping) fork(place);
      }, place.restartMs());
    });
  for (const place of places) fork(place);
  return {
    ready: Promise.all(places.map(({ ready }) => ready)).then(([first]) => first ?? ""),
    reload: () => {
      for (const place of places) place.signal("SIGHUP");
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(places.map((place) => place.stop()));
    },
    kill: () => {
      isStopping = true;
      for (const place of places) place.signal("SIGKILL");
    },
  };
}

/** A slot, and the worker that has it now. */
class WorkerSlot {
  readonly slot: number;
  readonly ready: Promise<string>;
  #worker: Worker | undefined;
  #startedAt = 0;
  #restartMs = restartMsMin;
  #becomeReady: (welcome: string) => void = () => undefined;
  #fail: (failure: Error) => void = () => undefined;

  constructor(slot: number) {
    this.slot = slot;
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#fail = reject;
    });
    this.ready.catch(() => undefined);
  }

  take(worker: Worker, onDeath: (code: number) => void): void {
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

  /** Longer each time for one that dies at once. */
  restartMs(): number {
    const hasServed = Date.now() - this.#startedAt > soundMs;
    this.#restartMs = hasServed ? restartMsMin : Math.min(this.#restartMs * 2, restartMsMax);
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

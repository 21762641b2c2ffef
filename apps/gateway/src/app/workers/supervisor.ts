import type { Cluster, Worker } from "node:cluster";
import type { Server } from "node:net";
import { setTimeout } from "node:timers/promises";
import { every, type Repetition } from "@model-gateway/runtime/every";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import type { Logger } from "pino";
import type { Listener } from "../listener.js";
import type { StopTimes } from "../stop-times.js";
import type { Greeting } from "../welcome.js";
import { ConnectionHandoff } from "./connection-handoff.js";
import { isMessage, type MessageToWorker, send } from "./messages.js";
import { WorkerSlot } from "./worker-slot.js";

interface SupervisorOptions {
  readonly cluster: Cluster;
  readonly count: number;
  /** Variables for the workers, beside the environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Accepts the connections that the workers get. */
  readonly server: Server;
  readonly listener: Listener;
  /** Time limits for a worker that is stopped alone. */
  readonly times: StopTimes;
  /** Called with the admin key that a worker has created. */
  readonly onAdminKeyCreated: (text: string) => void;
  readonly log: Logger;
}

/** The environment variable with the number of a worker, from 1. A replacement gets the same number. */
export const slotVariable = "GATEWAY_WORKER";
/** The environment variable that says whether a worker is the first with its number, or a replacement. */
export const startVariable = "GATEWAY_WORKER_START";
/** The environment variable with the URL on which the supervisor listens. */
export const urlVariable = "GATEWAY_WORKER_URL";

const beatMs = 1000;
/** A signal to a worker may be one to the whole gateway that the supervisor has not seen yet. */
const signalledMs = 500;

/** Starts the workers, hands them connections, and replaces each that dies or hangs. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #slots: readonly WorkerSlot[];
  readonly #handoff: ConnectionHandoff;
  readonly #heartbeat: Repetition;
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, index) => new WorkerSlot(index + 1));
    this.#handoff = new ConnectionHandoff(options.server, options.log);
    this.#heartbeat = every(beatMs, () => this.#beat(), { task: "check_workers", keepsAlive: true });
    for (const slot of this.#slots) this.#fork(slot);
  }

  /** Resolves with the greeting of the first worker when all workers serve. Rejects if one cannot start. */
  get ready(): Promise<Greeting> {
    const all = Promise.all(this.#slots.map(({ ready }) => ready));
    return all.then(([first]) => {
      if (first === undefined) throw new Error("There are no workers.");
      return first;
    });
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Signals every worker to reload its configuration. */
  reload(): void {
    for (const slot of this.#slots) slot.signal("SIGHUP");
  }

  /**
   * Stops accepting connections, lets every worker drain its requests, and waits until all have exited. The workers stop
   * only when each connection that was accepted is with one of them. One that is not done in time is killed.
   */
  async stop(times: StopTimes): Promise<void> {
    this.#isStopping = true;
    void this.#heartbeat.stop();
    const stopped = new AbortController();
    void setTimeout(times.killMs, undefined, stopped).then(
      () => this.#killAll("A worker did not stop in time. It is killed."),
      () => undefined,
    );
    for (const slot of this.#slots) if (!slot.isServing) slot.signal("SIGKILL");
    this.#broadcast({ kind: "stop", times, isWholeGateway: true });
    await this.#options.listener.close(times);
    await withTimeout(this.#handoff.drain(), times.cutMs / 2, () => undefined);
    this.#broadcast({ kind: "listener-closed" });
    await Promise.all(this.#slots.map(({ exited }) => exited));
    stopped.abort();
  }

  kill(): void {
    this.#isStopping = true;
    void this.#heartbeat.stop();
    for (const slot of this.#slots) slot.signal("SIGKILL");
  }

  #fork(slot: WorkerSlot): void {
    const { cluster, environment, listener } = this.#options;
    const worker = cluster.fork({
      ...environment,
      [slotVariable]: String(slot.number),
      [startVariable]: slot.isReplaced ? "replacement" : "first",
      [urlVariable]: listener.url,
    });
    slot.assign(worker);
    worker.on("message", (message: unknown) => this.#receive(slot, worker, message));
    const { process: child } = worker;
    // It may have exited before its last messages are read. When it closes, they are.
    child.once("close", () => this.#handoff.lose(worker));
    worker.once("exit", (code, signal) => {
      if (!this.#isStopping) void this.#replace(slot, { code, signal });
    });
  }

  async #replace(slot: WorkerSlot, end: { readonly code: number; readonly signal: string }): Promise<void> {
    this.#options.log.error({ worker: slot.number, ...end }, "A worker died and is being replaced.");
    await setTimeout(slot.restartMs());
    if (!this.#isStopping) this.#fork(slot);
  }

  #receive(slot: WorkerSlot, worker: Worker, message: unknown): void {
    if (!isMessage(message)) return;
    if (message.kind === "taken") this.#handoff.confirm(worker);
    if (message.kind === "pong" && slot.pong() && !this.#isStopping) {
      this.#options.log.warn({ worker: slot.number }, "A worker responds again. It gets connections again.");
      this.#handoff.join(worker);
    }
    if (message.kind === "ready") {
      slot.becomeReady(message.greeting);
      this.#handoff.join(worker);
    }
    if (message.kind === "admin-key-created") this.#options.onAdminKeyCreated(message.text);
    if (message.kind === "signalled") void this.#stopAlone(slot, worker);
  }

  /** Stops one worker that received a signal itself. It is replaced when it has exited. */
  async #stopAlone(slot: WorkerSlot, worker: Worker): Promise<void> {
    await setTimeout(signalledMs);
    if (this.#isStopping || slot.worker !== worker) return;
    const { times } = this.#options;
    this.#handoff.leave(worker);
    await send(worker, { kind: "stop", times, isWholeGateway: false });
    // Messages arrive in order, so no connection comes after this one.
    await send(worker, { kind: "listener-closed" });
    await setTimeout(times.killMs, undefined, { ref: false });
    if (slot.worker === worker) slot.signal("SIGKILL");
  }

  /** Takes a worker that does not respond out of the rotation, and later kills it: its exit leads to a replacement. */
  #beat(): void {
    this.#handoff.expire();
    for (const slot of this.#slots) {
      const { worker, number } = slot;
      if (worker === undefined || !slot.isServing) continue;
      const pulse = slot.beat();
      if (pulse === "alive") void send(worker, { kind: "ping" });
      else this.#handoff.leave(worker);
      if (pulse !== "hung") continue;
      this.#options.log.error({ worker: number }, "A worker does not respond. It is killed.");
      slot.signal("SIGKILL");
    }
  }

  #killAll(reason: string): void {
    for (const slot of this.#slots) {
      if (slot.worker === undefined) continue;
      this.#options.log.error({ worker: slot.number }, reason);
      slot.signal("SIGKILL");
    }
  }

  #broadcast(message: MessageToWorker): void {
    for (const { worker } of this.#slots) if (worker !== undefined) void send(worker, message);
  }
}

import type { Worker } from "node:cluster";
import type { Socket } from "node:net";
import type { Siblings, SiblingTopic } from "@model-gateway/domain/siblings";
import type { HttpServer } from "../connections.js";
import type { Listener } from "../listener.js";
import type { StopTimes } from "../stop-times.js";
import type { Greeting } from "../welcome.js";
import { isMessage, type MessageToSupervisor, type MessageToWorker, send } from "./messages.js";

/** Called when the supervisor stops this worker, or the whole gateway. */
type OnStop = (times: StopTimes, options: { readonly isWholeGateway: boolean }) => void;

type Question = Omit<Extract<MessageToWorker, { kind: "question" }>, "kind">;

/** Time that a worker waits for the supervisor, which itself waits for the other workers. */
const askTimeoutMs = 3000;

/** A worker's end of the connection to its supervisor. */
export class SupervisorLink implements Siblings {
  readonly #worker: Worker;
  readonly #url: string;
  readonly #reports = new Map<SiblingTopic, (detail: unknown) => unknown>();
  readonly #asking = new Map<number, (result: unknown) => void>();
  readonly #listenerClosed: Promise<void>;
  #onListenerClosed: () => void = () => undefined;
  #serve: (socket: Socket) => void = (socket) => socket.destroy();
  #onStop: OnStop = () => undefined;
  #lastId = 0;

  /** @param url Where the supervisor listens. */
  constructor(worker: Worker, url: string) {
    this.#worker = worker;
    this.#url = url;
    this.#listenerClosed = new Promise((resolve) => {
      this.#onListenerClosed = resolve;
    });
    worker.on("message", (message: unknown, socket: Socket | undefined) => this.#receive(message, socket));
    this.#send({ kind: "joined" });
  }

  /** Serves the connections that the supervisor accepts. */
  async listen(server: HttpServer): Promise<Listener> {
    // Node starts the timers that cut slow requests when a server listens. This one is given its connections.
    server.emit("listening");
    this.#serve = (socket) => {
      // As Node accepts connections for an HTTP server: a caller may close its side when the request is sent.
      socket.allowHalfOpen = true;
      server.emit("connection", socket);
    };
    return { url: this.#url, close: () => this.#listenerClosed };
  }

  /** From here on the supervisor sends connections, and may stop this worker. */
  ready(greeting: Greeting, onStop: OnStop): void {
    this.#onStop = onStop;
    this.#send({ kind: "ready", greeting });
  }

  /** Lets the supervisor show the admin key that this worker has created. */
  passOnAdminKey(text: string): void {
    this.#send({ kind: "admin-key-created", text });
  }

  /** Asks the supervisor to stop this worker, without a loss of connections. */
  passOnSignal(): void {
    this.#send({ kind: "signalled" });
  }

  answer(topic: SiblingTopic, report: (detail: unknown) => unknown): void {
    this.#reports.set(topic, report);
  }

  ask(topic: SiblingTopic, detail?: unknown): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const finish = (result: unknown) => {
        clearTimeout(timer);
        this.#asking.delete(id);
        resolve(result);
      };
      const timer = setTimeout(() => finish(undefined), askTimeoutMs);
      this.#asking.set(id, finish);
      this.#send({ kind: "ask", topic, id, detail });
    });
  }

  /** Sends a last report before the process exits. */
  async reportUnasked(topic: SiblingTopic): Promise<void> {
    await this.#report({ topic, round: 0 });
  }

  #receive(message: unknown, socket: Socket | undefined): void {
    if (!isMessage(message)) return;
    if (message.kind === "ping") this.#send({ kind: "pong" });
    if (message.kind === "connection") {
      this.#send({ kind: "taken" });
      // It is undefined if the caller has left meanwhile.
      if (socket !== undefined) this.#serve(socket);
    }
    if (message.kind === "stop") this.#onStop(message.times, message);
    if (message.kind === "listener-closed") this.#onListenerClosed();
    if (message.kind === "question") void this.#report(message);
    if (message.kind === "result") this.#asking.get(message.id)?.(message.result);
  }

  async #report({ topic, round, detail }: Question): Promise<void> {
    try {
      const report = await this.#reports.get(topic)?.(detail);
      await send(this.#worker, { kind: "report", topic, round, report });
    } catch {
      // The others do not wait for a worker that has nothing to report.
      await send(this.#worker, { kind: "report", topic, round, report: undefined });
    }
  }

  #send(message: MessageToSupervisor): void {
    void send(this.#worker, message);
  }
}

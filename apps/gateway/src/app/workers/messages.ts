import type { Worker } from "node:cluster";
import type { SiblingTopic } from "@model-gateway/domain/siblings";
import type { StopTimes } from "../stop-times.js";
import type { Greeting } from "../welcome.js";

/** Messages from the supervisor to a worker. */
export type MessageToWorker =
  /** Asks for a pong: a worker whose event loop is blocked does not reply. */
  | { readonly kind: "ping" }
  /** Comes with the socket of a caller. The worker confirms it with `taken`. */
  | { readonly kind: "connection" }
  /** The worker stops. Connections may still come. */
  | { readonly kind: "stop"; readonly times: StopTimes; readonly isWholeGateway: boolean }
  /** No more connections come. */
  | { readonly kind: "listener-closed" }
  | {
      readonly kind: "question";
      readonly topic: SiblingTopic;
      readonly round: number;
      readonly detail?: unknown;
    }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown };

/** Messages from a worker to the supervisor. */
export type MessageToSupervisor =
  /** The worker replies to questions from now on. */
  | { readonly kind: "joined" }
  /** The worker can serve callers from now on. */
  | { readonly kind: "ready"; readonly greeting: Greeting }
  /** The worker has created the admin key, whose text is stored nowhere. */
  | { readonly kind: "admin-key-created"; readonly text: string }
  | { readonly kind: "pong" }
  | { readonly kind: "taken" }
  /** The worker got a signal to stop, and waits for the supervisor to say when. */
  | { readonly kind: "signalled" }
  | { readonly kind: "ask"; readonly topic: SiblingTopic; readonly id: number; readonly detail?: unknown }
  /** Round 0 marks a report that a worker sends by itself before it exits. */
  | {
      readonly kind: "report";
      readonly topic: SiblingTopic;
      readonly round: number;
      readonly report: unknown;
    };

/** Resolves when the message is sent, or at once if the other process is gone. */
export function send(worker: Worker, message: MessageToWorker | MessageToSupervisor): Promise<void> {
  return new Promise((resolve) => {
    if (!worker.isConnected()) resolve();
    else worker.send(message, () => resolve());
  });
}

/** Both ends are processes of the same build, so checking the kind is enough. */
export function isMessage(message: unknown): message is MessageToWorker | MessageToSupervisor {
  return (
    typeof message === "object" && message !== null && "kind" in message && typeof message.kind === "string"
  );
}

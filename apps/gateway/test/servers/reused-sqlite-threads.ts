import { EventEmitter } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { StartSqliteWorker } from "../../src/storage/database/sqlite-thread.js";
import type { ThreadHandle } from "../../src/storage/replying-thread.js";

/** The threads of this process whose file is closed. */
const idle: Worker[] = [];

/**
 * Serves a file in a thread that has served others before. Starting one takes 80 ms of CPU, which is more than most tests
 * need, and a gateway has two.
 */
export const reuseSqliteThread: StartSqliteWorker = (data) => {
  const thread = idle.pop() ?? startThread();
  const { port1: port, port2: given } = new MessageChannel();
  thread.ref();
  thread.postMessage({ port: given, data }, [given]);
  return new ServedFile(port, () => {
    thread.unref();
    idle.push(thread);
  });
};

function startThread(): Worker {
  return new Worker(new URL("./reused-sqlite-worker.cjs", import.meta.url), { name: "sqlite" });
}

/** The part of a thread's life in which it serves one file. It ends like a thread. */
class ServedFile extends EventEmitter implements ThreadHandle {
  readonly #port: MessagePort;

  constructor(port: MessagePort, onEnd: () => void) {
    super();
    this.#port = port;
    port.on("message", (message) => {
      if ("opening" in message) this.emit("error", Object.assign(new Error(), message.opening));
      else this.emit("message", message);
    });
    port.on("close", () => {
      onEnd();
      this.emit("exit", 0);
    });
  }

  postMessage(message: unknown, moved: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, moved);
  }
}

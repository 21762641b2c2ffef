import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";

/** Source of a server's connections. */
export interface Listener {
  readonly url: string;
  /** Accepts connections for a while longer, then no more. */
  close(options: CloseOptions): Promise<void>;
}

interface CloseOptions {
  readonly delayMs: number;
  /** Requests wait at this gate while the last connections are accepted. */
  readonly gate?: Pick<RequestGate<unknown>, "hold" | "release">;
}

/** Passes requests on, or holds them back for a moment. */
export class RequestGate<T> {
  readonly #serve: (request: T) => void;
  #held: T[] | undefined;

  constructor(serve: (request: T) => void) {
    this.#serve = serve;
  }

  pass(request: T): void {
    if (this.#held === undefined) this.#serve(request);
    else this.#held.push(request);
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const request of held) this.#serve(request);
  }
}

/** A turn of the event loop that is shorter than this had nothing to do. */
const quietTurnMs = 0.2;
/** An overloaded process may never have a quiet turn. */
const quietMsMax = 1000;

/**
 * Connections that the kernel completes before the process accepts them. Beyond Node's default of 511 it ignores a new
 * caller, who tries again after a second. The kernel may have a lower limit: `net.core.somaxconn` on Linux.
 */
const backlog = 4096;

/** Listens on a port of this process. */
export async function listenOnPort(
  server: Server,
  { host, port, tls }: { readonly host: string; readonly port: number; readonly tls?: object },
): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, backlog, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: urlOf(address, tls === undefined ? "http" : "https"),
    close: async ({ delayMs, gate }) => {
      await setTimeout(delayMs);
      gate?.hold();
      await closeWhenQuiet(server);
      gate?.release();
    },
  };
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Throws the error of `listenOnPort` if another program listens there. It listens on trial only if something accepts a
 * connection: a client that waits for this port must not take the trial for the gateway.
 */
export async function expectFreePort(place: ListenAddress): Promise<void> {
  if (place.port === 0 || !(await acceptsConnections(place))) return;
  const trial = createServer();
  await listenOnPort(trial, place);
  await new Promise((resolve) => trial.close(resolve));
}

/** An address of this machine replies at once. */
const connectMs = 1000;
/** Reachable addresses for wildcard listeners. */
const reachable: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function acceptsConnections({ host, port }: ListenAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: reachable[host] ?? host, port, timeout: connectMs });
    const settle = (accepted: boolean) => () => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", settle(true)).once("error", settle(false)).once("timeout", settle(false));
  });
}

function urlOf({ address, port }: AddressInfo, scheme: string): string {
  return `${scheme}://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/**
 * The kernel completes connections before the process accepts them, and resets those that wait when the socket is
 * closed. Node accepts one connection in an event-loop turn. So the socket is closed after a turn in which none came. A
 * busy process would not have such a turn, which is why it begins no request meanwhile.
 */
async function closeWhenQuiet(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  await untilQuiet(() => accepted);
  server.off("connection", count);
  server.close();
}

/**
 * Waits for a turn of the event loop that was short and changed nothing. Bytes and connections that had arrived before
 * that turn have been read.
 *
 * @param changes A number that changes with every event that the turn must not have.
 */
export async function untilQuiet(changes: () => number): Promise<void> {
  const endAt = performance.now() + quietMsMax;
  await setImmediate();
  for (;;) {
    const before = changes();
    const startedAt = performance.now();
    await setImmediate();
    const now = performance.now();
    if (now > endAt || (now - startedAt < quietTurnMs && changes() === before)) return;
  }
}

import { type ChannelListener, subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { type GatewayError, tooManyOpenFiles } from "@model-gateway/domain/errors";

/** For the log, the database, Redis, the ledger, threads and local models. A gateway at rest has about 50 open. */
const reserved = 64;
/** Connections of callers may not take the last descriptors, which serve the requests on them. */
const servingMin = 24;
/** Even with a tiny limit one request at a time is served. */
const availableMin = 2 * servingMin;
/** Refusals that follow each other within this time are one episode, with one log line. */
const episodeMs = 60_000;

interface DescriptorsOptions {
  /** The most file descriptors that this process may have. Undefined if there is no limit or it is not known. */
  readonly max: number | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Called with the first refusal of an episode. */
  readonly onRefused: (max: number) => void;
}

/**
 * Counts the file descriptors that callers cause: their connections, connections to upstreams, and form files. A
 * request that might exceed the limit is refused before its body is read: without a descriptor everything fails,
 * including requests that are nearly finished.
 */
export class Descriptors {
  readonly #options: DescriptorsOptions;
  readonly #available: number;
  readonly #onConnected: ChannelListener;
  #connections = 0;
  #upstreamConnections = 0;
  /** Requests in flight. Each may open a connection to an upstream. */
  #requests = 0;
  #files = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** Called with every refusal: idle connections are closed, so that the next request finds room. */
  onShortage: () => void = () => undefined;

  constructor(options: DescriptorsOptions) {
    this.#options = options;
    const { max = Number.POSITIVE_INFINITY } = options;
    this.#available = Math.max(max - reserved, availableMin);
    this.#onConnected = (message) => {
      // Undici keeps idle connections open, so they are counted as long as they exist.
      this.#upstreamConnections += 1;
      (message as { readonly socket: Socket }).socket.once("close", () => {
        this.#upstreamConnections -= 1;
      });
    };
    subscribe(connectedChannel, this.#onConnected);
  }

  /** The most connections of callers. Undefined if there is no limit. */
  get connectionsMax(): number | undefined {
    return Number.isFinite(this.#available) ? this.#available - servingMin : undefined;
  }

  /**
   * Counts the connection of a caller until it is closed. Returns false if it must be closed at once.
   *
   * @param makeRoom Closes another connection, or returns false. Its descriptor is free before the next one is needed.
   */
  trackConnection(socket: Socket, makeRoom: () => boolean): boolean {
    if (this.#connections >= (this.connectionsMax ?? Number.POSITIVE_INFINITY) && !makeRoom()) {
      this.refuse();
      return false;
    }
    this.#connections += 1;
    socket.once("close", () => {
      this.#connections -= 1;
    });
    return true;
  }

  /** Admits a request that may call an upstream, or throws. Each one that is admitted must end. */
  beginRequest(): void {
    if (this.#used >= this.#available) throw this.refuse();
    this.#requests += 1;
  }

  endRequest(): void {
    this.#requests -= 1;
  }

  /** Reserves descriptors for the files of a form, or throws. */
  reserveFiles(count: number): FileReservation {
    if (this.#used + count > this.#available) throw this.refuse();
    let isHeld = true;
    this.#files += count;
    return {
      release: () => {
        if (isHeld) this.#files -= count;
        isHeld = false;
      },
    };
  }

  /** Says once in a while that something was refused, and returns the error for it. */
  refuse(): GatewayError {
    this.onShortage();
    const { now, onRefused, max = 0 } = this.#options;
    if (now() - this.#refusedAt > episodeMs) onRefused(max);
    this.#refusedAt = now();
    return tooManyOpenFiles();
  }

  close(): void {
    unsubscribe(connectedChannel, this.#onConnected);
  }

  get #used(): number {
    return this.#connections + Math.max(this.#upstreamConnections, this.#requests) + this.#files;
  }
}

export interface FileReservation {
  readonly release: () => void;
}

/** https://undici.nodejs.org/#/docs/api/DiagnosticsChannel */
const connectedChannel = "undici:client:connected";

/** The most file descriptors of this process. Undefined where the system does not say. */
export function readDescriptorLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

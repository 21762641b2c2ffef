import type { Socket } from "node:net";
import { clientNetwork } from "@model-gateway/domain/ip-address";

/** Each takes 10 KB, and 64 KB and more with the start of a long head. */
const strangersMax = 2048;
/** A client may take so long between its connection and its request, or more if the machine has room. */
const patienceMs = 2000;
/** Above this number nobody is waited for. */
const crowdMax = 8192;

interface Stranger {
  readonly network: string;
  readonly since: number;
}

/**
 * Connections that wait for a request, and whose caller is not known: new ones, and those whose last request had no valid
 * key. The oldest give way to new ones, so that a caller with a key gets a connection.
 */
export class Strangers {
  readonly #now: () => number;
  /** Oldest first. */
  readonly #all = new Map<Socket, Stranger>();
  readonly #byNetwork = new Map<string, Set<Socket>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(socket: Socket): void {
    const network = clientNetwork(socket.remoteAddress ?? "");
    this.#all.set(socket, { network, since: this.#now() });
    const others = this.#byNetwork.get(network);
    if (others === undefined) this.#byNetwork.set(network, new Set([socket]));
    else others.add(socket);
    const { size } = this.#all;
    if (size > strangersMax) this.#closeOldest(network, size > crowdMax ? 0 : patienceMs);
  }

  delete(socket: Socket): void {
    const stranger = this.#all.get(socket);
    if (stranger === undefined) return;
    this.#all.delete(socket);
    const others = this.#byNetwork.get(stranger.network);
    others?.delete(socket);
    if (others?.size === 0) this.#byNetwork.delete(stranger.network);
  }

  /** Closes a connection for a new one. Returns whether there was one that has waited for long enough. */
  makeRoom(socket: Socket): boolean {
    return this.#closeOldest(clientNetwork(socket.remoteAddress ?? ""), patienceMs);
  }

  /** Closes all that have waited for long enough. */
  closeWaiting(): void {
    for (const [socket, { since }] of this.#all) {
      if (this.#now() - since < patienceMs) return;
      this.#close(socket);
    }
  }

  /** A network with half of the connections or more loses its own oldest, so that a crowd closes none of others. */
  #closeOldest(network: string, waitedMs: number): boolean {
    const own = this.#byNetwork.get(network);
    const isCrowd = own !== undefined && own.size * 2 >= this.#all.size;
    const [oldest] = isCrowd ? own : this.#all.keys();
    const since = oldest && this.#all.get(oldest)?.since;
    if (oldest === undefined || since === undefined || this.#now() - since < waitedMs) return false;
    this.#close(oldest);
    return true;
  }

  #close(socket: Socket): void {
    this.delete(socket);
    socket.destroy();
  }
}

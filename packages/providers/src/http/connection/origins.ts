import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import { Pool } from "undici";
import { type ConnectionSettings, createConnector } from "./connect.js";

/** A host besides the base URL's that an upstream's replies may link to, such as that of a job's state. */
export interface OtherHost {
  /** The host, with its port if that is not 443. `*.example.com` matches every host below `example.com`. */
  readonly host: string;
  /** Whether the upstream's credentials may be sent there: only to hosts of the same owner. */
  readonly takesCredentials: boolean;
}

/** The target of a request. */
interface Origin {
  readonly pool: Pool;
  readonly takesCredentials: boolean;
  /** With the port, if it is not the default one. */
  readonly host: string;
  /** The path on the wire. */
  pathOf(path: string): string;
}

interface OriginSettings extends ConnectionSettings {
  readonly baseUrl: string;
  readonly otherHosts?: readonly OtherHost[] | undefined;
}

const keepAliveMs = 60_000;
/** Four times the calls that one model may have there by default (scheduling/capacity.ts). */
const connectionsMax = 1024;
const replyBytesMax = 256 * 1024 * 1024;
/** Providers have a host for each region. The one that was opened first is closed for one more. */
const otherOriginsMax = 8;

/** One upstream's connection pools: that of its base URL, and those of other hosts that it names. */
export class UpstreamOrigins {
  readonly #settings: OriginSettings;
  readonly #baseUrl: URL;
  readonly #base: Origin;
  readonly #others = new Map<string, Origin>();

  constructor(settings: OriginSettings) {
    this.#settings = settings;
    this.#baseUrl = new URL(settings.baseUrl);
    const prefix = this.#baseUrl.pathname.replace(/\/+$/, "");
    this.#base = {
      pool: openPool(this.#baseUrl.origin, settings),
      takesCredentials: true,
      host: this.#baseUrl.host,
      pathOf: (path) => (path.startsWith("/") ? `${prefix}${path}` : pathAndQuery(new URL(path))),
    };
  }

  /** @param path Below the base URL, with a leading slash, or a whole URL. */
  find(path: string): Origin {
    if (path.startsWith("/")) return this.#base;
    const url = this.urlOf(path);
    return url.origin === this.#baseUrl.origin ? this.#base : this.#other(url);
  }

  urlOf(path: string): URL {
    if (path.startsWith("/")) return new URL(`${this.#baseUrl.origin}${this.#base.pathOf(path)}`);
    if (!URL.canParse(path)) throw refused("a link that is not a URL");
    return new URL(path);
  }

  async close(): Promise<void> {
    await Promise.all([this.#base, ...this.#others.values()].map(({ pool }) => pool.close()));
  }

  #other(url: URL): Origin {
    const named = this.#settings.otherHosts?.find(({ host }) => matchesHost(url.host, host));
    if (named === undefined || url.protocol !== "https:" || url.username !== "" || url.password !== "")
      throw refused("a link to a host that is not its own");
    const open = this.#others.get(url.origin);
    if (open !== undefined) return open;
    const { proxy, tls } = this.#settings;
    const origin: Origin = {
      // A client certificate is a credential.
      pool: openPool(url.origin, { proxy, tls: named.takesCredentials ? tls : { ca: tls?.ca } }),
      takesCredentials: named.takesCredentials,
      host: url.host,
      pathOf: (path) => pathAndQuery(new URL(path)),
    };
    this.#makeRoom();
    this.#others.set(url.origin, origin);
    return origin;
  }

  #makeRoom(): void {
    const [oldest] = this.#others;
    if (oldest === undefined || this.#others.size < otherOriginsMax) return;
    const [name, { pool }] = oldest;
    this.#others.delete(name);
    // It waits for the requests in flight, in the background.
    pool.close().catch(() => undefined);
  }
}

function openPool(origin: string, connection: ConnectionSettings): Pool {
  return new Pool(origin, {
    connections: connectionsMax,
    // Pooled buffers rely on this: a chunk holds bytes of one reply only (`runtime/reply-buffers.ts`).
    pipelining: 1,
    connect: createConnector(connection),
    keepAliveTimeout: keepAliveMs,
    maxResponseSize: replyBytesMax,
  });
}

/** `URL` has lowered the case of the host. */
export function matchesHost(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function pathAndQuery({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}

function refused(what: string): GatewayError {
  return errorOf("upstream_invalid_reply", { reason: `it has ${what}` });
}

import { get } from "node:http";
import type { LoopbackServer, OfferedModels } from "@model-gateway/providers/detection";
import type { Provider } from "@model-gateway/providers/provider";
import type { withTimeout } from "@model-gateway/runtime/with-timeout";
import {
  type DetectionPlace,
  type FoundUpstream,
  type FoundUpstreams,
  withUsableNames,
} from "./detection.js";
import { isOwnAddress, loopbackOrigins } from "./own-address.js";

/** The bound for all servers together. A port that is closed refuses at once. */
const probesMs = 300;
const listBytesMax = 1024 * 1024;

/** Servers to look for, and where. */
interface ServerCandidate {
  readonly provider: string;
  readonly server: LoopbackServer;
  /** Only http on loopback. */
  readonly origins: readonly string[];
  /** The variable with the address. Undefined: the usual port. */
  readonly variable?: string;
}

/** The servers that run on this machine. All are asked for their models at the same time, each with one request. */
export async function findServers(
  providers: readonly Provider[],
  place: DetectionPlace,
  limit: typeof withTimeout,
): Promise<FoundUpstreams> {
  const sought = providers.flatMap(({ name, servers = [] }) =>
    servers.map((server) => locate({ provider: name, server }, place)),
  );
  const candidates = sought.flatMap((one) => (typeof one === "string" ? [] : one));
  const found = new Map<ServerCandidate, FoundUpstream>();
  const bound = new AbortController();
  const probes = candidates.map(async (candidate) => {
    const upstream = await probe(candidate, bound.signal);
    if (upstream !== undefined && !bound.signal.aborted) found.set(candidate, upstream);
  });
  await limit(Promise.all(probes), probesMs, () => undefined);
  bound.abort();
  return {
    upstreams: candidates.flatMap((candidate) => found.get(candidate) ?? []),
    warnings: sought.flatMap((one) => (typeof one === "string" ? [one] : [])),
  };
}

/** Its addresses, or a sentence that says why it is not looked for. */
function locate(
  { provider, server }: Pick<ServerCandidate, "provider" | "server">,
  { environment }: DetectionPlace,
): ServerCandidate | string {
  const { title, port, address: own } = server;
  const written = own && environment[own.variable];
  if (own === undefined || written === undefined || written === "")
    return { provider, server, origins: withoutOwn([`http://localhost:${port}`], environment) };
  const { variable } = own;
  const address = own.read(written);
  if (address === undefined) return `${variable} is not an address. ${title} was left out.`;
  if (loopbackOrigins(address).length === 0)
    return `${variable} leads to another machine, which is not asked for its models. Add ${title} to a configuration file.`;
  return { provider, server, origins: withoutOwn([address], environment), variable };
}

function withoutOwn(addresses: readonly string[], environment: DetectionPlace["environment"]): string[] {
  return addresses.filter((address) => !isOwnAddress(address, environment)).flatMap(loopbackOrigins);
}

async function probe(
  { provider, server, origins, variable }: ServerCandidate,
  signal: AbortSignal,
): Promise<FoundUpstream | undefined> {
  for (const origin of origins) {
    const offered = await listOffered(server, origin, signal);
    if (offered === undefined) continue;
    return {
      source: variable ?? `${server.title} at ${origin}`,
      name: server.name,
      settings: { provider, baseUrl: `${origin}${server.basePath}` },
      offered,
    };
  }
  return undefined;
}

/** The models that a server lists at an address. Undefined if it is not this server. */
export async function listOffered(
  { listPath, modelsIn }: LoopbackServer,
  origin: string,
  signal: AbortSignal,
): Promise<OfferedModels | undefined> {
  const list = await readList(`${origin}${listPath}`, signal);
  if (list === undefined) return undefined;
  try {
    const offered = modelsIn(JSON.parse(list));
    return offered && withUsableNames(offered);
  } catch {
    return undefined;
  }
}

/** Undefined for everything but a whole reply with status 200. No redirect is followed, and no proxy is used. */
function readList(url: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const give = (text?: string) => resolve(text);
    const options = { agent: false, signal, headers: { accept: "application/json" } };
    const request = get(url, options, (reply) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      if (reply.statusCode !== 200) {
        give();
        request.destroy();
        return;
      }
      reply.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= listBytesMax) chunks.push(chunk);
        else request.destroy(new Error("The list is too long."));
      });
      reply.on("end", () => give(Buffer.concat(chunks).toString("utf8")));
      reply.on("error", () => give());
      reply.on("close", () => give());
    });
    request.on("error", () => give());
  });
}

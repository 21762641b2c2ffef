import type { ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, startProgram, stopProgram, waitUntilListening } from "../processes.js";
import { benchKey, gatewayMain } from "../rivals/gateway.js";
import type { RivalOptions } from "../rivals/rival.js";
import { width } from "../workloads/sample-data.js";
import type { BackingServices } from "./backing-services.js";

export const adminKey = "bench-admin-key-0123456789-0123456789";

/** Gateways on one database, one Redis and one bucket. */
export interface Replicas {
  readonly count: number;
  /** Sends a request to a replica. Throws if the status is not 2xx. */
  send(replica: number, request: ReplicaRequest): Promise<Response>;
  close(): Promise<void>;
}

export interface ReplicaRequest {
  readonly path: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. Without a body it is a GET. */
  readonly body?: object | FormData;
}

export async function startReplicas(
  count: number,
  options: RivalOptions,
  services: BackingServices,
): Promise<Replicas> {
  const started: { readonly child: ChildProcess; readonly port: number }[] = [];
  const close = async () => {
    await Promise.all(started.map(({ child }) => stopProgram(child)));
  };
  try {
    for (let number = 0; number < count; number += 1)
      started.push(await startReplica(`replica-${count}-${number}`, options, services));
  } catch (failure) {
    await close();
    throw failure;
  }
  return {
    count,
    send: (replica, request) => send(started[replica % count]?.port ?? 0, request),
    close,
  };
}

async function startReplica(name: string, options: RivalOptions, services: BackingServices) {
  const port = await freePort();
  const folder = join(options.folder, name);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "gateway.yaml");
  writeFileSync(path, configuration(options.upstreamPort, services));
  const child = startProgram({
    command: process.execPath,
    arguments: [gatewayMain, "--config", path],
    environment: { PORT: String(port), DATA_DIR: join(folder, "data"), GATEWAY_ADMIN_KEY: adminKey },
  });
  await waitUntilListening(port, child);
  return { child, port };
}

/** The cache in memory holds no vector, so that each hit is one in Redis. */
function configuration(upstreamPort: number, services: BackingServices): string {
  const embedding = `type: embedding, dimensions: ${width}, price: { perMillionTokens: 0.02 }`;
  return [
    "logLevel: error",
    `databaseUrl: ${services.databaseUrl}`,
    `redisUrl: ${services.redisUrl}`,
    `keys: [{ name: bench, key: ${benchKey} }]`,
    "limits: { cacheBytesMax: 1 }",
    "images:",
    `  { store: s3, endpoint: "${services.bucketUrl}", bucket: bench, region: auto, accessKeyId: id, secretAccessKey: secret }`,
    "upstreams:",
    `  fake: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${upstreamPort}/v1", apiKey: upstream-key }`,
    "models:",
    `  plain: { ${embedding}, targets: [{ upstream: fake, model: plain }] }`,
    `  cached: { ${embedding}, cache: { ttl: 24h }, targets: [{ upstream: fake, model: cached }] }`,
    "  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }",
  ].join("\n");
}

async function send(
  port: number,
  { path, key = benchKey, headers, body }: ReplicaRequest,
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${key}`,
      ...(isJson && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 500)}`);
  return response;
}

import { randomUUID } from "node:crypto";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { describeRequest } from "../../../src/api/documents/RequestRecord.js";
import { emptyRow } from "../../../src/usage/ledger/ledger-columns.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { GatewayFolder, patientTimers } from "../../gateway/built.js";
import { InProcessFolder, type InProcessGateway } from "../../gateway/in-process.js";
import { type TestGateway, testKey } from "../../gateway/test-gateway.js";
import { describeStageOfTier, type OpenStage, type Stage } from "../../servers/stages.js";

/** A gateway on one of the stages, and the means to call it and to read its ledger. */
export interface UsageFixture {
  readonly upstream: FakeUpstream;
  readonly home: UsageHome;
  gateway(): TestGateway;
  admin(): AdminClient;
  /** A unique part for names of keys and models, since Redis is shared. */
  readonly own: string;
  config(changes?: ConfigChanges): string;
  createKey(more?: Partial<Schemas["CreateKeyRequest"]>): Promise<Schemas["CreatedKey"]>;
  post(path: string, body: object | string, request: PostRequest): Promise<Response>;
  restart(): Promise<void>;
}

export interface ConfigChanges {
  /** The limit of the configured key. */
  readonly requestsPerMinute?: number;
}

export interface PostRequest {
  readonly key: Pick<Schemas["CreatedKey"], "value">;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The folder of a gateway. */
export interface UsageHome {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The log of its gateways. */
  readonly output: string;
  start(): Promise<TestGateway>;
  /** Changes the configuration of the gateway that runs. */
  configure(config: string): Promise<void>;
  remove(): Promise<void>;
}

/** The record of a request that used nothing. */
export function emptyRecord(): Schemas["RequestRecord"] {
  return describeRequest({ ...emptyRow, id: "req_empty", at: Date.now(), operation: "createEmbedding" });
}

/** Runs a suite with one gateway, on each of the stages. */
export function describeUsage(name: string, tests: (fixture: UsageFixture) => void): void {
  describeStageOfTier(name, (stage) => {
    const own = randomUUID().slice(0, 8);
    const used = [`config:file-${own}`, `scarce-${own}`];
    let servers: OpenStage;
    let gateway: TestGateway;
    const fixture = { own } as { -readonly [K in keyof UsageFixture]: UsageFixture[K] };
    const post: UsageFixture["post"] = (path, body, { key, headers, signal }) =>
      fetch(`${gateway.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key.value}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...(signal && { signal }),
      });

    beforeAll(async () => {
      servers = await stage.open();
      const upstream = await startFakeUpstream();
      const config = (changes: ConfigChanges = {}) => configOf(upstream.baseUrl, own, changes);
      const home = homeOn(stage, config(), servers.environment);
      Object.assign(fixture, {
        upstream,
        home,
        config,
        post,
        gateway: () => gateway,
        admin: () => new AdminClient(gateway.url),
        createKey: async (more: Partial<Schemas["CreateKeyRequest"]> = {}) => {
          const key = await fixture.admin().createKey({ name: "tester", ...more });
          used.push(key.id);
          return key;
        },
        restart: async () => {
          await gateway.stop();
          gateway = await home.start();
        },
      });
      gateway = await home.start();
    });
    beforeEach(() => fixture.upstream.follow({}));
    afterAll(async () => {
      await fixture.home.remove();
      await servers.close(used);
      await fixture.upstream.close();
    });
    tests(fixture);
  });
}

/**
 * A gateway that shares Redis and PostgreSQL is a process with patient timers: on a busy machine one in this process
 * would correctly go on without them, which these tests do not cover.
 */
function homeOn(stage: Stage, config: string, environment: Readonly<Record<string, string>>): UsageHome {
  if (!stage.isShared) return inThisProcess(config, environment);
  const home = new GatewayFolder(config, environment);
  return {
    folder: home.folder,
    environment: home.environment,
    get output() {
      return home.output;
    },
    start: () => home.start({}, { preload: patientTimers }),
    // The gateway watches its file.
    configure: async (changed) => home.configure(changed),
    remove: () => home.remove(),
  };
}

function inThisProcess(config: string, environment: Readonly<Record<string, string>>): UsageHome {
  const home = new InProcessFolder(`port: 0\n${config}`, environment);
  let running: InProcessGateway | undefined;
  return {
    folder: home.folder,
    environment: home.environment,
    get output() {
      return home.output;
    },
    start: async () => {
      running = await home.start();
      return running;
    },
    configure: async (changed) => running?.reload(`port: 0\n${changed}`),
    remove: () => home.remove(),
  };
}

/** The fake upstream counts every letter as a token, so each letter costs $0.001. */
function configOf(baseUrl: string, own: string, { requestsPerMinute = 1000 }: ConfigChanges): string {
  const text = "type: embedding, dimensions: 8, price: { perMillionTokens: 1000 }";
  const failing = "upstream: fake, model: status-503, space: one";
  // Models of one space share cached vectors.
  const inSpace = (space: string) => `targets: [{ upstream: fake, model: text, space: ${space} }]`;
  const targets = (model: string) => `targets: [{ upstream: fake, model: ${model} }]`;
  return `
keys: [{ name: file-${own}, key: ${testKey}, limits: { requestsPerMinute: ${requestsPerMinute} } }]
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${baseUrl}", apiKey: sk-secret-of-the-upstream }
  nowhere: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
  impatient: { provider: openai-compatible, baseUrl: "${baseUrl}", timeoutMs: 2000 }
models:
  text: { ${text}, ${targets("text")} }
  cached: { ${text}, cache: { ttl: 1h }, ${targets("text")} }
  uncounted: { ${text}, cache: { ttl: 1h, countTokens: false }, ${inSpace("uncounted")} }
  two-prices:
    type: embedding
    dimensions: 8
    cache: { ttl: 1h }
    targets:
      - { upstream: fake, model: text, space: two, price: { perMillionTokens: 1000 } }
      - { upstream: fake, model: also-text, space: two, price: { perMillionTokens: 500 } }
  unpriced-cached: { type: embedding, dimensions: 8, cache: { ttl: 1h }, ${inSpace("unpriced")} }
  broken: { ${text}, retries: { max: 0 }, ${targets("status-500")} }
  second: { ${text}, targets: [{ ${failing} }, { upstream: fake, model: text, space: one, tier: 2 }] }
  saved: { ${text}, targets: [{ upstream: impatient, model: flaky, space: saved }, { upstream: fake, model: text, space: saved, tier: 2 }] }
  unpriced: { type: embedding, dimensions: 8, ${targets("text")} }
  late: { ${text}, retries: { max: 0 }, targets: [{ upstream: impatient, model: text }] }
  down: { ${text}, retries: { max: 0 }, targets: [{ upstream: nowhere, model: text }] }
  any-*: { ${text}, retries: { max: 0 }, ${targets('"*"')} }
  scarce-${own}: { ${text}, limits: { requestsPerMinute: 2 }, ${targets("text")} }
  image: { type: image, profile: gpt-image, price: { perImage: 0.25 }, ${targets("image")} }
  by-size:
    type: image
    profile: gpt-image
    price: { perImage: { 1024x1024: { low: 0.01, high: 0.16 }, "*": 0.5 } }
    ${targets("by-size")}
  by-token:
    type: image
    profile: gpt-image
    price: { perMillionInputTokens: 100, perMillionOutputTokens: 1000 }
    ${targets("by-token")}
  broken-image: { type: image, profile: gpt-image, price: { perImage: 0.25 }, ${targets("status-500")} }
  moderated: { type: image, profile: gpt-image, price: { perImage: 0.25 }, ${targets("moderated")} }
  unpriced-image: { type: image, profile: gpt-image, ${targets("image")} }
`;
}

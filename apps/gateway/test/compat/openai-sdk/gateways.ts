import OpenAI from "openai";
import { afterAll, beforeAll } from "vitest";
import { defaultConfig } from "../../../src/config/default-config.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { startGateway, type TestGateway, testKey } from "../../running-gateway.js";

export interface ConnectedGateway {
  readonly gateway: TestGateway;
  /** The official client. Only its address and key are ours; it does not retry, so that a failure is seen at once. */
  readonly client: OpenAI;
}

/** For the tests of one file: a gateway as it starts without a configuration file. */
export function embeddedGateway(): ConnectedGateway {
  return connected(async () => ({ gateway: await startGateway(defaultConfig) }));
}

const embeddingModels = ["good", "stall", "status-429", "status-500", "status-503"];
const imageModels = ["image", "moderated", "stream-error", "stall-before-end"];

/** For the tests of one file: a gateway in front of the fake upstream. `hasty` is a model that it does not wait for. */
export function relayingGateway(): ConnectedGateway & { readonly upstream: FakeUpstream } {
  let upstream: FakeUpstream | undefined;
  const relaying = connected(async () => {
    upstream = await startFakeUpstream();
    return { gateway: await startGateway(relayingConfig(upstream)) };
  });
  afterAll(() => upstream?.close());
  return {
    get gateway() {
      return relaying.gateway;
    },
    get client() {
      return relaying.client;
    },
    get upstream() {
      return upstream as FakeUpstream;
    },
  };
}

export function clientOf(gateway: TestGateway, apiKey = testKey): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
}

function connected(start: () => Promise<{ gateway: TestGateway }>): ConnectedGateway {
  let started: ConnectedGateway | undefined;
  beforeAll(async () => {
    const { gateway } = await start();
    started = { gateway, client: clientOf(gateway) };
  });
  afterAll(() => started?.gateway.stop());
  return {
    get gateway() {
      return (started as ConnectedGateway).gateway;
    },
    get client() {
      return (started as ConnectedGateway).client;
    },
  };
}

function relayingConfig({ baseUrl }: FakeUpstream): string {
  return `
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  hasty: { provider: openai-compatible, baseUrl: "${baseUrl}", timeoutMs: 100 }
models:
${embeddingModels.map((name) => `  ${name}: { type: embedding, tokenizer: cl100k_base, dimensions: 8, targets: [{ upstream: fake, model: ${name} }] }`).join("\n")}
${imageModels.map((name) => `  ${name}: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: ${name} }] }`).join("\n")}
  hasty: { type: embedding, dimensions: 8, targets: [{ upstream: hasty, model: stall }] }
`;
}

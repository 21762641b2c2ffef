import { defaultConfig } from "@model-gateway/config/default-config";
import OpenAI from "openai";
import type { FakeUpstream } from "../../../fake-upstream/fake-upstream.mjs";
import { type SuiteGateway, suiteGateway } from "../../../gateway/suite.js";
import { type TestGateway, testKey } from "../../../gateway/test-gateway.js";

export interface ConnectedGateway extends SuiteGateway {
  /** The official client. It does not retry, so that a failure is seen at once. */
  readonly client: OpenAI;
}

/** For the tests of one file: a gateway as it starts without a configuration file. */
export function embeddedGateway(): ConnectedGateway {
  return connected(suiteGateway(() => defaultConfig));
}

const embeddingModels = ["good", "stall", "status-429", "status-500", "status-503"];
const imageModels = ["image", "moderated", "stream-error", "stall-before-end"];

/** For the tests of one file: a gateway in front of the fake upstream. `hasty` is a model with a short timeout. */
export function relayingGateway(): ConnectedGateway {
  return connected(suiteGateway(relayingConfig));
}

export function clientOf(gateway: TestGateway, apiKey = testKey): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
}

function connected(suite: SuiteGateway): ConnectedGateway {
  let client: OpenAI | undefined;
  return {
    get gateway() {
      return suite.gateway;
    },
    get upstream() {
      return suite.upstream;
    },
    get client() {
      client ??= clientOf(suite.gateway);
      return client;
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

import { createKeyText } from "@model-gateway/domain/key-text";
import type { Schemas } from "@model-gateway/domain/operations";
import type { OpenProvider } from "@model-gateway/providers/provider";
import { openUpstream } from "@model-gateway/providers/registry";
import type { FakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type SuiteGateway, suiteGateway } from "../../gateway/suite.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { createFaultyStorage, type StorageCondition } from "./faulty-storage.js";

const embeddingModels = [
  "good",
  "status-400",
  "status-429",
  "status-500",
  "status-401",
  "status-503",
  "stall",
  "garbage",
  "one-short",
];
const imageModels = [
  "image",
  "good",
  "status-400",
  "status-429",
  "status-500",
  "status-503",
  "stall",
  "garbage",
  "no-images",
  "moderated",
  "cut",
];

export interface ContractGateway extends SuiteGateway {
  /** The headers of a key that may call no model. */
  restricted(): Promise<{ readonly headers: { readonly authorization: string } }>;
  /** Headers that send a request with a new key with these limits. */
  limited(
    limits: Schemas["UsageLimitsChange"],
  ): Promise<{ readonly headers: { readonly authorization: string } }>;
  /** The same with a budget. */
  budgeted(budget: Schemas["Budget"]): ReturnType<ContractGateway["limited"]>;
  /** The same for a key of the priority `bulk`. */
  bulk(): ReturnType<ContractGateway["limited"]>;
  /** Sends a request with a key that only the database knows, while it is down or has a bug. */
  sendWithoutStorage(path: string, condition?: StorageCondition, method?: string): Promise<Response>;
  /** While it runs, the gateway cannot even report its models' state. */
  broken<T>(run: () => Promise<T>): Promise<T>;
}

/** A gateway in front of the fake upstream, for the tests of one operation. `faulty` is a model with a bug in it. */
export function contractGateway(type: "embedding" | "image"): ContractGateway {
  let isBroken = false;
  const faulty: OpenProvider = {
    operations: { createEmbedding: bug, createImage: bug, createImageEdit: bug },
    unavailable: () => (isBroken ? bug() : undefined),
    close: async () => undefined,
  };
  const storage = createFaultyStorage();
  const suite = suiteGateway((upstream) => configOf(type, upstream), {
    openUpstream: async (one, tools) => (one.name === "faulty" ? faulty : openUpstream(one, tools)),
    openStorage: storage.open,
  });
  const withKey = async (key: Schemas["CreateKeyRequest"]) => {
    const created = await suite.gateway.sendJson("/admin/v1/keys", key, {
      headers: { authorization: `Bearer ${testAdminKey}` },
    });
    const { value } = (await created.json()) as Schemas["CreatedKey"];
    return { headers: { authorization: `Bearer ${value}` } };
  };
  return {
    restricted: () => withKey({ name: "restricted", models: ["nothing-*"] }),
    limited: (limits) => withKey({ name: "limited", limits }),
    budgeted: (budget) => withKey({ name: "budgeted", budget }),
    bulk: () => withKey({ name: "bulk", priority: "bulk" }),
    sendWithoutStorage: (path, condition = "unavailable", method = "GET") => {
      const headers = { authorization: `Bearer ${createKeyText("mg_")}` };
      return storage.during(condition, () => suite.gateway.send(path, { method, headers }));
    },
    get gateway() {
      return suite.gateway;
    },
    get upstream() {
      return suite.upstream;
    },
    broken: async (run) => {
      isBroken = true;
      return run().finally(() => {
        isBroken = false;
      });
    },
  };
}

function configOf(type: "embedding" | "image", { baseUrl }: FakeUpstream): string {
  const models = type === "embedding" ? embeddingModels : imageModels;
  const shape =
    type === "embedding"
      ? "type: embedding, dimensions: 8, maxInputs: 4, tokenizer: cl100k_base, price: { perMillionTokens: 10000 }"
      : "type: image, profile: gpt-image, price: { perImage: 0.25 }";
  // So that responses announce the end of a model.
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const lines = models.map((model) => {
    const end = model === "good" || model === "image" ? `, shutdownDate: ${soon}` : "";
    return `  ${model}: { ${shape}${end}, targets: [{ upstream: ${model === "stall" ? "slow" : "fake"}, model: ${model} }] }`;
  });
  return `
limits: { jsonBytesMax: 100000, fileBytesMax: 100000 }
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  slow: { provider: openai-compatible, baseUrl: "${baseUrl}", timeoutMs: 300 }
  typed: { provider: voyage, baseUrl: "${baseUrl}", apiKey: any-key }
  gone: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
  faulty: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
models:
${lines.join("\n")}
${type === "embedding" ? `  cached: { ${shape}, cache: { ttl: 1h }, targets: [{ upstream: fake, model: good }] }` : ""}
${type === "embedding" ? typedModels : ""}
  gone: { ${shape}, targets: [{ upstream: gone, model: gone }] }
  faulty: { ${shape}, targets: [{ upstream: faulty, model: faulty }] }
${type === "image" ? "  only-png: { type: image, profile: { like: gpt-image, outputFormats: [png], maxN: 1, streaming: false }, targets: [{ upstream: fake, model: only-png }] }" : ""}
${type === "image" ? furtherImageModels : ""}
  org/image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: good }] }
  org/model x: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good }] }
  other-type: { type: ${type === "embedding" ? "image" : "embedding"}, targets: [{ upstream: fake, model: good }] }
`;
}

const typedModels = `
  jpeg-only: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good, inputImages: { imageTypes: [jpeg] } }] }
  short: { type: embedding, dimensions: 8, maxTokens: 4, tokenizer: cl100k_base, targets: [{ upstream: fake, model: good }] }
  narrow: { type: embedding, dimensions: 12, matryoshka: true, targets: [{ upstream: fake, model: good }] }
  undeclared: { type: embedding, targets: [{ upstream: fake, model: mixed-widths }] }
  typed: { type: embedding, dimensions: 8, inputType: document, targets: [{ upstream: typed, model: good }] }
  some-types: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good, inputTypeField: input_type, inputTypes: { query: q, document: d } }] }
  any-type: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good, passThrough: [input_type] }] }`;

const furtherImageModels = `
  away: { type: image, profile: gpt-image, retries: { max: 0 }, fallback: good, targets: [{ upstream: gone, model: away }] }
  newest: { type: image, profile: gpt-image-2.5, targets: [{ upstream: fake, model: newest }] }
  dall-e: { type: image, profile: dall-e, targets: [{ upstream: fake, model: dall-e }] }`;

function bug(): never {
  throw new TypeError("Cannot read properties of undefined, near a secret");
}

import { expect } from "vitest";
import { tokensPerImage } from "../../fake-upstream/contents.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { signsOf } from "../providers/unit-vectors.js";
import type { ContractCase, SaysError } from "./contract.js";
import type { ContractGateway } from "./gateway.js";
import { limitCases } from "./limit-cases.js";

/** Sends a request for a model: a valid one, with these fields replaced. */
export type AskModel = (model: string, fields?: object, init?: RequestInit) => () => Promise<Response>;

export interface AliasOptions {
  readonly context: ContractGateway;
  readonly ask: AskModel;
  /** The expected shape of an error with this code at these paths. */
  readonly says: SaysError;
}

/** The statuses that an alias must share with the path that it aliases. */
export function aliasCases({ context, ask, says }: AliasOptions) {
  const limits = limitCases(context, (init) => ask("good", {}, init)(), says);
  return {
    200: limits[200],
    400: [
      {
        name: "a request that the upstream refuses",
        send: ask("status-400"),
        expect: says("upstream_rejected"),
      },
    ],
    401: [
      {
        name: "a wrong key",
        send: ask("good", {}, { headers: { authorization: "Bearer wrong" } }),
        expect: says("invalid_api_key"),
      },
    ],
    403: [
      {
        name: "a key that may not call the model",
        send: async () => ask("good", {}, await context.restricted())(),
        expect: says("model_not_allowed", "model"),
      },
    ],
    404: [{ name: "an unknown model", send: ask("nope"), expect: says("model_not_found") }],
    413: [
      {
        name: "a body over the limit",
        send: ask("good", { model: "a".repeat(100_001) }),
        expect: says("content_too_large"),
      },
    ],
    415: [
      {
        name: "another content type",
        send: ask("good", {}, { headers: { "content-type": "text/plain" } }),
        expect: says("unsupported_content_type"),
      },
    ],
    429: [
      ...limits[429],
      { name: "a throttled upstream", send: ask("status-429"), expect: says("rate_limit_exceeded") },
    ],
    500: [{ name: "a bug", send: ask("faulty"), expect: says("internal_error") }],
    502: [{ name: "a failing upstream", send: ask("status-500"), expect: says("upstream_error") }],
    503: [{ name: "an upstream that is not there", send: ask("gone"), expect: says("upstream_unavailable") }],
    504: [{ name: "an upstream that never replies", send: ask("stall"), expect: says("upstream_timeout") }],
  } as const satisfies Record<number, readonly [ContractCase, ...ContractCase[]]>;
}

/** The cache behaviour of every embeddings path. */
export function cacheCase(ask: AskModel): ContractCase {
  return {
    name: "a model with a cache",
    send: ask("cached"),
    expect: (_body, response) => expect(response.headers.get("x-gateway-cache")).toBe("miss"),
  };
}

/** Quantised vectors on every path with OpenAI's request. */
export function dtypeCases(ask: AskModel): ContractCase[] {
  const bits = signsOf(vectorOf("hello", 8));
  return [
    {
      name: "bits are integers, although base64 was asked for",
      send: ask("good", { output_dtype: "ubinary", encoding_format: "base64" }),
      expect: (body, response) => {
        expect(body.data).toEqual([{ object: "embedding", index: 0, embedding: bits }]);
        expect(response.headers.get("x-gateway-space")).toMatch(/^[0-9a-f]{12}:8-ubinary$/);
      },
    },
    {
      name: "signed bits, by the encoding",
      send: ask("good", { encoding_format: "binary" }),
      expect: (body) => expect(body.data[0].embedding).toEqual(bits.map((byte) => byte - 128)),
    },
  ];
}

/** The vector-space behaviour of every embeddings path. */
export function spaceCases({ ask, says }: Omit<AliasOptions, "context">) {
  return {
    200: [
      {
        name: "the space of the vectors, and the input type that applied without being asked for",
        send: ask("typed"),
        expect: (_body, response) => {
          expect(response.headers.get("x-gateway-space")).toMatch(/^[0-9a-f]{12}:8:document$/);
          expect(response.headers.get("x-gateway-input-type")).toBe("document");
        },
      },
      {
        name: "vectors of the space that the caller asks for",
        send: async () => {
          const space = (await ask("good")()).headers.get("x-gateway-space") ?? "";
          return ask("good", {}, { headers: { "x-gateway-space": space } })();
        },
      },
    ],
    409: [
      {
        name: "vectors of another space than the caller asks for",
        send: ask("good", {}, { headers: { "x-gateway-space": "0123456789ab:8" } }),
        expect: says("space_mismatch", "x-gateway-space"),
      },
    ],
  } as const satisfies Record<number, readonly [ContractCase, ...ContractCase[]]>;
}

/** The same for an operation that calls no model. */
export function listCases({ context, says }: Omit<AliasOptions, "ask">, path: string) {
  return {
    401: [
      {
        name: "a wrong key",
        send: () => context.gateway.send(path, { headers: { authorization: "Bearer wrong" } }),
        expect: says("invalid_api_key"),
      },
    ],
    500: [
      {
        name: "a bug",
        send: () => context.sendWithoutStorage(path, "faulty"),
        expect: says("internal_error"),
      },
    ],
    503: [
      {
        name: "a key that only the database knows, while it is down",
        send: () => context.sendWithoutStorage(path),
        expect: says("storage_unavailable"),
      },
    ],
  } as const satisfies Record<number, readonly [ContractCase, ...ContractCase[]]>;
}

/** Images in inputs, where the form of requests is OpenAI's. */
export function contentCase(ask: AskModel): ContractCase {
  const url = `data:image/png;base64,${tinyPng.toString("base64")}`;
  const content = [
    { type: "text", text: "a pixel" },
    { type: "image_url", image_url: { url } },
  ];
  return {
    name: "an image is converted to a format that the upstream takes",
    send: ask("jpeg-only", { input: ["hello", { content }] }),
    expect: (body, response) => {
      expect(response.headers.get("x-gateway-converted-images")).toBe("1");
      expect(body.data[0].embedding).toEqual(vectorOf("hello", 8));
      expect(body.usage.prompt_tokens_details).toEqual({ text_tokens: 12, image_tokens: tokensPerImage });
    },
  };
}

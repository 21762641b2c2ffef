import { expect } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { cacheCase, contentCase, dtypeCases, spaceCases } from "./alias-cases.js";
import { contract, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";
import { limitCases } from "./limit-cases.js";

const context = contractGateway("embedding");
const pathOf = (model: string) => `/v1/engines/${model}/embeddings`;
const ask =
  (model: string, body: object = { input: "hello" }, init?: RequestInit) =>
  () =>
    context.gateway.sendJson(pathOf(model), body, init);

const limits = limitCases(context, (init) => ask("good", { input: "hello" }, init)());
const space = spaceCases({
  ask: (model, fields, init) => ask(model, { input: "hello", ...fields }, init),
  says: saysError,
});

contract("createEmbeddingLegacy", {
  200: [
    ...limits[200],
    cacheCase((model) => ask(model)),
    ...space[200],
    ...dtypeCases((model, fields) => ask(model, { input: "hello", ...fields })),
    contentCase((model, fields) => ask(model, { input: "hello", ...fields })),
    {
      name: "the model is in the path, and the response points to the successor",
      send: ask("good"),
      expect: (body, response) => {
        expect(body.data).toEqual([{ object: "embedding", index: 0, embedding: vectorOf("hello", 8) }]);
        expect(response.headers.get("link")).toBe('</v1/embeddings>; rel="successor-version"');
      },
    },
    { name: "the same model in the body is not a fault", send: ask("good", { model: "good", input: "a" }) },
    { name: "an id with a slash and a space, percent-encoded", send: ask("org%2Fmodel%20x") },
    {
      name: "a space written as a plus, as old clients do",
      send: ask("org%2Fmodel+x"),
      expect: (body) => expect(body.model).toBe("org/model x"),
    },
    {
      name: "a null parameter is absent, and never forwarded",
      send: ask("good", { input: "hello", encoding_format: null, dimensions: null, user: null }),
      expect: () =>
        expect(context.upstream.received.at(-1)?.body).toEqual({
          model: "good",
          input: ["hello"],
        }),
    },
    { name: "a slash that was not encoded", send: ask("org/model%20x") },
  ],
  400: [
    {
      name: "a request that the upstream refuses",
      send: ask("status-400"),
      expect: saysError("upstream_rejected"),
    },
    {
      name: "another model in the body",
      send: ask("good", { model: "gone", input: "a" }),
      expect: saysError("invalid_value", "model"),
    },
    { name: "no input", send: ask("good", {}), expect: saysError("missing_required_parameter", "input") },
    { name: "a broken percent sign in the path", send: ask("a%ZZ"), expect: saysError("invalid_url") },
  ],
  401: [
    {
      name: "a wrong key",
      send: ask("good", {}, { headers: { authorization: "Bearer wrong" } }),
      expect: saysError("invalid_api_key"),
    },
  ],
  403: [
    {
      name: "a key that may not call the model",
      send: async () => ask("good", { input: "hello" }, await context.restricted())(),
      expect: saysError("model_not_allowed", "model"),
    },
  ],
  404: [{ name: "an unknown model", send: ask("nope"), expect: saysError("model_not_found") }],
  409: space[409],
  413: [
    {
      name: "a body over the limit",
      send: ask("good", { input: "a".repeat(100_001) }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "another content type",
      send: ask("good", {}, { headers: { "content-type": "text/plain" } }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  429: [
    ...limits[429],
    { name: "a throttled upstream", send: ask("status-429"), expect: saysError("rate_limit_exceeded") },
  ],
  500: [{ name: "a bug", send: ask("faulty"), expect: saysError("internal_error") }],
  502: [{ name: "a failing upstream", send: ask("status-500"), expect: saysError("upstream_error") }],
  503: [
    { name: "an upstream that is not there", send: ask("gone"), expect: saysError("upstream_unavailable") },
  ],
  504: [
    { name: "an upstream that never replies", send: ask("stall"), expect: saysError("upstream_timeout") },
  ],
});

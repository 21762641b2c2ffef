import { expect } from "vitest";
import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { saysOllamaError, saysSentence } from "./says-ollama-error.js";

const context = contractGateway("embedding");
const path = "/api/show";
const ask =
  (body: object, init: RequestInit = {}) =>
  () =>
    context.gateway.sendJson(path, body, init);

const noDetails = {
  parent_model: "",
  format: "",
  family: "",
  families: [],
  parameter_size: "",
  quantization_level: "",
};

contract("retrieveOllamaModel", {
  200: [
    {
      name: "an embedding model, with what the gateway knows of it",
      send: ask({ model: "good", verbose: true }),
      expect: (body) =>
        expect(body).toEqual({
          license: "",
          modelfile: "",
          parameters: "",
          template: "",
          system: "",
          messages: [],
          details: noDetails,
          model_info: { "general.architecture": "gateway", "gateway.embedding_length": 8 },
          capabilities: ["embedding"],
          modified_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        }),
    },
    { name: "the name of older clients", send: ask({ name: "org/model x" }) },
  ],
  400: [
    { name: "no model", send: ask({}), expect: saysSentence("Missing required parameter: 'model'.") },
    { name: "an empty model", send: ask({ model: "" }), expect: saysSentence("model") },
    { name: "an id that is too long", send: ask({ model: "a".repeat(257) }), expect: saysSentence("model") },
    { name: "a number", send: ask({ model: 1 }), expect: saysSentence("model") },
    {
      name: "what the gateway cannot do",
      send: ask({ model: "good", template: "x" }),
      expect: saysSentence("Unknown parameter: 'template'."),
    },
    {
      name: "a model of another type",
      send: ask({ model: "other-type" }),
      expect: saysSentence("'other-type' is not an embedding model. It serves POST /v1/images/generations"),
    },
    {
      name: "broken JSON",
      send: () =>
        context.gateway.send(path, {
          method: "POST",
          body: "{",
          headers: { "content-type": "application/json" },
        }),
      expect: saysSentence("JSON"),
    },
  ],
  401: [
    {
      name: "a wrong key",
      send: ask({ model: "good" }, { headers: { authorization: "Bearer wrong" } }),
      expect: saysOllamaError("invalid_api_key"),
    },
  ],
  403: [
    {
      name: "a key that may not call the model",
      send: async () => ask({ model: "good" }, await context.restricted())(),
      expect: saysOllamaError("model_not_allowed"),
    },
  ],
  404: [
    { name: "an unknown model", send: ask({ model: "nope" }), expect: saysOllamaError("model_not_found") },
  ],
  413: [
    {
      name: "a body over the limit",
      send: ask({ model: "a".repeat(100_001) }),
      expect: saysOllamaError("content_too_large"),
    },
  ],
  415: [
    {
      name: "another content type",
      send: ask({ model: "good" }, { headers: { "content-type": "text/plain" } }),
      expect: saysOllamaError("unsupported_content_type"),
    },
  ],
  500: [
    {
      name: "a bug",
      send: () => context.broken(ask({ model: "faulty" })),
      expect: saysOllamaError("internal_error"),
    },
  ],
  503: [
    {
      name: "a key that only the database knows, while it is down",
      send: () => context.sendWithoutStorage(path, "unavailable", "POST"),
      expect: saysOllamaError("storage_unavailable"),
    },
  ],
});

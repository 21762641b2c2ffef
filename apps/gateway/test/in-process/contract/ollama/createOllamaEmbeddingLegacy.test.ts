import { expect } from "vitest";
import { vectorOf } from "../../../fake-upstream/vectors.mjs";
import { type AskModel, aliasCases, cacheCase, spaceCases } from "../alias-cases.js";
import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { saysOllamaError, saysSentence } from "./says-ollama-error.js";

const context = contractGateway("embedding");
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson("/api/embeddings", { model, prompt: "hello", ...fields }, init);

const alias = aliasCases({ context, ask, says: saysOllamaError });
const space = spaceCases({ ask, says: saysOllamaError });

contract("createOllamaEmbeddingLegacy", {
  ...alias,
  409: space[409],
  200: [
    ...alias[200],
    cacheCase(ask),
    ...space[200],
    {
      name: "one vector",
      send: ask("good", { keep_alive: "5m", options: {} }),
      expect: (body) => expect(body).toEqual({ embedding: vectorOf("hello", 8) }),
    },
  ],
  400: [
    ...alias[400],
    { name: "no prompt", send: ask("good", { prompt: undefined }), expect: saysSentence("'prompt'") },
    { name: "an empty prompt", send: ask("good", { prompt: "" }), expect: saysSentence("'prompt'") },
    {
      name: "an option of a model runner",
      send: ask("good", { options: { num_ctx: 4096 } }),
      expect: saysSentence("Unsupported parameter: 'options.num_ctx'."),
    },
    {
      name: "the input of the newer path",
      send: ask("good", { input: "a" }),
      expect: saysSentence("Unknown parameter: 'input'."),
    },
  ],
});

import { expect } from "vitest";
import { vectorOf } from "../../../fake-upstream/vectors.mjs";
import { type AskModel, aliasCases, cacheCase, contentCase, dtypeCases, spaceCases } from "../alias-cases.js";
import { contract, saysError } from "../contract.js";
import { contractGateway } from "../gateway.js";

const context = contractGateway("embedding");
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson("/openai/v1/embeddings", { model, input: "hello", ...fields }, init);

const alias = aliasCases({ context, ask, says: saysError });
const space = spaceCases({ ask, says: saysError });

contract("createAzureEmbedding", {
  ...alias,
  409: space[409],
  200: [
    ...alias[200],
    cacheCase(ask),
    ...space[200],
    ...dtypeCases(ask),
    contentCase(ask),
    {
      name: "the response of /v1/embeddings",
      send: ask("good"),
      expect: (body) =>
        expect(body).toEqual({
          object: "list",
          data: [{ object: "embedding", index: 0, embedding: vectorOf("hello", 8) }],
          model: "good",
          usage: { prompt_tokens: 5, total_tokens: 5 },
          id: expect.stringMatching(/^req_/),
        }),
    },
    {
      name: "any api-version",
      send: () =>
        context.gateway.sendJson("/openai/v1/embeddings?api-version=preview", {
          model: "good",
          input: "hello",
        }),
    },
  ],
  400: [
    ...alias[400],
    {
      name: "no model",
      send: ask("good", { model: undefined }),
      expect: saysError("missing_required_parameter", "model"),
    },
    {
      name: "two versions",
      send: () =>
        context.gateway.sendJson("/openai/v1/embeddings?api-version=a&api-version=b", {
          model: "good",
          input: "hello",
        }),
      expect: saysError("duplicate_parameter", "api-version"),
    },
  ],
});

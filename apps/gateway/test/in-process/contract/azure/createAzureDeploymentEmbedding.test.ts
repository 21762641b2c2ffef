import { expect } from "vitest";
import { vectorOf } from "../../../fake-upstream/vectors.mjs";
import { testKey } from "../../../gateway/test-gateway.js";
import { type AskModel, aliasCases, cacheCase, contentCase, dtypeCases, spaceCases } from "../alias-cases.js";
import { contract, saysError } from "../contract.js";
import { contractGateway } from "../gateway.js";

const context = contractGateway("embedding");
const pathOf = (model: string) => `/openai/deployments/${model}/embeddings?api-version=2024-10-21`;
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson(pathOf(model), { input: "hello", ...fields }, init);

const alias = aliasCases({ context, ask, says: saysError });
const space = spaceCases({ ask, says: saysError });

contract("createAzureDeploymentEmbedding", {
  ...alias,
  409: space[409],
  200: [
    ...alias[200],
    cacheCase(ask),
    ...space[200],
    ...dtypeCases(ask),
    contentCase(ask),
    {
      name: "the deployment is the model",
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
      name: "the key in the header of Azure's clients",
      send: ask("good", {}, { headers: { authorization: "", "api-key": testKey } }),
    },
    {
      name: "another model in the body has no effect",
      send: ask("good", { model: "text-embedding-ada-002" }),
      expect: (body) => {
        expect(body.model).toBe("good");
        expect(context.upstream.received.at(-1)?.body).toMatchObject({ model: "good" });
      },
    },
    { name: "an empty model in the body", send: ask("good", { model: "" }) },
    { name: "no model in the body, and null options", send: ask("good", { model: null, dimensions: null }) },
    { name: "an id with a slash and a space, percent-encoded", send: ask("org%2Fmodel%20x") },
    {
      name: "a slash that was not encoded",
      send: ask("org/model%20x"),
      expect: (body) => expect(body.model).toBe("org/model x"),
    },
    {
      name: "no api-version",
      send: () => context.gateway.sendJson("/openai/deployments/good/embeddings", { input: "hello" }),
    },
  ],
  400: [
    ...alias[400],
    {
      name: "no input",
      send: ask("good", { input: undefined }),
      expect: saysError("missing_required_parameter", "input"),
    },
    {
      name: "an option that does not exist",
      send: ask("good", { inputs: "a" }),
      expect: saysError("unknown_parameter", "inputs"),
    },
    { name: "a broken percent sign in the path", send: ask("a%ZZ"), expect: saysError("invalid_url") },
  ],
});

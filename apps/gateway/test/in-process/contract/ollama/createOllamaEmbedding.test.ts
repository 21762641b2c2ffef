import { expect } from "vitest";
import { vectorOf } from "../../../fake-upstream/vectors.mjs";
import { type AskModel, aliasCases, cacheCase, spaceCases } from "../alias-cases.js";
import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { saysOllamaError, saysSentence } from "./says-ollama-error.js";

const context = contractGateway("embedding");
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson("/api/embed", { model, input: "hello", ...fields }, init);

const alias = aliasCases({ context, ask, says: saysOllamaError });
const space = spaceCases({ ask, says: saysOllamaError });

contract("createOllamaEmbedding", {
  ...alias,
  409: space[409],
  200: [
    ...alias[200],
    cacheCase(ask),
    ...space[200],
    {
      name: "a string becomes one vector, in a list",
      send: ask("good"),
      expect: (body) =>
        expect(body).toEqual({
          model: "good",
          embeddings: [vectorOf("hello", 8)],
          total_duration: expect.any(Number),
          load_duration: 0,
          prompt_eval_count: 5,
        }),
    },
    {
      name: "several strings keep their order",
      send: ask("good", { input: ["a", "b", "a"] }),
      expect: (body) => expect(body.embeddings).toEqual(["a", "b", "a"].map((text) => vectorOf(text, 8))),
    },
    {
      name: "what clients send without need has no effect, and is never forwarded",
      send: ask("good", {
        truncate: false,
        keep_alive: "5m",
        options: { num_ctx: null, seed: null },
        dimensions: null,
      }),
      expect: () =>
        expect(context.upstream.received.at(-1)?.body).toEqual({
          model: "good",
          input: ["hello"],
        }),
    },
    { name: "permission to cut an input that fits", send: ask("good", { truncate: true }) },
    {
      name: "a model with the tag that its clients add",
      send: ask("good:latest"),
      expect: (body) =>
        expect(body).toMatchObject({ model: "good:latest", embeddings: [vectorOf("hello", 8)] }),
    },
    { name: "null is absent", send: ask("good", { truncate: null, keep_alive: null, options: null }) },
    { name: "keep_alive as a number", send: ask("good", { keep_alive: -1 }) },
    { name: "a model id with a slash", send: ask("org/model x") },
  ],
  400: [
    ...alias[400],
    { name: "no input", send: ask("good", { input: undefined }), expect: saysSentence("'input'") },
    { name: "an empty input", send: ask("good", { input: "" }), expect: saysSentence("input") },
    { name: "token ids", send: ask("good", { input: [1, 2] }), expect: saysSentence("input[0]") },
    {
      name: "an input that is too long, and may be cut",
      send: ask("short", { input: "one two three four five six", truncate: true }),
      expect: saysSentence("input"),
    },
    {
      name: "an option of a model runner",
      send: ask("good", { options: { temperature: null, num_ctx: 4096 } }),
      expect: saysSentence("Unsupported parameter: 'options.num_ctx'."),
    },
    {
      name: "an option that does not exist",
      send: ask("good", { prompt: "a" }),
      expect: saysSentence("Unknown parameter: 'prompt'."),
    },
    {
      name: "dimensions that the model lacks",
      send: ask("good", { dimensions: 4 }),
      expect: saysSentence("dimensions"),
    },
    { name: "a model of another type", send: ask("other-type"), expect: saysSentence("does not serve") },
    { name: "too many inputs", send: ask("good", { input: Array(2049).fill("a") }) },
    {
      name: "broken JSON",
      send: () =>
        context.gateway.send("/api/embed", {
          method: "POST",
          body: "{",
          headers: { "content-type": "application/json" },
        }),
      expect: saysSentence("JSON"),
    },
  ],
});

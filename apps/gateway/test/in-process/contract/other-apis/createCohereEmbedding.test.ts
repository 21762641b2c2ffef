import { expect } from "vitest";
import { tokensPerImage } from "../../../fake-upstream/contents.mjs";
import { tinyPng } from "../../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../../fake-upstream/vectors.mjs";
import { base64Of, signsOf } from "../../providers/unit-vectors.js";
import { type AskModel, aliasCases, cacheCase, spaceCases } from "../alias-cases.js";
import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { sentencesIn } from "../says-sentence.js";

const context = contractGateway("embedding");
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson(
    "/v2/embed",
    { model, texts: ["hello"], input_type: "search_document", ...fields },
    init,
  );

const { saysError, saysSentence } = sentencesIn((message) => ({
  id: expect.stringMatching(/^req_[0-9a-f]{32}$/),
  message,
}));
const alias = aliasCases({ context, ask, says: saysError });
const space = spaceCases({ ask, says: saysError });

const url = `data:image/png;base64,${tinyPng.toString("base64")}`;
const image = { type: "image_url", image_url: { url } };
const numbers = vectorOf("hello", 8);

contract("createCohereEmbedding", {
  ...alias,
  409: space[409],
  200: [
    ...alias[200],
    cacheCase(ask),
    ...space[200],
    {
      name: "texts become floats, in their order",
      send: ask("good", { texts: ["a", "b", "a"] }),
      expect: (body, response) =>
        expect(body).toEqual({
          id: response.headers.get("x-request-id"),
          embeddings: { float: ["a", "b", "a"].map((text) => vectorOf(text, 8)) },
          meta: { api_version: { version: "2" }, billed_units: { input_tokens: 3 } },
          response_type: "embeddings_by_type",
        }),
    },
    {
      name: "all types that are made from floats, at once",
      send: ask("good", { embedding_types: ["binary", "base64", "float", "ubinary", "float"] }),
      expect: (body, response) => {
        expect(body.embeddings).toEqual({
          binary: [signsOf(numbers).map((byte) => byte - 128)],
          base64: [base64Of(numbers)],
          float: [numbers],
          ubinary: [signsOf(numbers)],
        });
        expect(response.headers.get("x-gateway-space")).toMatch(/^[0-9a-f]{12}:8$/);
      },
    },
    {
      name: "one type of integers has its own space",
      send: ask("good", { embedding_types: ["ubinary"] }),
      expect: (body, response) => {
        expect(body.embeddings).toEqual({ ubinary: [signsOf(numbers)] });
        expect(response.headers.get("x-gateway-space")).toMatch(/^[0-9a-f]{12}:8-ubinary$/);
      },
    },
    {
      name: "an input with an image is converted to a format that the upstream takes",
      send: ask("jpeg-only", {
        texts: undefined,
        inputs: [
          { content: [{ type: "text", text: "hello" }] },
          { content: [{ type: "text", text: "a pixel" }, image] },
        ],
      }),
      expect: (body, response) => {
        expect(response.headers.get("x-gateway-converted-images")).toBe("1");
        expect(body.embeddings.float[0]).toEqual(numbers);
        expect(body.meta.billed_units).toEqual({ input_tokens: 12, image_tokens: tokensPerImage, images: 1 });
      },
    },
    {
      name: "images",
      send: ask("jpeg-only", { texts: undefined, images: [url, url], input_type: "image" }),
      expect: (body) => {
        expect(body.embeddings.float).toHaveLength(2);
        expect(body.meta.billed_units.images).toBe(2);
      },
    },
    {
      name: "an input type in Cohere's words, for a model that has it",
      send: ask("typed", { input_type: "search_query" }),
      expect: (_body, response) => {
        expect(context.upstream.received.at(-1)?.body).toMatchObject({ input_type: "query" });
        expect(response.headers.get("x-gateway-input-type")).toBe("query");
      },
    },
    {
      name: "an input type for a model without any has no effect",
      send: ask("good", { input_type: "clustering" }),
      expect: (_body, response) => {
        expect(context.upstream.received.at(-1)?.body).toEqual({ model: "good", input: ["hello"] });
        expect(response.headers.get("x-gateway-input-type")).toBeNull();
      },
    },
    {
      name: "an input type as it is, for a model that passes it through",
      send: ask("any-type", { input_type: "search_query" }),
      expect: () =>
        expect(context.upstream.received.at(-1)?.body).toMatchObject({ input_type: "search_query" }),
    },
    { name: "permission to cut an input that fits", send: ask("good", { truncate: "END" }) },
    {
      name: "null is absent",
      send: ask("good", {
        images: null,
        inputs: null,
        input_type: null,
        embedding_types: null,
        output_dimension: null,
        truncate: null,
      }),
    },
    { name: "a model id with a slash", send: ask("org/model x") },
  ],
  400: [
    ...alias[400],
    {
      name: "no inputs",
      send: ask("good", { texts: undefined }),
      expect: saysSentence(
        "Missing required parameter: 'texts'. Send one of 'texts', 'images' and 'inputs'.",
      ),
    },
    {
      name: "two lists of inputs",
      send: ask("good", { images: [url] }),
      expect: saysSentence("Invalid 'images': the inputs are in 'texts' already."),
    },
    { name: "an empty list", send: ask("good", { texts: [] }), expect: saysSentence("'texts'") },
    { name: "an empty text", send: ask("good", { texts: ["a", ""] }), expect: saysSentence("'texts'") },
    {
      name: "too many inputs for the model",
      send: ask("good", { texts: Array(5).fill("a") }),
      expect: saysSentence("Invalid 'texts': array length must be 4 or less for this model, but it is 5."),
    },
    {
      name: "an image for a model that takes text alone",
      send: ask("good", { texts: undefined, images: [url] }),
      expect: saysSentence("'images[0]'"),
    },
    {
      name: "an image in an input for a model that takes text alone",
      send: ask("good", { texts: undefined, inputs: [{ content: [image] }] }),
      expect: saysSentence("'inputs[0].content[0]'"),
    },
    {
      name: "an image that is none",
      send: ask("jpeg-only", { texts: undefined, images: [url, "data:image/png;base64,AAAA"] }),
      expect: saysSentence("'images[1]'"),
    },
    {
      name: "integers beside floats",
      send: ask("good", { embedding_types: ["float", "int8"] }),
      expect: saysSentence("Invalid 'embedding_types': 'int8' must be the only type"),
    },
    {
      name: "integers that no provider makes",
      send: ask("good", { embedding_types: ["int8"] }),
      expect: saysSentence("'embedding_types' does not support 'int8'"),
    },
    {
      name: "bits of a width that is not divisible by 8, beside floats",
      send: ask("narrow", { embedding_types: ["float", "ubinary"] }),
      expect: saysSentence("'embedding_types' does not support 'ubinary'"),
    },
    {
      name: "the same where the width is known only afterwards",
      send: ask("undeclared", { embedding_types: ["binary", "float"] }),
      expect: saysSentence("'embedding_types' does not support 'binary'"),
    },
    {
      name: "a width that the model lacks",
      send: ask("good", { output_dimension: 4 }),
      expect: saysSentence("output_dimension"),
    },
    {
      name: "an input type that the model lacks",
      send: ask("some-types", { input_type: "clustering" }),
      expect: saysSentence("Supported values are: 'search_query', 'search_document'."),
    },
    {
      name: "the input type of images for texts",
      send: ask("good", { input_type: "image" }),
      expect: saysSentence("Invalid 'input_type': it is 'image', but the inputs are texts."),
    },
    {
      name: "a maximum at which inputs would be cut",
      send: ask("good", { max_tokens: 5 }),
      expect: saysSentence("Unknown parameter: 'max_tokens'."),
    },
    { name: "a model of another type", send: ask("other-type"), expect: saysSentence("does not serve") },
  ],
});

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
const text = (words: string) => ({ type: "text", text: words });
const input = (...content: object[]) => ({ content });
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson(
    "/v1/multimodalembeddings",
    { model, inputs: [input(text("hello"))], ...fields },
    init,
  );

const { saysError, saysSentence } = sentencesIn((message) => ({ detail: message }));
const alias = aliasCases({ context, ask, says: saysError });
const space = spaceCases({ ask, says: saysError });

const url = `data:image/png;base64,${tinyPng.toString("base64")}`;
const image = { type: "image_base64", image_base64: url };
const numbers = vectorOf("hello", 8);

contract("createVoyageEmbedding", {
  ...alias,
  409: space[409],
  200: [
    ...alias[200],
    cacheCase(ask),
    ...space[200],
    {
      name: "inputs of one text, in their order",
      send: ask("good", { inputs: ["a", "b", "a"].map((one) => input(text(one))) }),
      expect: (body) =>
        expect(body).toEqual({
          object: "list",
          data: ["a", "b", "a"].map((one, index) => ({
            object: "embedding",
            index,
            embedding: vectorOf(one, 8),
          })),
          model: "good",
          usage: { text_tokens: 3, image_pixels: 0, video_pixels: 0, total_tokens: 3 },
        }),
    },
    {
      name: "an image is converted to a format that the upstream takes",
      send: ask("jpeg-only", {
        inputs: [
          input(text("hello")),
          input(text("a pixel"), image),
          input({ type: "image_url", image_url: url }),
        ],
      }),
      expect: (body, response) => {
        expect(response.headers.get("x-gateway-converted-images")).toBe("2");
        expect(body.data[0].embedding).toEqual(numbers);
        expect(body.usage).toEqual({
          text_tokens: 12,
          image_pixels: 2,
          video_pixels: 0,
          total_tokens: 12 + 2 * tokensPerImage,
        });
      },
    },
    {
      name: "what the Python client sends unasked",
      send: ask("good", {
        input_type: null,
        truncation: true,
        output_dtype: null,
        output_dimension: null,
        encoding_format: "base64",
      }),
      expect: (body) => {
        expect(body.data[0].embedding).toBe(base64Of(numbers));
        expect(context.upstream.received.at(-1)?.body).toEqual({
          model: "good",
          input: ["hello"],
          encoding_format: "base64",
        });
      },
    },
    {
      name: "base64 under its older name",
      send: ask("good", { output_encoding: "base64" }),
      expect: (body) => expect(body.data[0].embedding).toBe(base64Of(numbers)),
    },
    {
      name: "bits are integers, although base64 was asked for",
      send: ask("good", { output_dtype: "ubinary", encoding_format: "base64" }),
      expect: (body) => expect(body.data[0].embedding).toEqual(signsOf(numbers)),
    },
    {
      name: "an input type, for a model that has it",
      send: ask("typed", { input_type: "query" }),
      expect: (_body, response) => expect(response.headers.get("x-gateway-input-type")).toBe("query"),
    },
    { name: "a model id with a slash", send: ask("org/model x") },
  ],
  400: [
    ...alias[400],
    { name: "no inputs", send: ask("good", { inputs: undefined }), expect: saysSentence("'inputs'") },
    { name: "an empty list", send: ask("good", { inputs: [] }), expect: saysSentence("'inputs'") },
    {
      name: "an empty text",
      send: ask("good", { inputs: [input(text("a")), input(text(""))] }),
      expect: saysSentence("'inputs[1].content[0].text'"),
    },
    {
      name: "too many inputs for the model",
      send: ask("good", { inputs: Array(5).fill(input(text("a"))) }),
      expect: saysSentence("Invalid 'inputs': array length must be 4 or less for this model, but it is 5."),
    },
    {
      name: "a text instead of an input",
      send: ask("good", { inputs: ["hello"] }),
      expect: saysSentence("'inputs[0]'"),
    },
    {
      name: "a part without its content",
      send: ask("good", { inputs: [input({ type: "image_url" })] }),
      expect: saysSentence("'inputs[0].content[0].image_url'"),
    },
    {
      name: "a video",
      send: ask("good", { inputs: [input({ type: "video_url", video_url: "https://a.example/b.mp4" })] }),
      expect: saysSentence("'inputs[0].content[0].type'"),
    },
    {
      name: "an image for a model that takes text alone",
      send: ask("good", { inputs: [input(text("a")), input(image)] }),
      expect: saysSentence("'inputs[1].content[0]'"),
    },
    {
      name: "an image that is none, in the field that the caller wrote",
      send: ask("jpeg-only", {
        inputs: [input(text("a"), { type: "image_base64", image_base64: "data:image/png;base64,AAAA" })],
      }),
      expect: saysSentence("'inputs[0].content[1].image_base64'"),
    },
    {
      name: "a link that is none, in the field that the caller wrote",
      send: ask("jpeg-only", { inputs: [input({ type: "image_url", image_url: "ftp://a.example/b.png" })] }),
      expect: saysSentence("'inputs[0].content[0].image_url'"),
    },
    {
      name: "a width that the model lacks",
      send: ask("good", { output_dimension: 4 }),
      expect: saysSentence("output_dimension"),
    },
    {
      name: "another input type than a query's and a document's for a model without any",
      send: ask("good", { input_type: "clustering" }),
      expect: saysSentence("'input_type'"),
    },
    { name: "a model of another type", send: ask("other-type"), expect: saysSentence("does not serve") },
  ],
});

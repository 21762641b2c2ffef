import { expect } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { signsOf } from "../providers/unit-vectors.js";
import { cacheCase, contentCase, dtypeCases, spaceCases } from "./alias-cases.js";
import { contract, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";
import { limitCases } from "./limit-cases.js";

const context = contractGateway("embedding");
const path = "/v1/embeddings";
const send = (body: unknown, init?: RequestInit) => () => context.gateway.sendJson(path, body, init);
const ask = (fields: object) => send({ model: "good", input: "hello", ...fields });

const limits = limitCases(context, (init) => send({ model: "good", input: "hello" }, init)());
const space = spaceCases({
  ask: (model, fields, init) => send({ model, input: "hello", ...fields }, init),
  says: saysError,
});

contract("createEmbedding", {
  200: [
    ...limits[200],
    cacheCase((model) => ask({ model })),
    ...space[200],
    {
      name: "any input type can be written in a header",
      send: ask({ model: "any-type", input_type: "a:b \ud800" }),
      expect: (_body, response) => {
        expect(response.headers.get("x-gateway-space")).toMatch(/^[0-9a-f]{12}:8:a%3Ab%20%EF%BF%BD$/);
        expect(response.headers.get("x-gateway-input-type")).toBe("a%3Ab%20%EF%BF%BD");
      },
    },
    {
      name: "the id of the request is in the body too",
      send: ask({}),
      expect: (body, response) => expect(body.id).toBe(response.headers.get("x-request-id")),
    },
    {
      name: "what Voyage's Python client sends by itself",
      send: ask({
        input_type: null,
        truncation: true,
        output_dtype: null,
        output_dimension: null,
        encoding_format: "base64",
      }),
    },
    {
      name: "a width by its second name",
      send: ask({ output_dimension: 8 }),
      expect: (body) => expect(body.data[0].embedding).toEqual(vectorOf("hello", 8)),
    },
    {
      name: "a use, where the vector is the same for every use",
      send: ask({ input_type: "query" }),
      expect: (body, response) => {
        expect(body.data[0].embedding).toEqual(vectorOf("hello", 8));
        expect(response.headers.get("x-gateway-input-type")).toBeNull();
      },
    },
    {
      name: "a string becomes one vector",
      send: send({ model: "good", input: "hello" }),
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
      name: "several strings keep their order",
      send: send({ model: "good", input: ["a", "b", "a"] }),
      expect: (body) =>
        expect(body.data.map((item: { embedding: number[] }) => item.embedding)).toEqual([
          vectorOf("a", 8),
          vectorOf("b", 8),
          vectorOf("a", 8),
        ]),
    },
    {
      name: "base64 is little-endian float32",
      send: ask({ encoding_format: "base64" }),
      expect: (body) => {
        const bytes = Buffer.from(body.data[0].embedding, "base64");
        expect(Array.from({ length: 8 }, (_, index) => bytes.readFloatLE(index * 4))).toEqual(
          vectorOf("hello", 8),
        );
      },
    },
    ...dtypeCases((model, fields) => ask({ model, ...fields })),
    contentCase((model, fields) => ask({ model, ...fields })),
    {
      name: "bits are made from cached floats",
      send: async () => {
        await send({ model: "cached", input: "seldom" })();
        return send({ model: "cached", input: "seldom", output_dtype: "ubinary" })();
      },
      expect: (body, response) => {
        expect(response.headers.get("x-gateway-cache")).toBe("hit");
        expect(body.data[0].embedding).toEqual(signsOf(vectorOf("seldom", 8)));
      },
    },
    {
      name: "a conversation is one input",
      send: send({
        model: "good",
        messages: [
          { role: "system", content: "a" },
          { role: "user", content: [{ type: "text", text: "b" }] },
        ],
        continue_final_message: true,
        add_special_tokens: null,
      }),
      expect: (body) =>
        expect(body.data.map(({ embedding }: { embedding: number[] }) => embedding)).toEqual([
          vectorOf("a\nb", 8),
        ]),
    },
    {
      name: "an array of token ids is one input",
      send: ask({ input: [1, 2, 3] }),
      expect: (body) => expect(body.data).toHaveLength(1),
    },
    {
      name: "token ids of one input may be as many in a flat array as in a nested one",
      send: ask({ input: Array(2049).fill(1) }),
      expect: (body) => expect(body.data).toHaveLength(1),
    },
    {
      name: "arrays of token ids are several",
      send: ask({ input: [[1, 2], [3]] }),
      expect: (body) => expect(body.data).toHaveLength(2),
    },
    {
      name: "a null parameter is absent, and never forwarded",
      send: ask({ encoding_format: null, dimensions: null, user: null }),
      expect: () =>
        expect(context.upstream.received.at(-1)?.body).toEqual({
          model: "good",
          input: ["hello"],
        }),
    },
    {
      name: "the response says who was asked, and how often",
      send: ask({}),
      expect: (_body, response) =>
        expect([
          response.headers.get("x-gateway-upstream"),
          response.headers.get("x-gateway-attempts"),
        ]).toEqual(["fake", "1"]),
    },
    { name: "the native width may be asked for", send: ask({ dimensions: 8 }) },
    {
      name: "a UTF-8 charset does not change the content type",
      send: send(
        { model: "good", input: "é" },
        { headers: { "content-type": "Application/JSON; charset=UTF-8" } },
      ),
    },
    {
      name: "the version of Azure's API in the query has no effect",
      send: () => context.gateway.sendJson(`${path}?api-version=1`, { model: "good", input: "a" }),
    },
    {
      name: "the key may come in api-key",
      send: send(
        { model: "good", input: "a" },
        { headers: { authorization: "Bearer ", "api-key": "test-key-0123456789" } },
      ),
    },
  ],
  400: [
    {
      name: "a bulk key that asks for more than it may",
      send: async () => {
        const { headers } = await context.bulk();
        return send(
          { model: "good", input: "a" },
          { headers: { ...headers, "x-gateway-priority": "interactive" } },
        )();
      },
      expect: saysError("invalid_value", "x-gateway-priority"),
    },
    {
      name: "an unknown priority",
      send: send({ model: "good", input: "a" }, { headers: { "x-gateway-priority": "urgent" } }),
      expect: saysError("invalid_value", "x-gateway-priority"),
    },
    {
      name: "a request that the upstream refuses",
      send: ask({ model: "status-400" }),
      expect: saysError("upstream_rejected"),
    },
    {
      name: "malformed JSON",
      send: () =>
        context.gateway.send(path, {
          method: "POST",
          body: '{\n  "model": "good",\n  "input": the secret\n}',
          headers: { "content-type": "application/json" },
        }),
      expect: (body) =>
        expect(body.error).toEqual({
          message:
            "We could not parse the JSON body of your request: there is an unexpected character at line 3, column 13.",
          type: "invalid_request_error",
          param: null,
          code: "invalid_json",
        }),
    },
    {
      name: "an empty body",
      send: () =>
        context.gateway.send(path, {
          method: "POST",
          body: "",
          headers: { "content-type": "application/json" },
        }),
      expect: saysError("invalid_json"),
    },
    { name: "a body that is not an object", send: send([1]), expect: saysError("invalid_type") },
    {
      name: "no input",
      send: send({ model: "good" }),
      expect: saysError("missing_required_parameter", "input"),
    },
    {
      name: "a conversation beside an input",
      send: ask({ messages: [{ role: "user", content: "a" }] }),
      expect: saysError("invalid_value", "messages"),
    },
    {
      name: "no model",
      send: send({ input: "a" }),
      expect: saysError("missing_required_parameter", "model"),
    },
    {
      name: "a field that does not exist",
      send: ask({ inputs: "a" }),
      expect: saysError("unknown_parameter", "inputs"),
    },
    {
      name: "an image for a model that takes text alone",
      send: ask({
        input: ["a", { content: [{ type: "image_url", image_url: { url: "https://a.example" } }] }],
      }),
      expect: saysError("unsupported_modality", "input[1].content[0]"),
    },
    {
      name: "an input of no known shape",
      send: ask({ input: 5 }),
      expect: (body) =>
        expect(body.error).toEqual({
          message:
            "Invalid type for 'input': expected a string, an array of strings, an array of token ids, an array of arrays of token ids or an array of inputs, but got an integer instead.",
          type: "invalid_request_error",
          param: "input",
          code: "invalid_type",
        }),
    },
    {
      name: "a number among strings",
      send: ask({ input: ["a", "b", 5] }),
      expect: (body) =>
        expect(body.error).toMatchObject({
          param: "input[2]",
          message:
            "Invalid type for 'input[2]': expected a string, an array of token ids or a content object, but got an integer instead.",
        }),
    },
    {
      name: "a string among tokens",
      send: ask({ input: [[1], [2, "x"]] }),
      expect: (body) => expect(body.error).toMatchObject({ param: "input[1][1]", code: "invalid_type" }),
    },
    { name: "a decimal token", send: ask({ input: [1.5] }), expect: saysError("invalid_type", "input[0]") },
    {
      name: "a negative token",
      send: ask({ input: [1, -1] }),
      expect: saysError("integer_below_min_value", "input[1]"),
    },
    { name: "an empty string", send: ask({ input: "" }), expect: saysError("empty_string", "input") },
    {
      name: "an empty string among others",
      send: ask({ input: ["a", ""] }),
      expect: saysError("empty_string", "input"),
    },
    { name: "an empty array", send: ask({ input: [] }), expect: saysError("empty_array", "input") },
    {
      name: "an empty array of tokens",
      send: ask({ input: [[1], []] }),
      expect: saysError("empty_array", "input[1]"),
    },
    {
      name: "2049 inputs",
      send: ask({ input: Array(2049).fill("a") }),
      expect: (body) =>
        expect(body.error).toMatchObject({
          code: "array_above_max_length",
          message: "Invalid 'input': array length must be 2048 or less.",
        }),
    },
    {
      name: "2049 inputs of token ids",
      send: ask({ input: Array(2049).fill([1]) }),
      expect: saysError("array_above_max_length", "input"),
    },
    {
      name: "more inputs than the model takes",
      send: ask({ input: Array(5).fill("a") }),
      expect: saysError("array_above_max_length", "input"),
    },
    {
      name: "an unknown encoding",
      send: ask({ encoding_format: "float16" }),
      expect: saysError("invalid_value", "encoding_format"),
    },
    {
      name: "an unknown type",
      send: ask({ output_dtype: "base64" }),
      expect: saysError("invalid_value", "output_dtype"),
    },
    {
      name: "several types at once",
      send: ask({ output_dtype: ["float", "ubinary"] }),
      expect: saysError("invalid_type", "output_dtype"),
    },
    {
      name: "several types at once, as Mixedbread's clients may send them",
      send: ask({ encoding_format: ["float", "ubinary"] }),
      expect: saysError("invalid_type", "encoding_format"),
    },
    {
      name: "two types that differ",
      send: ask({ encoding_format: "int8", output_dtype: "ubinary" }),
      expect: saysError("invalid_value", "output_dtype"),
    },
    {
      name: "integers that no provider of the model makes",
      send: ask({ output_dtype: "int8" }),
      expect: (body) =>
        expect(body.error).toMatchObject({
          code: "unsupported_value",
          param: "output_dtype",
          message: expect.stringContaining("Supported values are: 'float', 'binary', 'ubinary'."),
        }),
    },
    {
      name: "integers, by the other parameter",
      send: ask({ encoding_format: "uint8" }),
      expect: saysError("unsupported_value", "encoding_format"),
    },
    {
      name: "bits of a declared width that is not divisible by 8",
      send: ask({ model: "narrow", output_dtype: "binary" }),
      expect: saysError("unsupported_value", "output_dtype"),
    },
    {
      name: "bits of a width that only the reply tells",
      send: ask({ model: "undeclared", output_dtype: "ubinary" }),
      expect: saysError("unsupported_value", "output_dtype"),
    },
    {
      name: "an input type other than a query's and a document's, where the model has none",
      send: ask({ input_type: "clustering" }),
      expect: saysError("unsupported_parameter", "input_type"),
    },
    {
      name: "two widths",
      send: ask({ dimensions: 8, output_dimension: 4 }),
      expect: saysError("invalid_value", "output_dimension"),
    },
    {
      name: "a width that the model lacks, by its second name",
      send: ask({ model: "narrow", output_dimension: 13 }),
      expect: saysError("integer_above_max_value", "output_dimension"),
    },
    {
      name: "dimensions of zero",
      send: ask({ dimensions: 0 }),
      expect: saysError("integer_below_min_value", "dimensions"),
    },
    {
      name: "dimensions above the native width",
      send: ask({ model: "narrow", dimensions: 13 }),
      expect: saysError("integer_above_max_value", "dimensions"),
    },
    {
      name: "fewer dimensions of a model that cannot be shortened",
      send: ask({ dimensions: 4 }),
      expect: saysError("unsupported_parameter", "dimensions"),
    },
    {
      name: "more dimensions of a model that cannot be shortened",
      send: ask({ dimensions: 9 }),
      expect: saysError("unsupported_parameter", "dimensions"),
    },
    {
      name: "a model of another type",
      send: ask({ model: "other-type" }),
      expect: saysError("unsupported_operation", "model"),
    },
  ],
  401: [
    {
      name: "a wrong key",
      send: send({}, { headers: { authorization: "Bearer wrong" } }),
      expect: saysError("invalid_api_key"),
    },
    {
      name: "an empty key",
      send: send({}, { headers: { authorization: "Bearer " } }),
      expect: saysError("missing_api_key"),
    },
  ],
  403: [
    {
      name: "a key that may not call the model",
      send: async () => send({ model: "good", input: "hello" }, await context.restricted())(),
      expect: saysError("model_not_allowed", "model"),
    },
  ],
  404: [{ name: "an unknown model", send: ask({ model: "nope" }), expect: saysError("model_not_found") }],
  409: space[409],
  413: [
    {
      name: "a body over the limit, by its declared length",
      send: ask({ input: "a".repeat(100_001) }),
      expect: saysError("content_too_large"),
    },
    {
      name: "a body over the limit, by its counted length",
      send: () =>
        context.gateway.send(path, {
          method: "POST",
          body: endless(200_000),
          duplex: "half",
          headers: { "content-type": "application/json" },
        } as RequestInit),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "another content type",
      send: send({}, { headers: { "content-type": "text/plain" } }),
      expect: saysError("unsupported_content_type"),
    },
    {
      name: "another charset",
      send: send({}, { headers: { "content-type": "application/json; charset=utf-16" } }),
      expect: saysError("unsupported_content_type"),
    },
    {
      name: "a compression that is not accepted",
      send: send({}, { headers: { "content-encoding": "br" } }),
      expect: saysError("unsupported_content_type"),
    },
    {
      name: "no content type",
      send: () => context.gateway.send(path, { method: "POST", body: new Uint8Array([123, 125]) }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  429: [
    ...limits[429],
    {
      name: "a throttled upstream",
      send: ask({ model: "status-429" }),
      expect: (body, response) => {
        expect(body.error.code).toBe("rate_limit_exceeded");
        expect(response.headers.get("retry-after")).toBe("7");
      },
    },
  ],
  500: [
    {
      name: "a bug, of which the caller learns nothing",
      send: ask({ model: "faulty" }),
      expect: (body) =>
        expect(body.error.message).toBe("The gateway had an error while processing your request."),
    },
  ],
  502: [
    { name: "a failing upstream", send: ask({ model: "status-500" }), expect: saysError("upstream_error") },
    {
      name: "a refused key of the gateway",
      send: ask({ model: "status-401" }),
      expect: saysError("upstream_auth_error"),
    },
    {
      name: "a reply that is not JSON",
      send: ask({ model: "garbage" }),
      expect: saysError("upstream_invalid_reply"),
    },
    {
      name: "a vector too few",
      send: ask({ model: "one-short" }),
      expect: saysError("upstream_invalid_reply"),
    },
  ],
  503: [
    {
      name: "an upstream that is not there",
      send: ask({ model: "gone" }),
      expect: saysError("upstream_unavailable"),
    },
    {
      name: "an overloaded upstream",
      send: ask({ model: "status-503" }),
      expect: saysError("upstream_unavailable"),
    },
  ],
  504: [
    {
      name: "a caller that allows less time than the gateway",
      send: send({ model: "stall", input: "hurry" }, { headers: { "x-gateway-timeout-ms": "50" } }),
      expect: (body) =>
        expect(body.error.message).toBe(
          "There was no response within 50 ms, the timeout set by x-gateway-timeout-ms.",
        ),
    },
    {
      name: "an upstream that never replies",
      send: ask({ model: "stall" }),
      expect: saysError("upstream_timeout"),
    },
  ],
});

function endless(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      left -= 1000;
      controller.enqueue(new Uint8Array(1000).fill(32));
    },
  });
}

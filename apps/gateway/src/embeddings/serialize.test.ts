import { Vector } from "@model-gateway/domain/vector";
import { expect, test } from "vitest";
import { joinDocuments, serializeEmbeddings, serializeVectors } from "./serialize.js";

const request = { id: "req_1" };
const json = (numbers: readonly number[]) =>
  Vector.fromJson([Buffer.from("["), Buffer.from(`${numbers}]`)], numbers.length);
const base64 = (numbers: readonly number[]) =>
  Vector.fromBase64(Buffer.from(Float32Array.from(numbers).buffer).toString("base64"));

test.each([
  ["no vector", "float", []],
  ["one vector of numbers", "float", [json([1, 2])]],
  ["vectors of numbers", "float", [json([1, 2]), json([3, 4, 5])]],
  ["vectors in base64", "base64", [base64([1]), base64([2, 3]), base64([4, 5, 6])]],
  ["numbers that become base64", "base64", [Vector.fromNumbers([1, 2, 3, 4]), json([5])]],
] as const)("the length of %s is known before they are written", (_name, form, vectors) => {
  const { chunks, bytes } = serializeEmbeddings({ model: "ö", vectors, promptTokens: 7, form }, request);

  const written = Buffer.concat([...chunks].map((chunk) => Buffer.from(chunk)));

  expect(written.length).toBe(bytes);
  expect(JSON.parse(written.toString())).toEqual({
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: form === "base64" ? String(vector.toBase64()) : vector.toNumbers(),
    })),
    model: "ö",
    usage: { prompt_tokens: 7, total_tokens: 7 },
    id: "req_1",
  });
});

test("the length of numbers that are not encoded yet is unknown", () => {
  const vectors = [json([1]), Vector.fromNumbers([0.1])];

  expect(
    serializeEmbeddings({ model: "m", vectors, promptTokens: 1, form: "float" }, request).bytes,
  ).toBeUndefined();
});

test("signs are written in their own form, from any encoding", () => {
  const numbers = [1, -1, 0, -0, -2, 3, -4, 5, -1, -1, -1, -1, -1, -1, -1, -1];
  const vectors = [json(numbers), base64(numbers)];

  for (const [form, embedding] of [
    ["ubinary", [181, 0]],
    ["binary", [53, -128]],
  ] as const) {
    const { chunks, bytes } = serializeEmbeddings({ model: "m", vectors, promptTokens: 1, form }, request);

    expect(bytes).toBeUndefined();
    expect(JSON.parse([...chunks].join("")).data).toEqual([
      { object: "embedding", index: 0, embedding },
      { object: "embedding", index: 1, embedding },
    ]);
  }
});

test.each([
  [10, 4, { text_tokens: 6, image_tokens: 4 }],
  [3, 4, { text_tokens: 0, image_tokens: 4 }],
])("of %d tokens, the %d of images are told apart", (promptTokens, imageTokens, details) => {
  const vectors = [json([1])];
  const { chunks, bytes } = serializeEmbeddings(
    { model: "m", vectors, promptTokens, imageTokens, form: "float" },
    request,
  );

  const written = [...chunks].join("");

  expect(written.length).toBe(bytes);
  expect(JSON.parse(written).usage).toEqual({
    prompt_tokens: promptTokens,
    total_tokens: promptTokens,
    prompt_tokens_details: details,
  });
});

test("vectors are numbered in order, including four-digit numbers", () => {
  const vectors = Array.from({ length: 2100 }, () => json([1]));

  const { chunks } = serializeEmbeddings({ model: "m", vectors, promptTokens: 1, form: "float" }, request);

  const { data } = JSON.parse([...chunks].join(""));
  expect(data.map(({ index }: { index: number }) => index)).toEqual(vectors.map((_, index) => index));
});

test.each([
  ["no vector", "float", [], true],
  ["one vector", "float", [json([1, 2])], true],
  ["several vectors", "float", [json([1, 2]), json([3, 4]), json([5, 6])], true],
  ["numbers that are not encoded yet", "float", [json([1, 2]), Vector.fromNumbers([3, 4])], false],
  [
    "numbers that are not encoded yet, and others",
    "float",
    [Vector.fromNumbers([3, 4]), json([1, 2])],
    false,
  ],
  ["vectors in base64", "base64", [base64([1]), json([2, 3])], true],
] as const)(
  "%s can be written in a plain list, with the length where it is known",
  (_name, form, vectors, isKnown) => {
    const { chunks, bytes } = serializeVectors(vectors, { before: '{"ö":[', after: "]}", form });

    const written = Buffer.concat([...chunks].map((chunk) => Buffer.from(chunk)));

    expect(JSON.parse(written.toString())).toEqual({
      ö: vectors.map((vector) => (form === "base64" ? String(vector.toBase64()) : vector.toNumbers())),
    });
    expect(bytes).toBe(isKnown ? written.length : undefined);
  },
);

test("the same vectors can be written in several forms, one after the other", () => {
  const vectors = [base64([1, -1, 1, -1, 1, -1, 1, -1])];
  const list = (form: "float" | "base64" | "ubinary" | "binary", before: string, after: string) =>
    serializeVectors(vectors, { before, after, form });
  const known = joinDocuments([list("base64", '{"a":[', "]"), list("base64", ',"b":[', "]}")]);
  const unknown = joinDocuments([
    list("base64", '{"a":[', "]"),
    list("ubinary", ',"b":[', "]"),
    list("binary", ',"c":[', "]"),
    list("base64", ',"d":[', "]}"),
  ]);

  const written = [...known.chunks].join("");

  expect(written.length).toBe(known.bytes);
  expect(unknown.bytes).toBeUndefined();
  expect(JSON.parse([...unknown.chunks].join(""))).toEqual({
    a: [String(vectors[0]?.toBase64())],
    b: [[170]],
    c: [[42]],
    d: [String(vectors[0]?.toBase64())],
  });
});

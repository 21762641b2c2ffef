import { expect, test } from "vitest";
import { decodeBinaryEmbedding, decodeEmbedding } from "./decode-embedding.js";

test("base64 is read as little-endian float32", () => {
  expect(decodeEmbedding("zczMPc3MTL6amZk+")).toEqual(new Float32Array([0.1, -0.2, 0.3]));
});

test("numbers become float32", () => {
  expect(decodeEmbedding([0.1, -0.2, 0.3])).toEqual(new Float32Array([0.1, -0.2, 0.3]));
});

test("bytes that are not a whole number of floats are refused", () => {
  expect(() => decodeEmbedding("zczMPc0=")).toThrow(
    new TypeError("An embedding has 4 bytes for each number, but this one has 5 bytes."),
  );
});

test("text that is not base64 is refused", () => {
  expect(() => decodeEmbedding("%%%")).toThrow(new TypeError("The embedding is not base64."));
});

test("both types of bits become the same bytes", () => {
  const bytes = Uint8Array.of(0, 128, 255);

  expect(decodeBinaryEmbedding([0, 128, 255], "ubinary")).toEqual(bytes);
  expect(decodeBinaryEmbedding([-128, 0, 127], "binary")).toEqual(bytes);
});

test.each([
  ["base64", "AAAA", "ubinary"],
  ["floats", [0.1, -0.2], "ubinary"],
  ["signed bytes", [-1, 0], "ubinary"],
  ["unsigned bytes", [0, 255], "binary"],
] as const)("%s is not taken for bits of another type", (_name, embedding, outputDtype) => {
  expect(() => decodeBinaryEmbedding(embedding, outputDtype)).toThrow(
    new TypeError(`The embedding does not have the output_dtype ${outputDtype}.`),
  );
});

import { expect, test } from "vitest";
import { decodeEmbedding } from "./decode-embedding.js";

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

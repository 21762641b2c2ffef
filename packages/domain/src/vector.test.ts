import { expect, test } from "vitest";
import { joined, Vector } from "./vector.js";

test("base64 is little-endian float32, as OpenAI's clients read it", () => {
  expect(Vector.fromNumbers([0.1, -0.2, 0.3]).toBase64()).toBe("zczMPc3MTL6amZk+");
});

test("numbers from base64 round-trip to the same float32", () => {
  const values = Float32Array.from([0.1, -7.420513e-5, 3.4e38, 1e-45, 0, -0]);
  const encoded = String(Vector.fromNumbers(values).toBase64());

  const numbers = JSON.parse(JSON.stringify(Vector.fromBase64(encoded).toNumbers()));

  expect(Vector.fromNumbers(numbers).toBase64().slice(0, 24)).toBe(encoded.slice(0, 24));
  expect(Float32Array.from(numbers).slice(0, 5)).toEqual(values.slice(0, 5));
});

test("a vector from base64 returns the same text", () => {
  const text = "zczMPc3MTL6amZk+";

  expect(Vector.fromBase64(text).toBase64()).toBe(text);
});

test("a vector in several pieces is returned in the same pieces, and can be parsed", () => {
  const base64 = ["zczMPc3", "MTL6", "amZk+"].map((text) => Buffer.from(text));
  const json = ["[0.", "25,-1", "]"].map((text) => Buffer.from(text));

  const [first, second] = [Vector.fromCheckedBase64(base64, 3), Vector.fromJson(json, 2)];

  expect(first.toBase64()).toBe(base64);
  expect(first.lengthAs("base64")).toBe(16);
  expect(first.toNumbers()).toEqual([0.1, -0.2, 0.3].map(Math.fround));
  expect(second.toJson()).toBe(json);
  expect(second.lengthAs("float")).toBe(9);
  expect(second.toNumbers()).toEqual([0.25, -1]);
});

test("base64 becomes the shortest numbers that read back as the same float32", () => {
  const values = Float32Array.from([0.1, -7.420513e-5, 3.4e38, 1e-45, 0, -0, 1]);
  const base64 = [Buffer.from(Vector.fromNumbers(values).toBase64() as string)];
  const text = "[0.1,-0.00007420513,3.4e+38,1e-45,0,-0.0,1]";

  const [fromBase64, fromFloats] = [Vector.fromCheckedBase64(base64, 7), Vector.fromFloats(values)];

  expect(joined(fromBase64.toJson())).toBe(text);
  expect(joined(fromFloats.toJson())).toBe(text);
  expect(Float32Array.from(JSON.parse(text))).toEqual(values);
});

test("the width counts numbers, whatever the encoding", () => {
  expect(Vector.fromNumbers([1, 2, 3]).width).toBe(3);
  expect(Vector.fromBase64("zczMPc3MTL6amZk+").width).toBe(3);
});

test.each([
  ["NaN", Vector.fromNumbers([1, Number.NaN])],
  ["infinity", Vector.fromNumbers([Number.POSITIVE_INFINITY])],
  ["a number that float32 cannot hold", Vector.fromNumbers([1e300])],
  ["NaN in base64", Vector.fromBase64(Buffer.from(Float32Array.of(Number.NaN).buffer).toString("base64"))],
  [
    "NaN at the end of long base64",
    Vector.fromBase64(base64Of([...new Array<number>(20_000).fill(1), Number.NaN])),
  ],
  ["a number of bytes that is not a multiple of four", Vector.fromBase64(Buffer.alloc(6).toString("base64"))],
])("%s is not finite", (_name, vector) => {
  expect(vector.isFinite).toBe(false);
});

function base64Of(numbers: readonly number[]): string {
  return Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
}

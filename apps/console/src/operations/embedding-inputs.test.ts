import { expect, test } from "vitest";
import { type InputToEmbed, inBatches, nameInput } from "./embedding-inputs.js";

const megabyte = 1024 * 1024;
const imageOf = (size: number, text = ""): InputToEmbed => ({
  text,
  image: { blob: { size } as Blob, url: "blob:1", name: "cat.png" },
});
const counts = (inputs: readonly InputToEmbed[], inputsMax = 128) =>
  inBatches(inputs, inputsMax).map((batch) => batch.length);

test("requests have at most so many inputs, and images that fit a body", () => {
  const texts = Array.from({ length: 5 }, (_, at) => ({ text: `text ${at}` }));

  expect(counts(texts)).toEqual([5]);
  expect(counts(texts, 2)).toEqual([2, 2, 1]);
  expect(counts([...texts, imageOf(10 * megabyte), imageOf(6 * megabyte), imageOf(1)])).toEqual([7, 1]);
  expect(counts([imageOf(20 * megabyte), imageOf(1), imageOf(20 * megabyte)])).toEqual([1, 1, 1]);
  expect(inBatches(texts, 2).flat()).toEqual(texts);
  expect(counts([])).toEqual([]);
});

test("an image is named by its text, or else by its file", () => {
  expect([nameInput({ text: "a" }), nameInput(imageOf(1)), nameInput(imageOf(1, "b"))]).toEqual([
    "a",
    "cat.png",
    "b",
  ]);
});

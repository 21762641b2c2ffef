import { expect, test } from "vitest";
import { matchKnown } from "./match-known.js";

const keys = [
  { value: "key_1", label: "nightly" },
  { value: "key_2", label: "nightly index" },
  { value: "key_3", label: "CI" },
];

test("a name or a value stands for the value, even if another one begins with it", () => {
  expect(matchKnown("nightly", keys)).toEqual({ value: "key_1", fitting: 1 });
  expect(matchKnown(" key_2 ", keys)).toEqual({ value: "key_2", fitting: 1 });
});

test("the beginning of one known name is enough, in small or capital letters", () => {
  expect(matchKnown("c", keys)).toEqual({ value: "key_3", fitting: 1 });
  expect(matchKnown("Nightly i", keys)).toEqual({ value: "key_2", fitting: 1 });
});

test("the beginning of several is not decided", () => {
  expect(matchKnown("night", keys)).toEqual({ value: undefined, fitting: 2 });
});

test("a text that is not known is taken as it is", () => {
  expect(matchKnown("key_of_last_year", keys)).toEqual({ value: "key_of_last_year", fitting: 0 });
});

test("an empty text clears the filter", () => {
  expect(matchKnown("  ", keys)).toEqual({ value: "", fitting: 0 });
});

import { expect, test } from "vitest";
import { createKeyText, isKeyText } from "./key-text.js";

test("a key is its prefix, 160 bits in 32 letters, and a checksum", () => {
  const keys = Array.from({ length: 200 }, () => createKeyText("mg_"));

  expect(new Set(keys).size).toBe(200);
  expect(keys.filter((key) => !/^mg_[0-9a-hjkmnp-tv-z]{38}$/.test(key))).toEqual([]);
  expect(keys.filter((key) => !isKeyText(key, "mg_"))).toEqual([]);
});

test("every letter of the alphabet is used, at every position", () => {
  const keys = Array.from({ length: 3000 }, () => createKeyText("mg_").slice(3));

  const lettersAt = Array.from({ length: 38 }, (_, index) => new Set(keys.map((key) => key[index])).size);

  expect(lettersAt).toEqual(Array(38).fill(32));
});

test("a key with one letter changed, missing, added or moved is not a key", () => {
  const key = createKeyText("mg_");
  const letters = [...key];
  const changed = letters.map((letter, index) => key.slice(0, index) + other(letter) + key.slice(index + 1));
  const missing = letters.map((_, index) => key.slice(0, index) + key.slice(index + 1));
  const added = letters.map((letter, index) => key.slice(0, index) + letter + key.slice(index));
  const moved = letters
    .slice(1)
    .map((letter, index) => key.slice(0, index) + letter + letters[index] + key.slice(index + 2))
    .filter((text) => text !== key);

  const accepted = [...changed, ...missing, ...added, ...moved].filter((text) => isKeyText(text, "mg_"));

  expect(accepted).toEqual([]);
});

test("an admin key is not a caller's key, and the other way round", () => {
  expect(isKeyText(createKeyText("mg_admin_"), "mg_")).toBe(false);
  expect(isKeyText(createKeyText("mg_"), "mg_admin_")).toBe(false);
  expect(isKeyText(createKeyText("mg_admin_"), "mg_admin_")).toBe(true);
});

test.each(["", "mg_", "mg_admin_", "a".repeat(65_536), `mg_${"é".repeat(38)}`])(
  "%.12j is not a key",
  (text) => {
    expect(isKeyText(text, "mg_")).toBe(false);
  },
);

function other(letter: string): string {
  return letter === "x" ? "y" : "x";
}

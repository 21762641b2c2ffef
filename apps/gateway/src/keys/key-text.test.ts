import { expect, test } from "vitest";
import { isKeyText, makeKeyText } from "./key-text.js";

test("a key is its prefix, 160 bits in 32 letters, and a checksum", () => {
  const keys = Array.from({ length: 200 }, () => makeKeyText("mg_"));

  expect(new Set(keys).size).toBe(200);
  expect(keys.filter((key) => !/^mg_[0-9a-hjkmnp-tv-z]{38}$/.test(key))).toEqual([]);
  expect(keys.filter((key) => !isKeyText(key, "mg_"))).toEqual([]);
});

test("every letter of the alphabet is used, in every place", () => {
  const keys = Array.from({ length: 3000 }, () => makeKeyText("mg_").slice(3));

  const lettersAt = Array.from({ length: 38 }, (_, place) => new Set(keys.map((key) => key[place])).size);

  expect(lettersAt).toEqual(Array(38).fill(32));
});

test("a key with one letter changed, missing, added or moved is none", () => {
  const key = makeKeyText("mg_");
  const letters = [...key];
  const changed = letters.map((letter, place) => key.slice(0, place) + other(letter) + key.slice(place + 1));
  const missing = letters.map((_, place) => key.slice(0, place) + key.slice(place + 1));
  const added = letters.map((letter, place) => key.slice(0, place) + letter + key.slice(place));
  const moved = letters
    .slice(1)
    .map((letter, place) => key.slice(0, place) + letter + letters[place] + key.slice(place + 2))
    .filter((text) => text !== key);

  const taken = [...changed, ...missing, ...added, ...moved].filter((text) => isKeyText(text, "mg_"));

  expect(taken).toEqual([]);
});

test("an admin key is no key, and a key no admin key", () => {
  expect(isKeyText(makeKeyText("mg_admin_"), "mg_")).toBe(false);
  expect(isKeyText(makeKeyText("mg_"), "mg_admin_")).toBe(false);
  expect(isKeyText(makeKeyText("mg_admin_"), "mg_admin_")).toBe(true);
});

test.each(["", "mg_", "mg_admin_", "a".repeat(65_536), `mg_${"é".repeat(38)}`])("%.12j is none", (text) => {
  expect(isKeyText(text, "mg_")).toBe(false);
});

function other(letter: string): string {
  return letter === "x" ? "y" : "x";
}

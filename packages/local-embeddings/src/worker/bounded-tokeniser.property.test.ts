import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { builtInEmbeddingModels } from "../built-in-models.js";
import { weightsFolder } from "../weights/weight-pins.js";
import { openTokeniser } from "./bounded-tokeniser.js";

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

/** A random number below `end`, from a fixed seed. */
function randomOf(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** Marks of the classes 230, 220, 216, 9, 0 (grapheme joiner), spacing marks, and those that are several. */
const marks = [
  ..."\u0301\u0316\u031b\u094d\u034f\u093e\u302e\u{1d165}\u1b44\u0344\u0345\u20dd\u05b0\ua953\u0f73",
];
const fragments = [
  ..."aZé ΣİßıDžﬁ漢字한ｶﾞ🚀",
  ...marks,
  ..." \t\n\r\v\f\u00a0\u2028\u3000\u0000\u200d\ufeff\ufffd\ue000\ud800\udc00.,[]'\u3002",
  ...[
    "[MASK]",
    "[SEP]",
    "[UNK]",
    "[MA",
    "un",
    "believ",
    "##ably",
    "ing",
    "ΑΣ",
    "x".repeat(99),
    "漢".repeat(3),
  ],
];

function randomText(random: (end: number) => number): string {
  return Array.from({ length: 1 + random(60) }, () => {
    // Runs cross the limits: 30 marks, 100 characters of a word.
    const length = random(6) === 0 ? random(130) : 1;
    const alphabet = random(5) === 0 ? marks : fragments;
    return random(3) === 0
      ? alphabet[random(alphabet.length)]!.repeat(length)
      : Array.from({ length }, () => alphabet[random(alphabet.length)]!).join("");
  }).join("");
}

/** Number of map lookups meanwhile. */
function countLookups(work: () => void): number {
  const has = Map.prototype.has;
  let lookups = 0;
  Map.prototype.has = function (key) {
    lookups += 1;
    return has.call(this, key);
  };
  try {
    work();
  } finally {
    Map.prototype.has = has;
  }
  return lookups;
}

describe.each(builtInEmbeddingModels)("$id", ({ folder }) => {
  const definition = readJson(join(weightsFolder, folder, "tokenizer.json"));
  const settings = readJson(join(weightsFolder, folder, "tokenizer_config.json"));
  const library = new Tokenizer({ ...definition, truncation: null, padding: null }, settings);
  const tokenise = openTokeniser(definition, settings);

  test("the ids are the library's", () => {
    const random = randomOf(7);
    const rounds = lengthByTier({ short: 25, full: 200 });

    for (let round = 0; round < rounds; round += 1) {
      const text = randomText(random);
      expect(tokenise(text), JSON.stringify(text)).toEqual(library.encode(text).ids);
    }
  });

  test("words around the length limit have the library's ids", () => {
    for (const length of [1, 17, 18, 19, 99, 100, 101, 5_000])
      for (const letter of ["x", "é", "Σ", "🚀", "\u093e", "\u302e\u{1d165}"]) {
        const text = `${letter.repeat(length)} ${letter.repeat(length)}☃`;
        expect(tokenise(text), `${length} × ${letter}`).toEqual(library.encode(text).ids);
      }
  });

  test("no token has a spacing mark that can change places, so breaking runs changes no id", () => {
    const changesPlaces = (mark: string) => `\u0345${mark}`.normalize("NFD") !== `\u0345${mark}`;
    const spacing = Object.keys(definition.model.vocab).flatMap((key) => key.match(/\p{Mc}/gu) ?? []);

    expect(changesPlaces("\u302e")).toBe(true);
    expect(spacing.filter(changesPlaces)).toEqual([]);
  });

  test.each([
    ["words of 99 letters", `${"x".repeat(99)} `],
    ["words without a token", `${"x".repeat(98)}☃ `],
    ["words between punctuation", `${"qz".repeat(49)}.`],
    ["words between ideographs", `${"qz".repeat(49)}漢`],
    ["one word", "x"],
  ])("%s: each character of 65,536 costs as many lookups as the longest token has", (_name, unit) => {
    const text = unit.repeat(65_536 / unit.length);
    const lengthMax = Math.max(...Object.keys(definition.model.vocab).map((key) => key.length));

    const lookups = countLookups(() => tokenise(text));

    expect(lengthMax).toBe(18);
    expect(lookups).toBeLessThanOrEqual(lengthMax * text.length);
  });

  test.each([
    ["marks", "\u0301\u0316"],
    ["marks between control characters", "\u0301\u0000\u0316\u200d"],
    ["spacing marks", "\u302e\u{1d165}"],
  ])("65,536 characters from %s are normalised in runs of 30", (_name, unit) => {
    const text = unit.repeat(Math.floor(65_536 / unit.length));
    const normalize = vi.spyOn(String.prototype, "normalize");
    onTestFinished(() => normalize.mockRestore());

    tokenise(text);

    const runs = normalize.mock.contexts.flatMap((normalised) => String(normalised).split("\u034f"));
    expect(Math.max(...runs.map((run) => [...run].length))).toBe(30);
  });
});

test("a cased tokenizer keeps its marks, so its text is unchanged", () => {
  const definition = {
    ...readJson(join(weightsFolder, "gte-small", "tokenizer.json")),
    normalizer: { type: "BertNormalizer", lowercase: false, strip_accents: null },
  };
  const text = `a${"\u0301".repeat(31)} b`;

  expect(openTokeniser(definition, {})(text)).toEqual(
    new Tokenizer({ ...definition, truncation: null, padding: null }, {}).encode(text).ids,
  );
});

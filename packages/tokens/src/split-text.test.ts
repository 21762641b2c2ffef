import { hostileTexts } from "@model-gateway/test-suite/hostile-texts";
import { getEncodingParams } from "gpt-tokenizer/modelParams";
import { expect, test } from "vitest";
import { CharacterClasses } from "./character-classes.js";
import { ClassifiedText } from "./classified-text.js";
import { splittings } from "./split-text.js";

const classes = new CharacterClasses();
const names = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"] as const;

function endsOf(text: string, { pieceEnd, runs }: (typeof splittings)["cl100k_base"]): number[] {
  const scan = new ClassifiedText(text, classes);
  for (const _pause of scan.findLongRuns(runs));
  const ends: number[] = [];
  for (let start = 0; start < text.length; start = ends.at(-1) ?? text.length)
    ends.push(pieceEnd(scan, start));
  return ends;
}

test.each(names)("%s splits a text as its regular expression does, including long runs", (name) => {
  const { tokenSplitRegex } = getEncodingParams(name, () => []);
  const short = hostileTexts(30).map(([, text]) => text);
  const pairs = short.flatMap((one) => short.map((other) => `${one.slice(-5)}${other}`));
  // Just above the length of a run that is found in advance.
  const long = hostileTexts(66_000).map(([, text]) => `${text}a B\n ${text.slice(0, 9)}`);

  const differing = [...pairs, ...long].filter((text) => {
    const ends = Array.from(text.matchAll(tokenSplitRegex), ({ 0: piece, index }) => index + piece.length);
    return endsOf(text, splittings[name]).join() !== ends.join();
  });

  expect(differing).toEqual([]);
});

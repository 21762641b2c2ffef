import { hostileTexts } from "@model-gateway/test-suite/hostile-texts";
import { expect, test } from "vitest";
import { countLongPiece } from "./long-piece.js";
import { PairMerger } from "./pair-merger.js";
import { readVocabulary } from "./read-vocabulary.js";

test("a piece has as many tokens in windows as at once, even where the windows are smaller than a token", async () => {
  const { table } = await readVocabulary("cl100k_base");

  for (const [name, text] of hostileTexts(700)) {
    const bytes = Buffer.from(text);
    const merger = new PairMerger(table, bytes.length);
    merger.begin(bytes, 0, bytes.length);
    merger.run(Number.POSITIVE_INFINITY);

    for (const windowBytes of [4, 16, 100, 256]) {
      const piece = { bytes, length: bytes.length, tokensMax: Number.POSITIVE_INFINITY, windowBytes };
      const steps = countLongPiece(table, piece);
      let step = steps.next();
      while (step.done !== true) step = steps.next();

      expect([name, windowBytes, step.value]).toEqual([name, windowBytes, merger.count]);
    }
  }
});

import type { VocabularyName } from "@model-gateway/domain/model";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { hostileTexts } from "@model-gateway/test-suite/hostile-texts";
import { longestTurnMs } from "@model-gateway/test-suite/longest-turn";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import { countTokens, manyTokensMax, Vocabularies } from "@model-gateway/tokens/tokens";
import { expect, test } from "vitest";
import { estimateInputTokens } from "./cost.js";
import { checkLengths } from "./input-length.js";
import { inputKey, translateTokens } from "./inputs.js";

const vocabularies = new Vocabularies();
const longText = lengthByTier({ short: 70_000, full: 4_000_000 });
const shortText = lengthByTier({ short: 30, full: 1000 });
const turnMsMax = 50;

type Operation = (inputs: readonly KeyedText[], tokenizer: VocabularyName) => Promise<unknown>;
interface KeyedText {
  readonly key: string;
  readonly input: string;
}

const ignore = () => undefined;

/**
 * All token operations of a request, up to OpenAI's limits. Each is measured alone: the shorter a measurement is, the
 * smaller the chance that the machine stops for a moment in it.
 */
const operations: readonly Operation[] = [
  (inputs) => estimateInputTokens(inputs.map(({ input }) => input)),
  (inputs) => manyTokensMax(inputs),
  (inputs, tokenizer) =>
    checkLengths(inputs, embeddingModel({ maxTokens: 8192, tokenizer }), vocabularies).catch(ignore),
  async (inputs, tokenizer) => countTokens(inputs, await vocabularies.open(tokenizer), 300_000),
  (inputs) => checkLengths(inputs, embeddingModel({ maxTokens: 8192 }), vocabularies).catch(ignore),
];

test("no text and no list of texts takes a whole event-loop turn to count", async () => {
  await vocabularies.open("cl100k_base");
  await vocabularies.open("o200k_base");
  const shorts = hostileTexts(shortText);

  for (const [index, [name, text]] of hostileTexts(longText).entries()) {
    // All different, as they are after equal ones were removed.
    const many = Array.from({ length: 2048 }, (_, at) => `${at} ${shorts[index]?.[1]}`);

    for (const texts of [[text], many]) {
      const inputs = texts.map((input) => ({ key: inputKey(input), input }));
      const tokenizer = index % 2 === 0 ? "cl100k_base" : "o200k_base";
      for (const [at, operation] of operations.entries()) {
        const longest = await longestTurnMs(() => operation(inputs, tokenizer));

        expect([name, at, longest]).toEqual([name, at, expect.toSatisfy(isShort)]);
      }
    }
  }
});

test("vocabularies are loaded in slices", async () => {
  const longest = await longestTurnMs(() => new Vocabularies().open("o200k_base"));

  expect(longest).toSatisfy(isShort);
});

test("token ids are translated in slices, and each becomes its own text", async () => {
  const model = embeddingModel({ clientTokenizer: "cl100k_base" });
  // A third of a character: pieces of text that are not whole were put together in quadratic time.
  const ids = new Array<number>(131_072).fill(162);
  let texts: readonly unknown[] = [];

  const longest = await longestTurnMs(async () => {
    texts = await translateTokens([ids, [791]], model, vocabularies);
  });

  expect(longest).toSatisfy(isShort);
  expect(texts.map((text) => String(text).length)).toEqual([131_072, 3]);
});

test("token ids for more text than a request may have are refused", async () => {
  const vocabulary = await vocabularies.open("cl100k_base");
  const spaces = 58_040;
  const inputs = new Array<number[]>(40).fill(new Array<number>(131_072).fill(spaces));
  const model = embeddingModel({ clientTokenizer: "cl100k_base" });

  expect(await inSlices(vocabulary.bytesOf([spaces]), new TimeSlice())).toBe(128);
  await expect(translateTokens(inputs, model, vocabularies)).rejects.toMatchObject({
    code: "content_too_large",
  });
});

function isShort(ms: unknown): boolean {
  return typeof ms === "number" && ms < turnMsMax;
}

import type { ContentInput } from "@model-gateway/domain/content-input";
import type { Input } from "@model-gateway/domain/requests";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { Vocabularies } from "@model-gateway/tokens/tokens";
import { expect, test } from "vitest";
import { checkLengths } from "./input-length.js";
import { inputKey } from "./inputs.js";

const vocabularies = new Vocabularies();
const counted = embeddingModel({ maxTokens: 4, tokenizer: "cl100k_base" });
const uncounted = embeddingModel({ maxTokens: 4 });

function check(inputs: readonly Input[], model = counted): Promise<void> {
  return checkLengths(
    inputs.map((input) => ({ key: inputKey(input), input })),
    model,
    vocabularies,
  );
}

test("with a known vocabulary the limit is exact", async () => {
  await check([" a b c d"]);

  await expect(check(["a", " a b c d e"])).rejects.toMatchObject({
    code: "context_length_exceeded",
    param: "input",
    inputKey: "t a b c d e",
    message: "Invalid 'input': it has more than 4 tokens, which is the most that this model takes.",
  });
});

test("token ids are counted as they are", async () => {
  await check([[1, 2, 3, 4]]);

  await expect(check([[1, 2, 3, 4, 5]])).rejects.toMatchObject({ code: "context_length_exceeded" });
});

test("without a vocabulary a text is refused for its words alone, since each is at least one token", async () => {
  await check(["antidisestablishmentarianism and the longest", "漢".repeat(1000)], uncounted);

  await expect(check(["one two three four five"], uncounted)).rejects.toMatchObject({
    code: "context_length_exceeded",
  });
});

test("a special token in a text is ordinary text", async () => {
  await expect(check(["<|endoftext|><|endoftext|>"])).rejects.toMatchObject({
    code: "context_length_exceeded",
  });
});

test("of a content only the texts count, each by itself", async () => {
  const content = (...texts: [string, ...string[]]): ContentInput => ({
    parts: texts.map((text) => ({ type: "text", text })) as unknown as ContentInput["parts"],
    digest: texts.join(),
    imageCount: 0,
    contentBytes: 0,
  });

  await check([content(" a b c d", " a b c d")]);

  await expect(check([content("a", " a b c d e")])).rejects.toMatchObject({
    code: "context_length_exceeded",
  });
});

test("words of a long text are counted piece by piece, and one across two pieces once", async () => {
  const piece = 16_384;
  // The third word lies across the end of the first piece, and the second piece ends in white space.
  const text = `one two ${" ".repeat(piece - 12)}three four${" ".repeat(2 * piece)}`;

  await check([text], embeddingModel({ maxTokens: 4 }));

  await expect(check([text], embeddingModel({ maxTokens: 3 }))).rejects.toMatchObject({
    code: "context_length_exceeded",
  });
});

test("words that end and begin where two pieces meet are two", async () => {
  const text = `${"a".repeat(16_383)} b`;
  const other = `${"a".repeat(16_384)} b`;

  for (const one of [text, other]) {
    await check([one], embeddingModel({ maxTokens: 2 }));
    await expect(check([one], embeddingModel({ maxTokens: 1 }))).rejects.toMatchObject({
      code: "context_length_exceeded",
    });
  }
});

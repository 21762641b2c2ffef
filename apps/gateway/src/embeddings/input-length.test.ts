import type { Input } from "@model-gateway/domain/requests";
import { Vocabularies } from "@model-gateway/tokens/tokens";
import { expect, test } from "vitest";
import { checkLengths } from "./input-length.js";
import { inputKey } from "./inputs.js";
import { embeddingModel } from "./test/embedding-model.js";

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

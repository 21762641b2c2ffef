import { inSlices, type Steps, TimeSlice } from "@model-gateway/runtime/time-slice";
import { hostileTexts } from "@model-gateway/test-suite/hostile-texts";
import { createRandom } from "@model-gateway/test-suite/random";
import { expect, test } from "vitest";
import { Vocabulary } from "./vocabulary.js";

const names = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"] as const;
const plainText = { disallowedSpecial: new Set<string>() };

function finish<T>(steps: Steps<T>): Promise<T> {
  return inSlices(steps, new TimeSlice());
}

test.each(names)("the counts of %s equal those of gpt-tokenizer", async (name) => {
  const library = await import(`gpt-tokenizer/encoding/${name}`);
  const vocabulary = await Vocabulary.open(name);
  const random = createRandom();
  const units = hostileTexts(8).flatMap(([, text]) => Array.from(text));
  const mixtures = Array.from({ length: 500 }, () =>
    Array.from({ length: 1 + random.below(40) }, () => random.pick(units).repeat(1 + random.below(4))).join(
      "",
    ),
  );
  const texts = [1, 2, 3, 7, 64, 129, 300].flatMap((length) => hostileTexts(length).map(([, text]) => text));
  // gpt-tokenizer loses a byte order mark, and takes it and the character behind it for that character.
  const compared = [...texts, ...mixtures].filter((text) => !/\ufeff[^\s\u200b-\u2060]/u.test(text));

  for (const text of compared) {
    const count = await finish(vocabulary.countTokens(text, Number.POSITIVE_INFINITY));

    expect([text, count]).toEqual([text, library.countTokens(text, plainText)]);
  }
});

test.each(names)("the counts of %s equal those of gpt-tokenizer for what people write", async (name) => {
  const library = await import(`gpt-tokenizer/encoding/${name}`);
  const vocabulary = await Vocabulary.open(name);
  const written = [
    "The quick brown fox doesn't jump; it's 12:45 on 2026-11-19, and I'd pay $1,234.56 (or 1.2e-7 €).",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich – Straßenfußgängerüberwege!",
    "Съешь же ещё этих мягких французских булок, да выпей чаю. Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "いろはにほへと ちりぬるを。敏捷的棕色狐狸跳过了懒狗。다람쥐 헌 쳇바퀴에 타고파.",
    "نص حكيم له سر قاطع وذو شأن عظيم. דג סקרן שט בים מאוכזב. ऋषियों को सताने वाले दुष्ट राक्षसों।",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า 👍🏽 🏳️‍🌈 👩‍👩‍👧‍👦 🇩🇪🇫🇷 e\u0301 ﬁ Å",
    'for (let i = 0; i < 10; i++) {\n\tif (a[i] !== `${b}`) return "\\n" + x?.y ?? null; // no\n}\r\n',
    "def f(x: int) -> str:\n    return f'{x:>8}'\n\n\n# ------\nSELECT * FROM t WHERE a='b' AND c IN (1,2,3);",
    "| a | b |\n|---|:-:|\n\n```sh\ncurl -X POST https://a.example/v1?x=1&y=%20 -H 'a: b'\n```\n",
    "<|endoftext|> <|im_start|>system<|im_end|><|fim_prefix|>a<|endofprompt|><|endoftext",
    `${"a".repeat(999)} ${"ab".repeat(500)}\n${"=".repeat(2000)}${" ".repeat(1500)}${"0".repeat(777)}`,
  ];

  for (const text of [...written, written.join("\n\n")]) {
    const count = await finish(vocabulary.countTokens(text, Number.POSITIVE_INFINITY));

    expect([text, count]).toEqual([text, library.countTokens(text, plainText)]);
  }
});

test("a long piece has the tokens that gpt-tokenizer counts", async () => {
  const library = await import("gpt-tokenizer/encoding/cl100k_base");
  const vocabulary = await Vocabulary.open("cl100k_base");

  for (const [name, text] of hostileTexts(2500)) {
    const count = await finish(vocabulary.countTokens(text, Number.POSITIVE_INFINITY));

    expect([name, count]).toEqual([name, library.countTokens(text, plainText)]);
  }
});

test("counting stops above the limit, even within a piece", async () => {
  const vocabulary = await Vocabulary.open("cl100k_base");
  const count = (text: string, limit: number) => finish(vocabulary.countTokens(text, limit));

  expect(await count(" a b c", 3)).toBe(3);
  expect(await count(" a b c", 2)).toBeUndefined();
  expect(await count("x".repeat(80_000), 10_000)).toBe(10_000);
  expect(await count("x".repeat(80_000), 9999)).toBeUndefined();
  expect([...vocabulary.countTokens("x".repeat(1_000_000), 100)]).toEqual([]);
});

test("text that looks like a special token is ordinary text", async () => {
  const vocabulary = await Vocabulary.open("cl100k_base");

  expect(await finish(vocabulary.countTokens("<|endoftext|>", 100))).toBe(7);
});

test("token ids become their text", async () => {
  const vocabulary = await Vocabulary.open("cl100k_base");
  const library = await import("gpt-tokenizer/encoding/cl100k_base");
  const text = `The cat sat. ${hostileTexts(40)
    .map(([, each]) => each.replace(/\p{Cs}/gu, ""))
    .join(" ")}`;

  expect(await finish(vocabulary.textOf(library.encode(text)))).toBe(text);
  expect(await finish(vocabulary.textOf([791, 100_257]))).toBe("The<|endoftext|>");
  expect(await finish(vocabulary.bytesOf([791, 8415]))).toBe(7);
});

test("an id that the vocabulary does not have has no length", async () => {
  const vocabulary = await Vocabulary.open("p50k_base");

  for (const id of [50_281, 1_000_000, 2 ** 40])
    expect(await finish(vocabulary.bytesOf([1, id]))).toBeUndefined();
});

test("a part of a character does not get into the text of the next caller", async () => {
  const vocabulary = await Vocabulary.open("cl100k_base");
  // The first two bytes of 漢, and then all of it in three tokens.
  const [first, ...rest] = await import("gpt-tokenizer/encoding/cl100k_base").then(({ encode }) =>
    encode("漢"),
  );

  expect(await finish(vocabulary.textOf([first ?? 0]))).toBe("\ufffd");
  expect(await finish(vocabulary.textOf(rest))).toMatch(/^\ufffd+$/);
  expect(await finish(vocabulary.textOf([first ?? 0, ...rest]))).toBe("漢");
});

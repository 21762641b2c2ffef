import type { EmbeddingTraits, InputMediaTraits } from "../traits.js";

/** Models with the same widths, length and tasks. */
interface Family {
  readonly pattern: RegExp;
  readonly maxTokens: number;
  readonly widths: readonly number[];
  readonly inputTypes?: EmbeddingTraits["inputTypes"];
  readonly hasImages?: true;
  readonly inputMedia?: InputMediaTraits;
}

const retrieval = [
  ["query", "retrieval.query"],
  ["document", "retrieval.passage"],
  ["retrieval.query", "retrieval.query"],
  ["retrieval.passage", "retrieval.passage"],
] as const;
const matching = [
  ["similarity", "text-matching"],
  ["text-matching", "text-matching"],
] as const;
const codeTasks = ["nl2code", "code2code", "code2nl", "code2completion", "qa"].flatMap((task) => [
  `${task}.query`,
  `${task}.passage`,
]);

/** Widths and lengths from https://jina.ai/models. The v5 task names are those of v3 and v4: not yet confirmed. */
const families: readonly Family[] = [
  {
    pattern: /^jina-embeddings-v5-text-small/,
    maxTokens: 32_768,
    widths: [32, 64, 128, 256, 512, 1024],
    inputTypes: new Map([...retrieval, ...matching, ...same("classification", "clustering")]),
  },
  {
    pattern: /^jina-embeddings-v5-text-nano/,
    maxTokens: 8192,
    widths: [32, 64, 128, 256, 512, 768],
    inputTypes: new Map([...retrieval, ...matching, ...same("classification", "clustering")]),
  },
  {
    pattern: /^jina-embeddings-v5-omni/,
    maxTokens: 32_768,
    widths: [32, 64, 128, 256, 512, 1024],
    inputTypes: new Map([...retrieval, ...matching, ...same("classification", "clustering")]),
    hasImages: true,
    inputMedia: { file: {}, audio: {}, video: {} },
  },
  {
    pattern: /^jina-embeddings-v4/,
    maxTokens: 32_768,
    widths: [128, 256, 512, 1024, 2048],
    inputTypes: new Map([...retrieval, ...matching, ...same("code.query", "code.passage")]),
    hasImages: true,
  },
  {
    pattern: /^jina-embeddings-v3/,
    maxTokens: 8192,
    widths: [32, 64, 128, 256, 512, 768, 1024],
    inputTypes: new Map([
      ...retrieval,
      ...matching,
      ["clustering", "separation"],
      ...same("classification", "separation"),
    ]),
  },
  {
    pattern: /^jina-code-embeddings/,
    maxTokens: 32_768,
    widths: [128, 256, 512],
    inputTypes: new Map([["query", "nl2code.query"], ["document", "nl2code.passage"], ...same(...codeTasks)]),
  },
  { pattern: /^jina-clip-v2/, maxTokens: 8192, widths: [64, 128, 256, 512, 768, 1024], hasImages: true },
];

/** An unknown model gets no options: the gateway shortens its vectors. */
export function traitsOf(model: string): EmbeddingTraits & { readonly maxTokens: number } {
  const family = families.find(({ pattern }) => pattern.test(model));
  return {
    // The older models take 2,048.
    maxInputs: 512,
    maxTokens: family?.maxTokens ?? 8192,
    encodings: ["float", "base64"],
    ...(family?.inputTypes === undefined ? {} : { inputTypes: family.inputTypes }),
    ...(family === undefined ? { dimensions: "emulate" } : { dimensions: "pass", widths: family.widths }),
    // An input is a text or an image. The limits of images are not documented.
    ...(family?.hasImages
      ? { inputImages: { maxInputs: 512, maxImagesPerInput: 1, mixesParts: false } }
      : {}),
    ...(family?.inputMedia === undefined ? {} : { inputMedia: family.inputMedia }),
    tooLong: "refused",
    unitVectors: "not-always",
    takesUser: false,
  };
}

/** Jina's own words that the gateway takes as they are. */
function same(...words: string[]): [string, string][] {
  return words.map((word) => [word, word]);
}

import { decodeEmbedding } from "../../../../packages/client/src/decode-embedding.js";
import { parseJson } from "../../../../packages/client/src/responses/json.js";
import { parsePrompt } from "../../../../packages/sketch/src/prompt/parse-prompt.js";
import { createVocabulary } from "../../../../packages/sketch/src/prompt/vocabulary.js";
import { textOf } from "./incoming.js";
import type { Parser } from "./parser.js";
import { base64Shapes, filled, textShapes } from "./shapes.js";

const vocabulary = createVocabulary(["fox", "big tree", "orange"], new Map([["🦊", "fox"]]));

export const packageParsers: readonly Parser[] = [
  {
    name: "the prompt of a sketch",
    read: (bytes) => parsePrompt(textOf(bytes), vocabulary),
    bytesMax: 32_000,
    shapes: {
      ...textShapes,
      "sizes before nothing": () => filled("big "),
      "colours before sizes": () => filled("big ", { before: "orange " }),
      "joined pictograms": () => filled("🦊\u200d"),
      marks: () => filled("e\u0301"),
      apostrophes: () => filled("a's"),
    },
    samples: ["two big red foxes on a tree 🦊"],
    kind: "prose",
    refusals: [],
  },
  {
    name: "an embedding for a client",
    read: (bytes) => {
      parseJson(bytes.toString());
      return decodeEmbedding(bytes.toString());
    },
    shapes: base64Shapes,
    samples: ["AACAPw=="],
    kind: "base64",
    refusals: [TypeError],
  },
];

import { colourOrThing, colourWords } from "./colour-words.js";
import { fillerWords } from "./filler-words.js";
import { readCount } from "./number-words.js";
import type { PromptPlan } from "./prompt-plan.js";
import { Reading } from "./reading.js";
import { type SceneHint, sceneWords } from "./scene-words.js";
import { splitWords } from "./split-words.js";
import { singularPhrase, type Vocabulary } from "./vocabulary.js";

const largeWords = new Set(["big", "large", "giant", "huge", "enormous", "massive", "tall"]);
const smallWords = new Set(["small", "little", "tiny", "miniature", "mini"]);
const denials = new Set(["no", "without", "not"]);
const mountings = new Set(["riding", "rides", "ride", "on", "atop", "driving", "drives"]);

/** Reads a prompt from left to right; what stands before a subject (two, red, tiny) describes it. */
export function parsePrompt(prompt: string, vocabulary: Vocabulary): PromptPlan {
  const words = splitWords(prompt);
  const reading = new Reading();
  for (let position = 0; position < words.length; ) {
    position += readAt(words, position, { reading, vocabulary });
  }
  return reading.plan();
}

interface Reader {
  readonly reading: Reading;
  readonly vocabulary: Vocabulary;
}

/** Takes in what stands at the position and returns how many words that was. */
function readAt(words: readonly string[], position: number, { reading, vocabulary }: Reader): number {
  const word = words[position] ?? "";
  const motif = vocabulary.find(words, position);
  if (motif !== undefined && motif.length > 1) return reading.subject(motif);

  const colour = colourWords.get(word);
  if (colour !== undefined && !(colourOrThing.has(word) && !describes(words, position + 1, vocabulary))) {
    return reading.describe({ colour });
  }
  const scene = findScene(words, position);
  if (scene !== undefined && !(motif !== undefined && reading.counted()))
    return reading.scene(scene.hint, scene.length);
  if (largeWords.has(word)) return reading.describe({ size: "large" });
  if (smallWords.has(word)) return reading.describe({ size: "small" });
  if (mountings.has(word)) return reading.mount();
  if (denials.has(word)) return reading.describe({ denied: true });

  const count = readCount(word);
  if (count !== undefined) return reading.describe({ count });
  if (fillerWords.has(word)) return 1;
  return motif === undefined ? reading.unknown(word) : reading.subject(motif);
}

/** Whether a subject follows, with nothing but adjectives that we know in between. */
function describes(words: readonly string[], position: number, vocabulary: Vocabulary): boolean {
  const word = words[position] ?? "";
  if (largeWords.has(word) || smallWords.has(word)) return describes(words, position + 1, vocabulary);
  return !fillerWords.has(word) && vocabulary.find(words, position) !== undefined;
}

function findScene(
  words: readonly string[],
  position: number,
): { hint: SceneHint; length: number } | undefined {
  for (let length = Math.min(3, words.length - position); length > 0; length--) {
    const phrase = words.slice(position, position + length).join(" ");
    const hint = sceneWords.get(phrase) ?? sceneWords.get(singularPhrase(phrase));
    if (hint !== undefined) return { hint, length };
  }
  return undefined;
}

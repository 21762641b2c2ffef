import { colourOrThing, colourWords, readCount } from "./describing-words.js";
import type { PromptPlan } from "./prompt-plan.js";
import { Reading } from "./reading.js";
import { type SceneHint, sceneWords } from "./scene-words.js";
import { singularPhrase, type Vocabulary } from "./vocabulary.js";

const largeWords = new Set(["big", "large", "giant", "huge", "enormous", "massive", "tall"]);
const smallWords = new Set(["small", "little", "tiny", "miniature", "mini"]);
const denials = new Set(["no", "without", "not"]);
const mountings = new Set(["riding", "rides", "ride", "on", "atop", "driving", "drives"]);

/** Reads a prompt from left to right. Words before a subject (two, red, tiny) describe it. */
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

/** Reads the word or phrase at the position and returns its number of words. */
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

/** Whether a subject follows, with only known adjectives before it. */
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

const wordPattern =
  /\p{Extended_Pictographic}(?:\u{FE0F}|\u{200D}\p{Extended_Pictographic})*|[\p{L}\p{M}\p{N}]+/gu;

/** The words of a prompt in lower case and without accents. Each emoji is a word. */
function splitWords(prompt: string): string[] {
  const plain = withoutLongMarks(prompt)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/['’]s?\b/g, "")
    .toLowerCase();
  return plain.match(wordPattern) ?? [];
}

/**
 * Shortens runs of combining marks: to put them in order takes the square of their number. No letter of a language has
 * more than a few. https://unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
function withoutLongMarks(prompt: string): string {
  // The two marks of half width become combining ones.
  return prompt.replace(/([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu, "$1");
}

/** Words that no motif can show, or that name one by accident (to watch, to fly, to pick). */
const fillerWords: ReadonlySet<string> = new Set(
  `a an the this that these those some any its it his her their my your our they he she we you i me us them
   and or but with of at by to from for as is are was were be been being am has have had do does did
   in on into onto over under above below behind beside between near next through across around along
   inside outside front back up down out off very really quite so too also just only more most much
   there here where when while which who whose what how then than all each every both other another
   add make draw put place create generate show paint render please give remove replace change turn edit use let
   image picture photo photograph photography illustration drawing painting sketch artwork art render rendering
   cartoon clipart clip watercolor watercolour style styled design poster wallpaper scene view background
   realistic photorealistic detailed quality resolution hd uhd 4k 8k high low medium digital vector flat minimal
   minimalist cinematic professional beautiful cute nice pretty lovely simple amazing awesome cool new free dark bright
   fly flies flew ride rides watch watches look looks stand stands sit sits run runs walk walks jump jumps
   hold holds wear wears eat eats drink drinks play plays sleep sleeps smile smiles swim swims chase chases
   pick picks seat link label light lights set sets wood mate sake top end full half left right side close
   color colour colored coloured tone tones shade shades kind type way thing things lot lots`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

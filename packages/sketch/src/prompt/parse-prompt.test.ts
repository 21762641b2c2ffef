import { beforeAll, expect, test } from "vitest";
import { readMotifLibrary } from "../motifs/motif-library.js";
import { parsePrompt } from "./parse-prompt.js";
import type { PromptPlan } from "./prompt-plan.js";
import { createVocabulary, type Vocabulary } from "./vocabulary.js";

let vocabulary: Vocabulary;
beforeAll(async () => {
  const { motifs, emoji } = await readMotifLibrary();
  vocabulary = createVocabulary(motifs.keys(), emoji);
});

const cases: readonly [prompt: string, want: PromptPlan][] = [
  [
    "a fox and two rockets at night",
    {
      subjects: [
        { motif: "fox", count: 1 },
        { motif: "rocket", count: 2 },
      ],
      light: "night",
      colours: [],
      unknown: [],
    },
  ],
  [
    "An astronaut riding a horse",
    {
      subjects: [
        { motif: "astronaut", count: 1, on: "horse" },
        { motif: "horse", count: 1 },
      ],
      colours: [],
      unknown: [],
    },
  ],
  [
    "hot air balloons over snowy mountains",
    {
      subjects: [{ motif: "hot-air-balloon", count: 3 }],
      place: "snow",
      weather: "snow",
      colours: [],
      unknown: [],
    },
  ],
  [
    "a tiny red car, a castle and a purple sky",
    {
      subjects: [
        { motif: "automobile", count: 1, colour: "#e8384f", size: "small" },
        { motif: "castle", count: 1 },
      ],
      colours: ["#8d4fd6"],
      unknown: [],
    },
  ],
  [
    "an orange cat with an orange",
    {
      subjects: [
        { motif: "cat", count: 1, colour: "#ff8a2b" },
        { motif: "tangerine", count: 1 },
      ],
      colours: [],
      unknown: [],
    },
  ],
  [
    "3 wolves in the woods",
    { subjects: [{ motif: "wolf", count: 3 }], place: "forest", colours: [], unknown: [] },
  ],
  ["a garden without dogs", { subjects: [], place: "meadow", colours: [], unknown: [] }],
  ["🦊 💫 ruhig", { subjects: [{ motif: "fox", count: 1 }], colours: [], unknown: ["💫", "ruhig"] }],
  ["猫が好き", { subjects: [], colours: [], unknown: ["猫か\u3099好き".normalize("NFC")] }],
  ["", { subjects: [], colours: [], unknown: [] }],
];

test.each(cases)("%j is read as its plan", (prompt, want) => {
  expect(parsePrompt(prompt, vocabulary)).toEqual(want);
});

test("verbs do not add the motifs that share their name", () => {
  const { subjects } = parsePrompt("a dog watching birds fly, light on its back, picking a seat", vocabulary);

  expect(subjects.map(({ motif }) => motif)).toEqual(["dog", "bird"]);
});

test("the longest prompt that OpenAI allows has a limited number of subjects", () => {
  const { subjects, unknown } = parsePrompt(
    "cat dog cow pig horse fox wolf bear lion zorp1 qux ".repeat(700),
    vocabulary,
  );

  expect([subjects.length, unknown]).toEqual([8, ["zorp1", "qux"]]);
});

test.each(["\u0301\u0316", "\uff9e\u0301"])(
  "a run of combining marks is shortened before it is put in order: %j",
  (marks) => {
    // To put these in order would take minutes.
    const { subjects } = parsePrompt(`a${marks.repeat(1_000_000)} cat`, vocabulary);

    expect(subjects.map(({ motif }) => motif)).toEqual(["cat"]);
  },
);

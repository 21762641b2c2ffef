import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const files = [
  "README.md",
  "CONTRIBUTING.md",
  "spec/openapi.yaml",
  "spec/errors.yaml",
  "spec/error-responses.yaml",
  ...["decisions", "examples", "guides", "upstreams"].flatMap((folder) => filesIn(`apps/docs/${folder}`)),
  ...["components", "paths", "webhooks"].flatMap((folder) => filesIn(`spec/${folder}`)),
];

/** Habits that make a sentence hard to read, and the rewrite that helps. */
const habits = [
  { pattern: /^What (?!.*\?$)/, advice: "name the thing instead of a clause with What" },
  { pattern: /\bof (?:its|their|your|our) own\b/, advice: "write separate, its own …, or nothing" },
  { pattern: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b)/i, advice: "write is not" },
];

test("the docs and the spec are free of the habits", () => {
  const found = files.flatMap((file) =>
    sentencesOf(readFileSync(join(root, file), "utf8"))
      .flatMap(habitsIn)
      .map((habit) => `${file}: ${habit}`),
  );

  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});

test("a habit is found, and plain sentences are not", () => {
  const text = "It has a check of its own. What it lacks is left out: the key is no secret.";

  expect(sentencesOf(text).flatMap(habitsIn)).toHaveLength(3);
  expect(sentencesOf("There is no key. What is it? It is no longer used.").flatMap(habitsIn)).toEqual([]);
});

function habitsIn(sentence: string): string[] {
  return habits
    .filter(({ pattern }) => pattern.test(sentence))
    .map(({ advice }) => `${advice}: ${sentence.slice(0, 100)}`);
}

/** The sentences outside of blocks of code. A cell of a table and an entry of a list begin a sentence. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/^ *```[\s\S]*?^ *```$/gm, "")
    .split(/\n\s*\n|\n\s*(?=[-*#])|\|\s|^\s*[\w-]+: |(?<=[.!?:])\**\s+/m)
    .map((part) =>
      part
        .replace(/^[-*#>\s"]+/, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:md|yaml)$/.test(file))
    .map((file) => `${folder}/${file}`);
}

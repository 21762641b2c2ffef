import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const prose = /\.(?:md|yaml)$/;
const code = /\.(?:[cm]?ts|tsx|[cm]js)$/;
const files = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "spec/openapi.yaml",
  "spec/errors.yaml",
  "spec/error-responses.yaml",
  ...["decisions", "examples", "guides", "upstreams"].flatMap((folder) =>
    filesIn(`apps/docs/${folder}`, prose),
  ),
  ...["components", "paths", "webhooks"].flatMap((folder) => filesIn(`spec/${folder}`, prose)),
];
const sourceFolders = [
  "apps/cli/src",
  "apps/gateway/bench",
  "apps/gateway/src",
  "apps/gateway/test",
  "apps/console/src",
  "apps/console/test",
  ...["browser", "diagrams", "frame", "markdown", "pages", "reference", "search", "test"].map(
    (folder) => `apps/docs/${folder}`,
  ),
  ...readdirSync(join(root, "packages")).flatMap((name) =>
    ["assembly", "src", "test"].map((folder) => `packages/${name}/${folder}`),
  ),
  "spec/drift",
];
const sources = [
  ...sourceFolders.flatMap((folder) => filesIn(folder, code)),
  ...["apps/docs", "apps/gateway", "packages/web", "spec"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => code.test(file))
      .map((file) => `${folder}/${file}`),
  ),
];

/** Habits that make a sentence hard to read, and the rewrite that helps. */
const habits = [
  { pattern: /^What (?!.*\?$)/, advice: "name the thing instead of a clause with What" },
  { pattern: /\bof (?:its|their|your|our) own\b/, advice: "write separate, its own …, or nothing" },
  { pattern: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b)/i, advice: "write is not" },
];

test("the docs and the spec are free of the habits", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap((file) => faultsIn(file, readFileSync(join(root, file), "utf8")))).toEqual([]);
});

test("comments and test titles are free of the habits", () => {
  expect(sources.length).toBeGreaterThan(1000);
  expect(sources.flatMap((file) => faultsIn(file, notesIn(readFileSync(join(root, file), "utf8"))))).toEqual(
    [],
  );
});

test("a habit is found, and plain sentences are not", () => {
  const text = "It has a check of its own. What it lacks is left out: the key is no secret.";

  expect(sentencesOf(text).flatMap(habitsIn)).toHaveLength(3);
  expect(sentencesOf("There is no key. What is it? It is no longer used.").flatMap(habitsIn)).toEqual([]);
});

test("a habit is found in each kind of comment and in titles, and code is ignored", () => {
  const source = [
    "/** What it keeps. */",
    "/**",
    " * It is kept. What it",
    " * drops is lost.",
    " */",
    "  // It has a folder",
    "  // of its own.",
    'test("a cat is no dog", () => {',
    '])("%s is no dog", () => {',
    'const text = "What a string says is no comment of its own.";',
  ].join("\n");

  expect(sentencesOf(notesIn(source)).flatMap(habitsIn)).toHaveLength(5);
});

function faultsIn(file: string, text: string): string[] {
  return sentencesOf(text)
    .flatMap(habitsIn)
    .map((habit) => `${file}: ${habit}`);
}

/** The comments on separate lines and the test titles of a source file, as paragraphs. */
function notesIn(source: string): string {
  const comments = source.match(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm) ?? [];
  const titles = source.matchAll(/^[ \t]*(?:(?:test|describe)[.\w]*|\]\))\("([^"]*)"/gm);
  return [
    ...comments.map((comment) => comment.replace(/\*\/$/, "").replace(/^[ \t]*(?:\/\*+|\*|\/\/)/gm, "")),
    ...[...titles].map(([, title]) => title),
  ].join("\n\n");
}

function habitsIn(sentence: string): string[] {
  return habits
    .filter(({ pattern }) => pattern.test(sentence))
    .map(({ advice }) => `${advice}: ${sentence.slice(0, 100)}`);
}

/** The sentences outside code blocks. A table cell and a list entry begin a sentence. */
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

function filesIn(folder: string, names: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => names.test(file) && !/\b(?:node_modules|dist)\//.test(file))
    .map((file) => `${folder}/${file}`);
}

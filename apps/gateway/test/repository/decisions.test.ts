import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const decisions = readdirSync(join(root, "apps/docs/decisions")).filter((file) => file !== "README.md");
/** A decision by its number in a sentence, or by its address. */
const named = /\bdecisions? (?<number>\d{4})\b|\bdecisions\/(?<file>\d{4}-[\w-]+)/gi;

test("every decision that code, tests and docs name is there", () => {
  const texts = filesIn("").map((file) => [file, readFileSync(join(root, file), "utf8")] as const);

  const references = texts.flatMap(([file, text]) =>
    [...text.matchAll(named)].map(([, number, name]) => ({ file, decision: name ?? number ?? "" })),
  );
  const unknown = references.filter(
    ({ decision }) => !decisions.some((name) => name.startsWith(`${decision}-`) || name === `${decision}.md`),
  );

  expect(references.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});

/** Everything that a person wrote: texts, sources and deployment files. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) return isForeign.test(entry.name) ? [] : filesIn(file);
    return isText.test(entry.name) ? [file] : [];
  });
}

const isForeign = /^(?:node_modules|dist|coverage|weights|\..+)$/;
const isText = /\.(?:md|[cm]?[jt]sx?|ya?ml|service)$|^Dockerfile$/;

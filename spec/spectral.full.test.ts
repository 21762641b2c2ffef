import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Document, type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { Json, Yaml } from "@stoplight/spectral-parsers";
import { beforeAll, expect, test } from "vitest";

let ruleset: RulesetDefinition;
beforeAll(async () => {
  // Spectral's command-line file. It has no types.
  const file: string = "./.spectral.mjs";
  ruleset = (await import(file)).default;
});

/** Spectral's findings in a document. References are relative to its path. */
async function findingsIn(text: string, file: string): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const path = fileURLToPath(new URL(file, import.meta.url));
  const document = file.endsWith(".json") ? new Document(text, Json, path) : new Document(text, Yaml, path);
  const findings = await spectral.run(document);
  return findings.map(({ code, path, message }) => `${code} at ${path.join("/")}: ${message}`);
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), "utf8");
}

test.each(["generated/openapi.json", "openapi.yaml"])("Spectral finds nothing in %s", async (file) => {
  expect(await findingsIn(read(file), file)).toEqual([]);
});

test("Spectral follows the document's references and finds its faults", async () => {
  const faulty = read("openapi.yaml")
    .replace("paths/healthz.yaml", "paths/nowhere.yaml")
    .replace("$ref: paths/readyz.yaml", "get: { surprise: true }");

  const findings = await findingsIn(faulty, "openapi.yaml");

  expect(findings).toContainEqual(expect.stringMatching(/^invalid-ref at paths\/\/healthz/));
  expect(findings).toContainEqual(expect.stringMatching(/^oas3-schema at paths\/\/readyz\/get/));
  expect(findings).toContainEqual(expect.stringMatching(/^operation-description at paths\/\/readyz\/get/));
});

import { readFileSync } from "node:fs";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";

const text = readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8");

/** What Spectral's own rules for OpenAPI find in a document. No rule is switched off. */
async function findingsIn(document: string): Promise<string[]> {
  const spectral = new Spectral();
  // Its own types disagree on whether a ruleset must extend another.
  spectral.setRuleset({ extends: [oas as RulesetDefinition] });
  const findings = await spectral.run(document);
  return findings.map(({ code, path, message }) => `${code} at ${path.join("/")}: ${message}`);
}

test("Spectral finds nothing in the bundled document", async () => {
  expect(await findingsIn(text)).toEqual([]);
});

test("Spectral finds an operation without a description", async () => {
  const document = JSON.parse(text);
  delete document.paths["/healthz"].get.description;

  const [finding] = await findingsIn(JSON.stringify(document));

  expect(finding).toMatch(/^operation-description at paths\/\/healthz\/get/);
});

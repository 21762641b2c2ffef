import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** Lints a copy of the spec after a change to one of its files, and returns the linter's output. */
async function lintAfter(
  file: string,
  change: (text: string) => string,
): Promise<{ passed: boolean; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "spec-"));
  for (const part of [
    "openapi.yaml",
    "redocly.yaml",
    ".redocly.lint-ignore.yaml",
    "paths",
    "webhooks",
    "components",
    "generated",
  ]) {
    cpSync(new URL(part, import.meta.url), join(folder, part), { recursive: true });
  }
  const path = join(folder, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
  const redocly = new URL("node_modules/.bin/redocly", import.meta.url).pathname;
  return run(redocly, ["lint", "--config", "redocly.yaml"], { cwd: folder })
    .then(
      ({ stdout, stderr }) => ({ passed: true, output: stdout + stderr }),
      ({ stdout, stderr }) => ({ passed: false, output: stdout + stderr }),
    )
    .finally(() => rmSync(folder, { recursive: true, force: true }));
}

test("the spec passes without a warning", async () => {
  const { passed, output } = await lintAfter("openapi.yaml", (text) => text);

  expect(passed, output).toBe(true);
  expect(output).not.toMatch(/\d+ warning/);
});

test.each([
  [
    "a reference to nothing",
    "openapi.yaml",
    "paths/healthz.yaml",
    "paths/nowhere.yaml",
    "no-unresolved-refs",
  ],
  [
    "an example that does not fit its schema",
    "components/examples/OneEmbeddingRequest.yaml",
    "gte-small",
    "[]",
    "no-invalid-media-type-examples",
  ],
  [
    "an operation without a name",
    "paths/healthz.yaml",
    "operationId: checkHealth",
    "x-nothing: 1",
    "operation-operationId",
  ],
  [
    "a response without its request id",
    "components/responses/Healthy.yaml",
    "x-request-id",
    "x-other",
    "response-contains-header",
  ],
  ["a document without a license", "openapi.yaml", "license:", "x-nothing:", "info-license"],
])("%s fails the build", async (_name, file, from, to, rule) => {
  const { passed, output } = await lintAfter(file, (text) => text.replace(from, to));

  expect(passed).toBe(false);
  expect(output).toContain(rule);
});

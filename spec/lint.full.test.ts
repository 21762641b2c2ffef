import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);

interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A finding of the linter, as it prints it in JSON. */
interface Problem {
  readonly ruleId: string;
  readonly severity: "error" | "warn";
}

/** Lints a copy of the spec after changes to its files. */
async function lintAfter(...changes: readonly Change[]): Promise<{ passed: boolean; problems: Problem[] }> {
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
  for (const { file, from, to } of changes) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  }
  const redocly = new URL("node_modules/.bin/redocly", import.meta.url).pathname;
  const options = { cwd: folder, maxBuffer: 2 ** 26 };
  return run(redocly, ["lint", "--config", "redocly.yaml", "--format", "json"], options)
    .then(
      ({ stdout }) => ({ passed: true, problems: JSON.parse(stdout).problems }),
      ({ stdout }) => ({ passed: false, problems: JSON.parse(stdout).problems }),
    )
    .finally(() => rmSync(folder, { recursive: true, force: true }));
}

test("the spec passes without a warning", async () => {
  expect(await lintAfter()).toEqual({ passed: true, problems: [] });
});

const faults: readonly (Change & { readonly name: string; readonly rule: string })[] = [
  {
    name: "a reference to nothing",
    file: "openapi.yaml",
    from: "paths/readyz.yaml",
    to: "paths/nowhere.yaml",
    rule: "no-unresolved-refs",
  },
  {
    name: "an example that does not fit its schema",
    file: "components/examples/OneEmbeddingRequest.yaml",
    from: "gte-small",
    to: "[]",
    rule: "no-invalid-media-type-examples",
  },
  {
    name: "an operation without a name",
    file: "paths/healthz.yaml",
    from: "operationId: checkHealth",
    to: "x-nothing: 1",
    rule: "operation-operationId",
  },
  {
    name: "a response without its request id",
    file: "components/responses/Healthy.yaml",
    from: "x-request-id",
    to: "x-other",
    rule: "response-contains-header",
  },
  {
    name: "a document without a license",
    file: "openapi.yaml",
    from: "license:",
    to: "x-nothing:",
    rule: "info-license",
  },
];

describe("a spec with faults", () => {
  // One run for all of them: each takes the linter five seconds.
  let found: Awaited<ReturnType<typeof lintAfter>>;
  beforeAll(async () => {
    found = await lintAfter(...faults);
  });

  test("fails the build", () => {
    expect(found.passed).toBe(false);
  });

  test.each(faults)("$name is an error", ({ rule }) => {
    expect(found.problems).toContainEqual(expect.objectContaining({ ruleId: rule, severity: "error" }));
  });
});

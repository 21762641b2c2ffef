import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../../../..");
const manifests = [
  "spec",
  ...["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  ),
].map((folder) => `${folder}/package.json`);

const deployment = "apps/gateway/deploy/kubernetes/deployment.yaml";
const chart = "apps/gateway/deploy/helm/model-gateway/Chart.yaml";

/** The versions of all packages, the spec and its build outputs. */
function versionsIn(folder: string): Record<string, string> {
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  return {
    ...Object.fromEntries(manifests.map((file) => [file, JSON.parse(read(file)).version])),
    "spec/openapi.yaml": parse(read("spec/openapi.yaml")).info.version,
    [chart]: parse(read(chart)).version,
    [`${chart} appVersion`]: parse(read(chart)).appVersion,
    [deployment]: /image: \S+:(\S+)/.exec(read(deployment))?.[1] ?? "",
    ...(existsSync(join(folder, "spec/generated"))
      ? { "spec/generated/openapi.json": JSON.parse(read("spec/generated/openapi.json")).info.version }
      : {}),
  };
}

test("all packages, the spec, its bundle and the image have one version", () => {
  const versions = versionsIn(root);

  expect(Object.keys(versions).length).toBeGreaterThan(12);
  expect(new Set(Object.values(versions)).size).toBe(1);
});

test("a release sets every version, moves the changelog's news and publishes them", () => {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const check = "apps/gateway/check-release.mjs";
  for (const file of [...manifests, "spec/openapi.yaml", deployment, chart, "CHANGELOG.md", check]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  const script = join(root, "apps/gateway/set-version.mjs");

  execFileSync(process.execPath, [script, "7.8.9", folder]);

  expect([...new Set(Object.values(versionsIn(folder)))]).toEqual(["7.8.9"]);
  const changelog = readFileSync(join(folder, "CHANGELOG.md"), "utf8");
  expect(changelog).toMatch(/^## Unreleased\n\n## 7\.8\.9, \d{4}-\d\d-\d\d\n\n### /m);
  const [, unreleased = ""] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  const args = [join(folder, check), "v7.8.9", "host.example/model-gateway", "--news"];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe(
    unreleased.replace("Unreleased\n\n", ""),
  );
  expect(() => execFileSync(process.execPath, [script, "seven", folder], { stdio: "pipe" })).toThrow(
    "Name a version",
  );
});

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { readDockerfile } from "./dockerfile.js";

const root = join(import.meta.dirname, "../../../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}
const workflow: { on: unknown; permissions: unknown; jobs: Readonly<Record<string, Job>> } = parse(
  read(".github/workflows/release.yml"),
);
const jobs = Object.entries(workflow.jobs);
const stepWith = (job: string, action: string) =>
  workflow.jobs[job]?.steps.find(({ uses }) => uses?.startsWith(`${action}@`))?.with;

test("a release runs on a tag of a version, reads by default, and names the job that it needs", () => {
  expect(workflow.on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+*"] } });
  expect(workflow.permissions).toEqual({ contents: "read" });
  for (const [, { needs = [] }] of jobs)
    for (const name of [needs].flat()) expect(Object.keys(workflow.jobs)).toContain(name);
  expect(jobs.filter(([, job]) => job["timeout-minutes"] === undefined)).toEqual([]);
});

test("nothing is published before the tests have passed", () => {
  const reaches = (name: string): boolean =>
    name === "check" || [workflow.jobs[name]?.needs ?? []].flat().some((other) => reaches(other));

  expect(jobs.map(([name]) => name).filter((name) => !reaches(name))).toEqual([]);
  expect(workflow.jobs.check?.steps.at(-1)?.run).toBe(".ci/run");
});

test("the workflow names no host of a registry", () => {
  expect(read(".github/workflows/release.yml")).not.toMatch(/ghcr\.io|docker\.io|npmjs|quay\.io/);
});

test("the image is built for both processors, with provenance and a list of its packages", () => {
  expect(stepWith("image", "docker/build-push-action")).toMatchObject({
    file: "apps/gateway/Dockerfile",
    platforms: "linux/amd64,linux/arm64",
    provenance: "mode=max",
    sbom: true,
  });
  expect(stepWith("image", "actions/attest-build-provenance")).toMatchObject({ "push-to-registry": true });
  expect(workflow.jobs.image?.permissions).toMatchObject({ "id-token": "write", attestations: "write" });
  expect(readDockerfile()[0]?.text).toContain("--platform=$BUILDPLATFORM");
});

test("the packages are published with provenance, and the release lists what they depend on", () => {
  const commands = workflow.jobs.packages?.steps.flatMap(({ run }) => run ?? []).join("\n");

  expect(commands).toContain("node apps/gateway/pack.mjs packed");
  expect(commands).toContain("npm publish --provenance --access public");
  expect(commands).toContain('npm run sbom -- --out "packed/%s-%v.cdx.json"');
  expect(stepWith("packages", "actions/upload-artifact")).toMatchObject({ path: "packed/*" });
  expect(workflow.jobs.packages?.permissions).toMatchObject({ "id-token": "write" });
});

const placeholder = "registry.example/model-gateway";
/** The files of some folders that name the placeholder. */
function placeholdersIn(folder: string): string[] {
  return ["README.md", "apps/docs", "apps/gateway/README.md", "apps/gateway/deploy"]
    .filter((place) => existsSync(join(folder, place)))
    .flatMap((place) =>
      /\.md$/.test(place)
        ? [place]
        : readdirSync(join(folder, place), { recursive: true, encoding: "utf8" })
            .filter((name) => /\.(md|ts|yaml)$/.test(name) && !/node_modules|dist\//.test(name))
            .map((name) => join(place, name)),
    )
    .filter((file) => readFileSync(join(folder, file), "utf8").includes(placeholder))
    .sort();
}

test("the name of the image replaces the placeholder in every file that has it", () => {
  const folder = mkdtempSync(join(tmpdir(), "image-name-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const named = placeholdersIn(root);
  for (const file of named) cpSync(join(root, file), join(folder, file));
  const script = join(root, "apps/gateway/set-image.mjs");

  execFileSync(process.execPath, [script, "host.example:5000/team/model-gateway", folder]);

  expect(named).toEqual(
    expect.arrayContaining([
      "apps/docs/guides/deploy.md",
      "apps/docs/pages/home-page.ts",
      "apps/gateway/deploy/helm/model-gateway/values.yaml",
      "apps/gateway/deploy/kubernetes/deployment.yaml",
    ]),
  );
  expect(placeholdersIn(folder)).toEqual([]);
  for (const wrong of ["", "model-gateway", "host/team/gateway:1.0.0"])
    expect(() => execFileSync(process.execPath, [script, wrong, folder], { stdio: "pipe" })).toThrow(
      "Name the image",
    );
});

test("a tag of another version, no image and no news stop a release", () => {
  const script = join(root, "apps/gateway/check-release.mjs");
  const { version } = JSON.parse(read("apps/gateway/package.json"));
  const check = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { stdio: "pipe" });

  expect(() => check("v0.0.1", "a/b")).toThrow(`The tag v0.0.1 is not v${version}`);
  expect(() => check(`v${version}`, "")).toThrow("Set the variable IMAGE");
});

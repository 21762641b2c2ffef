import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const folder = ".github/workflows";
const workflows = readdirSync(join(root, folder)).map((name) => read(join(folder, name)));
const node = read(".nvmrc").trim();

test("every action is pinned to a commit, beside its version", () => {
  const actions = workflows.flatMap((text) =>
    [...text.matchAll(/\buses:\s*(.+)/g)].map(([, action = ""]) => action),
  );

  expect(actions.length).toBeGreaterThan(10);
  expect(
    actions.filter((action) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
  ).toEqual([]);
});

test("an action has one commit in all workflows", () => {
  const pinned = workflows.flatMap((text) => [...text.matchAll(/\buses:\s*(([^@\s]+)@.+)/g)]);
  const actions = new Set(pinned.map(([, , action]) => action));

  expect(new Set(pinned.map(([, whole]) => whole)).size).toBe(actions.size);
});

test("the workflows and the container of an editor run the Node of .nvmrc, and CI tests it", () => {
  const { jobs } = parse(read(join(folder, "ci.yml")));
  const container = JSON.parse(read(".devcontainer/devcontainer.json"));
  const versions = workflows.flatMap((text) => [...text.matchAll(/node-version(?:-file)?: (.+)/g)]);

  expect(jobs.test.strategy.matrix.node).toContain(Number(node));
  expect(new Set(versions.map(([, version]) => version))).toEqual(new Set([".nvmrc"]));
  expect(parse(read(join(folder, "release.yml"))).jobs.check.container).toBe(`node:${node}-bookworm`);
  expect(container).toMatchObject({
    image: `node:${node}-bookworm`,
    forwardPorts: [8080],
    postCreateCommand: "npm run build",
  });
});

test("updates come weekly and in groups, wait a week, and keep actions pinned", () => {
  const renovate = JSON.parse(read(".github/renovate.json"));

  expect(renovate).toMatchObject({
    extends: expect.arrayContaining(["helpers:pinGitHubActionDigestsToSemver"]),
    schedule: ["before 6am on monday"],
    minimumReleaseAge: "7 days",
    rangeStrategy: "pin",
    lockFileMaintenance: { enabled: true },
  });
  expect(renovate.packageRules.flatMap(({ groupName }: { groupName?: string }) => groupName ?? [])).toContain(
    "actions",
  );
});

test("updates find pnpm wherever a script names its version", () => {
  const { customManagers } = JSON.parse(read(".github/renovate.json"));
  const [pattern = ""]: string[] = customManagers[0].matchStrings;
  const version = read("package.json").match(/"packageManager": "pnpm@(.+)"/)?.[1];

  const found = ["package.json", "apps/gateway/prepare.mjs", "apps/gateway/bench/start.mjs"].map((file) =>
    [...read(file).matchAll(new RegExp(pattern, "g"))].map(({ groups }) => groups?.currentValue),
  );

  expect(found.map((versions) => new Set(versions))).toEqual([
    new Set([version]),
    new Set([version]),
    new Set([version]),
  ]);
});

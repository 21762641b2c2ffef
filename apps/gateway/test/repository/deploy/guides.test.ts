import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorTable } from "@model-gateway/domain/errors";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { unknownVariables } from "./environment.js";

const gateway = join(import.meta.dirname, "../../..");
const root = join(gateway, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const schema = JSON.parse(read("apps/gateway/generated/config.schema.json"));

/** Whether a setting such as `limits.stopMs` is in the schema of the configuration. */
function isSetting(path: string): boolean {
  const [first = "", second = ""] = path.split(".");
  const parts = schema.properties[first]?.oneOf ?? [schema.properties[first]];
  return parts.some((part: { properties?: object } | undefined) =>
    Object.hasOwn(part?.properties ?? {}, second),
  );
}

describe.each(["deploy", "security", "troubleshooting"])("the guide %s", (name) => {
  const guide = read(`apps/docs/guides/${name}.md`);

  test("names settings and variables that exist", () => {
    const settings = [...guide.matchAll(/`((?:limits|images|retention)\.\w+)`/g)].map(
      ([, path = ""]) => path,
    );
    const variables = [...guide.matchAll(/`([A-Z][A-Z_]+)(?:=[^`]*)?`/g)].map(
      ([, variable = ""]) => variable,
    );
    const ofOthers = ["HEALTHCHECK", "NAME", "NAME_FILE", "NODE_OPTIONS", "SECRETS_GROUP"];

    expect(settings.filter((path) => !isSetting(path))).toEqual([]);
    expect(unknownVariables(variables, "").filter((one) => !ofOthers.includes(one))).toEqual([]);
  });

  test("names error codes with their status", () => {
    const named = [...guide.matchAll(/\b([45]\d\d) `(\w+)`(?: or `(\w+)`)?/g)];
    const wrong = named.flatMap(([, status, ...codes]) =>
      codes.filter((code) => code !== undefined && statusOf(code) !== Number(status)),
    );

    expect(wrong).toEqual([]);
  });

  test("names files that exist", () => {
    const folders = ["", "kubernetes", "monitoring", "helm/model-gateway"].map((folder) =>
      join(gateway, "deploy", folder),
    );
    const files = folders.flatMap((folder) => readdirSync(folder));
    const named = [...guide.matchAll(/`(?:[\w/-]+\/)?([\w-]+\.(?:yaml|yml|json|sh|conf|service))`/g)];

    expect(named.map(([, file = ""]) => file).filter((file) => !files.includes(file))).toEqual([]);
  });
});

function statusOf(code: string): number | undefined {
  return Object.entries(errorTable).find(([known]) => known === code)?.[1].status;
}

test("the guide Deploy creates every secret that a pod reads", () => {
  const guide = read("apps/docs/guides/deploy.md");
  const deployment = read("apps/gateway/deploy/kubernetes/deployment.yaml");

  const created = [...guide.matchAll(/--from-literal=([\w-]+)=/g)].map(([, key]) => key);
  const needed = [...deployment.matchAll(/secretKeyRef: \{ name: model-gateway, key: ([\w-]+) \}/g)];

  expect(created.sort()).toEqual(needed.map(([, key]) => key).sort());
});

test.each(["CONTRIBUTING.md", "AGENTS.md"])("%s names files, folders and commands that exist", (name) => {
  const text = read(name);
  const { scripts } = JSON.parse(read("package.json"));
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
  const paths = [...text.matchAll(/`((?:apps|spec|packages)(?:\/[\w./-]+)?|\.ci\/run)`/g)].map(
    ([, path = ""]) => path,
  );
  const inGateway = [...text.matchAll(/`((?:src|test)\/[\w./-]+)`|vitest (?:run )?((?:src|test)\/[^\s`]+)/g)];

  expect([...links, ...paths].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(
    inGateway.map(([, path, run]) => path ?? run ?? "").filter((path) => !existsSync(join(gateway, path))),
  ).toEqual([]);
  expect([...text.matchAll(/npm run ([\w:]+)/g)].filter(([, script = ""]) => !(script in scripts))).toEqual(
    [],
  );
});

test("CI runs .ci/run on the oldest Node that is supported and on newer ones, on both kinds of processor", () => {
  const { jobs } = parse(read(".github/workflows/ci.yml"));
  const { engines } = JSON.parse(read("package.json"));
  const { node, processor } = jobs.test.strategy.matrix;

  expect(engines.node).toBe(`^${node[0]}.19.0 || >=${node[1]}.12.0`);
  expect({ node, processor }).toEqual({ node: [20, 22, 24], processor: ["x64", "arm64"] });
  expect(jobs.test.steps.at(-1).run).toBe(".ci/run");
});

test("every package has the licence of the project", () => {
  const folders = ["apps", "packages"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  );
  const licences = ["", "spec", ...folders].map((folder) => {
    const { name, license } = JSON.parse(read(join(folder, "package.json")));
    return [name, license];
  });

  expect(licences.filter(([, license]) => license !== "Apache-2.0")).toEqual([]);
  expect(read("LICENSE")).toMatch(/^\s+Apache License\n\s+Version 2\.0/);
});

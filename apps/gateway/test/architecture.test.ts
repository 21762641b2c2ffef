import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = fileURLToPath(new URL("../src/", import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

/** What each place may import beside itself and the words that every place shares. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["*"],
  app: ["*"],
  "relay.ts": ["models", "embeddings", "images", "limits", "usage", "scheduling", "providers (types)"],
  http: [
    "relay.ts",
    "models",
    "config",
    "embeddings",
    "images",
    "keys",
    "limits",
    "usage",
    "runtime",
    "scheduling (types)",
    "telemetry (types)",
  ],
  models: [],
  keys: ["runtime"],
  limits: [],
  usage: ["limits (types)", "runtime"],
  scheduling: ["providers (types)", "runtime"],
  embeddings: ["scheduling (types)", "usage (types)", "runtime"],
  storage: [
    "embeddings",
    "runtime",
    "images (types)",
    "config (types)",
    "http (types)",
    "keys (types)",
    "limits (types)",
    "usage (types)",
  ],
  images: ["scheduling (types)", "providers (types)", "usage (types)", "runtime"],
  providers: ["runtime"],
  config: ["images", "usage"],
  telemetry: ["scheduling (types)", "usage (types)", "http (types)"],
  runtime: [],
  domain: ["runtime (types)"],
  "quiet-times.ts": [],
  "errors.ts": [],
  "operations.ts": [],
};
const sharedWords = ["errors.ts", "operations.ts", "domain"];

const imports = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .flatMap(importsOf);

test("every import goes the way that the design allows", () => {
  const wrong = imports.filter(({ from, to, isTypeOnly }) => {
    const [source, target] = [place(from), place(to)];
    const may = allowed[source] ?? [];
    if (source === target || sharedWords.includes(target) || may.includes("*") || may.includes(target))
      return false;
    return !(isTypeOnly && may.includes(`${target} (types)`));
  });

  expect(wrong).toEqual([]);
});

test("every place has a rule", () => {
  const places = new Set(imports.map(({ from }) => place(from)));

  expect([...places].filter((name) => !(name in allowed))).toEqual([]);
});

test("no file imports itself by way of others", () => {
  const edges = group(imports);
  const circles: string[][] = [];
  const walk = (file: string, trail: readonly string[]) => {
    if (trail.includes(file)) {
      circles.push([...trail.slice(trail.indexOf(file)), file]);
      return;
    }
    for (const next of edges.get(file) ?? []) walk(next, [...trail, file]);
  };
  for (const file of edges.keys()) walk(file, []);

  expect(circles).toEqual([]);
});

test("only main.ts says process", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const speakers = files.filter((file) => /\bprocess\.\w/.test(readFileSync(join(src, file), "utf8")));

  expect(speakers).toEqual(["main.ts"]);
});

test("what is pure knows no provider by name", () => {
  const pure = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(embeddings|images|scheduling)\/.*(?<!\.test)\.ts$/.test(file),
  );
  const knowing = pure.filter((file) =>
    /openai|azure|gemini|cohere/i.test(readFileSync(join(src, file), "utf8")),
  );

  expect(knowing).toEqual([]);
});

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), "utf8");
  return [...text.matchAll(/^(?:import|export) (type )?[^;]*?from "(\.[^"]+)"/gms)].map(
    ([, type, path = ""]) => ({
      from: file,
      to: relative(src, join(src, file, "..", path)).replace(/\.js$/, ".ts"),
      isTypeOnly: type !== undefined,
    }),
  );
}

function place(file: string): string {
  return file.split("/")[0] ?? file;
}

function group(list: readonly Import[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  // A type is gone when the code runs, so that only values can close a circle.
  for (const { from, to, isTypeOnly } of list)
    if (!isTypeOnly) groups.set(from, [...(groups.get(from) ?? []), to]);
  return groups;
}

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = fileURLToPath(new URL("../src/", import.meta.url));

/**
 * What each folder may import besides itself and the shared words; `(types)` allows types only. A permission that no
 * file uses must be removed, so that this table shows the architecture as it is.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["app", "config", "keys", "providers", "storage", "telemetry"],
  app: [
    "config (types)",
    "embeddings",
    "http",
    "images",
    "keys",
    "limits",
    "providers (types)",
    "runtime",
    "scheduling",
    "storage",
    "telemetry",
    "usage",
    "webhooks",
  ],
  http: [
    "config (types)",
    "embeddings",
    "images (types)",
    "keys",
    "limits",
    "runtime",
    "scheduling (types)",
    "telemetry (types)",
    "usage (types)",
  ],
  embeddings: ["runtime", "scheduling (types)", "usage"],
  images: ["providers (types)", "runtime", "scheduling (types)", "usage"],
  scheduling: ["providers (types)", "runtime"],
  providers: ["images (types)", "runtime"],
  keys: ["runtime"],
  limits: [],
  usage: ["limits (types)", "runtime"],
  telemetry: ["scheduling (types)", "usage (types)", "webhooks (types)"],
  config: ["images", "providers", "usage"],
  storage: [
    "config (types)",
    "embeddings",
    "images (types)",
    "keys (types)",
    "limits (types)",
    "runtime",
    "scheduling (types)",
    "usage (types)",
    "webhooks (types)",
  ],
  webhooks: ["limits (types)", "scheduling (types)"],
  runtime: [],
  domain: ["runtime (types)"],
  "errors.ts": [],
  "operations.ts": [],
};
/** Every folder may use these. */
const sharedWords = ["errors.ts", "operations.ts", "domain"];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const sources = files.filter((file) => !file.endsWith(".test.ts") && !file.includes("/test/"));
const imports = sources.flatMap(importsOf);
const crossings = imports.filter(({ from, to }) => {
  const [source, target] = [folderOf(from), folderOf(to)];
  return source !== target && !sharedWords.includes(target);
});

test("every import is one that the architecture allows", () => {
  const forbidden = crossings.filter(({ from, to, isTypeOnly }) => {
    const permissions = allowed[folderOf(from)] ?? [];
    const target = folderOf(to);
    return !permissions.includes(target) && !(isTypeOnly && permissions.includes(`${target} (types)`));
  });

  expect(forbidden).toEqual([]);
});

test("every permission is used, and none is wider than it needs to be", () => {
  const used = (source: string, permission: string): boolean => {
    const target = permission.replace(" (types)", "");
    const isForTypes = permission !== target;
    return crossings.some(
      ({ from, to, isTypeOnly }) =>
        folderOf(from) === source && folderOf(to) === target && (isForTypes || !isTypeOnly),
    );
  };
  const unused = Object.entries(allowed).flatMap(([source, permissions]) =>
    permissions
      .filter((permission) => !used(source, permission))
      .map((permission) => `${source} -> ${permission}`),
  );

  expect(unused).toEqual([]);
});

test("every folder has its permissions written down", () => {
  const folders = new Set(sources.map(folderOf));

  expect([...folders].filter((folder) => !(folder in allowed))).toEqual([]);
});

test("there are no import circles, not even of types", () => {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const circles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file]);
    if (done.has(file) || trail.includes(file)) return;
    for (const next of targets.get(file) ?? []) walk(next, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) walk(file, []);

  expect(circles).toEqual([]);
});

test("only main.ts knows the process", () => {
  const knowing = files.filter((file) => /\bprocess\.\w/.test(readFileSync(join(src, file), "utf8")));

  expect(knowing).toEqual(["main.ts"]);
});

test("only the folder of a provider, and the price catalogue, know it by name", () => {
  const core = sources.filter(
    (file) => !/^providers\/(?!provider\.ts|http\/)/.test(file) && file !== "usage/price-catalogue.ts",
  );
  const comparing = core.filter((file) =>
    /(?<!typeof )\bprovider\s*[!=]==\s*["']/.test(readFileSync(join(src, file), "utf8")),
  );
  const naming = core.filter((file) =>
    /azure|gemini|cohere|voyage|bedrock/i.test(readFileSync(join(src, file), "utf8")),
  );

  expect([...comparing, ...naming]).toEqual([]);
});

test("http/operations lists the operations of the spec and the table of their handlers, nothing else", () => {
  const listed = sources.flatMap((file) => /^http\/operations\/(.+)\.ts$/.exec(file)?.[1] ?? []);
  const table = readFileSync(join(src, "http/operations/handlers.ts"), "utf8");

  const unlisted = listed.filter((name) => name !== "handlers" && !table.includes(`from "./${name}.js"`));

  expect(unlisted).toEqual([]);
});

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), "utf8");
  const statements = [...text.matchAll(/^(?:import|export) (type )?([^;]*?)from "(\.[^"]+)"/gms)];
  const lazy = [...text.matchAll(/import\("(\.[^"]+)"\)/g)].map(([, path = ""]) => ["", undefined, "", path]);
  return [...statements, ...lazy].map(([, type, names = "", path = ""]) => ({
    from: file,
    to: relative(src, join(src, file, "..", path)).replace(/\.js$/, ".ts"),
    isTypeOnly: type !== undefined || isOnlyTypes(names),
  }));
}

/** `import { type A, type B }` imports types only as well. */
function isOnlyTypes(names: string): boolean {
  const inside =
    /^\{([^}]*)\}\s*$/s
      .exec(names.trim())?.[1]
      ?.split(",")
      .map((name) => name.trim())
      .filter(Boolean) ?? [];
  return inside.length > 0 && inside.every((name) => name.startsWith("type "));
}

function folderOf(file: string): string {
  return file.split("/")[0] ?? file;
}

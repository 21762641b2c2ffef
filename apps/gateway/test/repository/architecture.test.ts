import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { providers } from "@model-gateway/providers/registry";
import { describe, expect, test } from "vitest";
import {
  findCircles,
  listHouse,
  listModules,
  pathInHouse,
  readHouse,
  readImports,
  roomOf,
  repository as root,
  withoutTests,
} from "./imports.js";

/**
 * Allowed imports of each folder besides itself and the shared words; `(types)` allows types only. A permission that no
 * file uses must be removed, so that this table shows the architecture as it is.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["cli", "commands", "process"],
  process: ["app", "config", "data-folder", "providers", "storage", "telemetry"],
  commands: ["catalogue", "cli", "config", "images", "providers", "spaces"],
  cli: ["catalogue", "config", "data-folder", "providers", "tokens"],
  app: [
    "api",
    "batches",
    "catalogue (types)",
    "config",
    "content-credentials",
    "embeddings",
    "events",
    "execution",
    "files",
    "http",
    "images",
    "jobs",
    "keys",
    "limits",
    "models",
    "object-store",
    "providers",
    "scheduling",
    "sessions",
    "spaces",
    "storage",
    "telemetry",
    "tokens",
    "usage",
    "webhooks",
  ],
  http: [
    "config (types)",
    "execution",
    "files (types)",
    "images",
    "keys (types)",
    "sessions (types)",
    "telemetry (types)",
  ],
  api: [
    "batches",
    "catalogue",
    "config",
    "content-credentials (types)",
    "embeddings",
    "events (types)",
    "execution",
    "files",
    "images",
    "jobs",
    "keys",
    "limits",
    "models",
    "scheduling (types)",
    "sessions (types)",
    "spaces (types)",
    "usage",
  ],
  execution: ["files (types)", "keys (types)", "sessions (types)", "telemetry (types)", "usage"],
  batches: ["execution", "files", "images (types)", "webhooks (types)", "work"],
  work: [],
  jobs: ["execution (types)", "files (types)", "images (types)", "webhooks (types)", "work"],
  events: [],
  files: ["config (types)"],
  sessions: ["keys"],
  embeddings: ["images (types)", "scheduling (types)", "tokens", "usage"],
  images: ["content-credentials", "limits (types)", "providers (types)", "scheduling (types)", "usage"],
  scheduling: ["providers (types)"],
  providers: [],
  "content-credentials": [],
  keys: ["config (types)"],
  models: ["config", "embeddings", "images", "providers (types)", "scheduling (types)", "usage"],
  spaces: ["config (types)", "embeddings", "providers"],
  limits: [],
  usage: ["limits (types)"],
  telemetry: ["embeddings (types)", "scheduling (types)", "usage (types)", "webhooks (types)"],
  config: ["catalogue", "object-store (types)", "providers"],
  catalogue: [],
  storage: [
    "batches (types)",
    "config (types)",
    "embeddings",
    "files",
    "images (types)",
    "jobs (types)",
    "keys",
    "limits (types)",
    "object-store",
    "scheduling (types)",
    "sessions (types)",
    "spaces (types)",
    "usage",
    "webhooks (types)",
    "work",
  ],
  webhooks: ["batches (types)", "jobs (types)", "limits (types)", "scheduling (types)", "work"],
  runtime: [],
  domain: [],
  "data-folder": [],
  "object-store": [],
  tokens: [],
};
/** Every room may use these packages. */
const sharedWords = ["domain", "runtime"];

const files = listHouse();
const sources = withoutTests(files);
const imports = readHouse(sources);
const crossings = imports.filter(({ from, to }) => {
  const [source, target] = [roomOf(from), roomOf(to)];
  return source !== target && !sharedWords.includes(target);
});

test("every import is one that the architecture allows", () => {
  const forbidden = crossings.filter(({ from, to, isTypeOnly }) => {
    const permissions = allowed[roomOf(from)] ?? [];
    const target = roomOf(to);
    return !permissions.includes(target) && !(isTypeOnly && permissions.includes(`${target} (types)`));
  });

  expect(forbidden, "if the import is meant, add its target to the importer's line of allowed").toEqual([]);
});

test("every permission is used, and none is wider than it needs to be", () => {
  const used = (source: string, permission: string): boolean => {
    const target = permission.replace(" (types)", "");
    const isForTypes = permission !== target;
    return crossings.some(
      ({ from, to, isTypeOnly }) =>
        roomOf(from) === source && roomOf(to) === target && (isForTypes || !isTypeOnly),
    );
  };
  const unused = Object.entries(allowed).flatMap(([source, permissions]) =>
    permissions
      .filter((permission) => !used(source, permission))
      .map((permission) => `${source} -> ${permission}`),
  );

  expect(unused, "remove these from allowed, or add (types)").toEqual([]);
});

test("every folder has its permissions written down", () => {
  const folders = new Set(sources.map(roomOf));

  expect(
    [...folders].filter((folder) => !(folder in allowed)),
    "give each a line in allowed, and add it to those of its importers",
  ).toEqual([]);
});

const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);

test.each(["apps/gateway/src", "apps/console/src", "apps/docs", ...packages])(
  "there are no import circles in %s, not even of types",
  (folder) => {
    const modules = listModules(join(root, folder));

    expect(modules).not.toEqual([]);
    expect(findCircles(readImports(join(root, folder), modules))).toEqual([]);
  },
);

describe("providers", () => {
  /** A part may import itself and those before it. A folder that is not named here is a provider. */
  const layers = ["provider.ts", "http", "dialects", "a provider", "registry.ts"];
  const contract = ["call.ts", "detection.ts", "provider.ts", "traits.ts"];
  const folder = "packages/providers/src/";
  const inside = files.filter((file) => file.startsWith(folder) && !file.includes("/test/"));
  const crossings = readHouse(inside)
    .filter(({ to }) => to.startsWith(folder))
    .map(({ from, to }) => ({ from: from.slice(folder.length), to: to.slice(folder.length) }))
    .filter(({ from, to }) => partOf(from) !== partOf(to))
    // Tests may read with the parts that tests share, and through a dialect.
    .filter(({ from, to }) => !(from.endsWith(".test.ts") && /^(test|dialects)\//.test(to)));

  function partOf(file: string): string {
    const [part = ""] = file.split("/");
    return contract.includes(part) ? "provider.ts" : part;
  }
  function layerOf(file: string): number {
    const at = layers.indexOf(partOf(file));
    return at === -1 ? layers.indexOf("a provider") : at;
  }

  test("a part imports only those below it", () => {
    expect(crossings.filter(({ from, to }) => layerOf(to) >= layerOf(from))).toEqual([]);
  });

  test("a provider is a folder and a line: nothing but the registry imports it", () => {
    const provider = layers.indexOf("a provider");
    const everywhere = imports
      .filter(({ to }) => to.startsWith(folder))
      .map(({ from, to }) => ({ from: from.replace(folder, ""), to: to.slice(folder.length) }))
      .filter(({ from, to }) => layerOf(to) === provider && partOf(from) !== partOf(to));

    expect(everywhere.filter(({ from }) => from !== "registry.ts")).toEqual([]);
    expect(everywhere.map(({ to }) => partOf(to)).sort()).toEqual(providers.map(({ name }) => name).sort());
  });
});

test("only main.ts and its folder know the process", () => {
  const knowing = files.filter((file) => /\bprocess\.\w/.test(readFileSync(pathInHouse(file), "utf8")));

  // The second prints the JavaScript of others. The third words a hint, in messages of every folder.
  const known = ["main.ts", "apps/cli/src/connect/tools.ts", "packages/domain/src/typed-command.ts"];
  expect(knowing.filter((file) => !known.includes(file) && roomOf(file) !== "process")).toEqual([]);
});

test("only the folder of a provider, the registry, the catalogue and the imports know it by name", () => {
  const core = sources.filter(
    (file) =>
      !/^(apps\/cli\/src\/import\/|packages\/providers\/src\/(?!provider\.ts|call\.ts|detection\.ts|traits\.ts|http\/|dialects\/(embeddings|images|jobs)\/))/.test(
        file,
      ) &&
      // These name operations of the spec, at the paths for other APIs' clients.
      file !== "packages/domain/src/operations.ts" &&
      !file.startsWith("api/operations/") &&
      file !== "api/documents/OllamaModel.ts" &&
      file !== "http/response/write-error.ts" &&
      // The settings of other programs, which name an API.
      file !== "apps/cli/src/connect/tools.ts",
  );
  const names = providers.map(({ name }) => name);
  // OpenAI's name is also that of the API, and the others are English words: these are only searched for in quotes.
  const distinct = names.filter((name) => !/openai|^(local|together)$/.test(name));
  // A short name is a part of words, such as "fallback".
  const words = distinct.map((name) => (name.length > 3 ? name : `\\b${name}\\b`));
  const named = [
    /(?<!typeof )\bprovider\s*[!=]==\s*["']/,
    new RegExp(`["'\`](${names.join("|")})["'\`]`),
    ...(words.length === 0 ? [] : [new RegExp(words.join("|"), "i")]),
  ];

  const naming = core.filter((file) => {
    const text = readFileSync(pathInHouse(file), "utf8");
    return named.some((pattern) => pattern.test(text));
  });

  expect(naming).toEqual([]);
});

test("api/operations lists the operations of the spec and the table of their handlers, nothing else", () => {
  const listed = sources.flatMap((file) => /^api\/operations\/(.+)\.ts$/.exec(file)?.[1] ?? []);
  const table = readFileSync(pathInHouse("api/operations/handlers.ts"), "utf8");

  const unlisted = listed.filter((name) => name !== "handlers" && !table.includes(`from "./${name}.js"`));

  expect(unlisted).toEqual([]);
});

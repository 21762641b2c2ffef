import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = fileURLToPath(new URL("../src/", import.meta.url));

/** Allowed imports of each folder besides itself. A permission that no file uses must be removed. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "main.tsx": ["frame.tsx", "look", "operations", "playground", "routes", "session"],
  "frame.tsx": ["pages", "parts", "playground", "routes", "search", "session"],
  pages: ["operations", "parts", "routes", "session"],
  search: ["operations", "parts", "routes", "session"],
  playground: ["operations", "parts", "routes", "session"],
  operations: ["parts", "session"],
  session: ["parts"],
  routes: [],
  parts: [],
};

/** The packages that reach the browser. Each one must be worth its bytes. */
const packages = [
  "@model-gateway/client",
  "@model-gateway/spec",
  "@model-gateway/vector-check",
  "@model-gateway/web",
  "@tanstack/react-query",
  "react",
  "react-dom",
];

const sources = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes(".test."))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

const imports = sources.flatMap(({ file, text }) =>
  // Not the texts "from" and "recovered_from", which are filters.
  [...text.matchAll(/(?<!["\w])(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, to = ""]) => ({ file, to })),
);

test("folders import only allowed ones, and each permission is used", () => {
  const used = new Map<string, Set<string>>();
  for (const { file, to } of imports.filter(({ to }) => to.startsWith("."))) {
    const [from, into] = [folderOf(file), folderOf(join(dirname(file), to))];
    if (from !== into) used.set(from, (used.get(from) ?? new Set()).add(into));
  }

  const found = Object.keys(allowed).map((folder) => [folder, [...(used.get(folder) ?? [])].sort()]);
  expect(Object.fromEntries(found)).toEqual(allowed);
});

test("no other package reaches the browser", () => {
  const names = imports
    .filter(({ to }) => !to.startsWith("."))
    .map(({ to }) => packages.find((name) => to === name || to.startsWith(`${name}/`)) ?? to);

  expect([...new Set(names)].sort()).toEqual(packages);
});

test("only the client of the session sends requests", () => {
  const senders = sources.filter(({ text }) =>
    /\bfetch\(|XMLHttpRequest|EventSource|WebSocket|sendBeacon/.test(text),
  );

  // The other one sends files, whose progress `fetch` does not report.
  expect(senders.map(({ file }) => relative(src, file)).sort()).toEqual([
    "session/session-client.ts",
    "session/upload-file.ts",
  ]);
});

function folderOf(file: string): string {
  const [folder = ""] = relative(src, file).split("/");
  return folder.replace(/\.js$/, ".tsx");
}

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandNames } from "@model-gateway/cli/command-table";
import { expect, test } from "vitest";
import { readBlocks } from "./blocks.js";

const root = join(import.meta.dirname, "../../../..");
const gateway = "@model-gateway/gateway";

/** Programs that npx runs here: this project's, and those in the lockfile. */
const known: ReadonlySet<string> = new Set([gateway, "vitest", "tsc", "biome", "pnpm", "-y"]);

/** Each word after `npx` in a text. */
function npxPackages(text: string): string[] {
  return [...text.matchAll(/\bnpx (?:(?:-y|--yes|--prefer-offline|-p) )*([@\w/.-]+)/g)].map(([, name = ""]) =>
    name
      .split("@")
      .slice(0, name.startsWith("@") ? 2 : 1)
      .join("@"),
  );
}

/** A command of the gateway without the way in which it is started, as in `model-gateway link`. */
const bareCommand = new RegExp(
  `(?<![@/\\w-])model-gateway (?:${[...new Set(commandNames.map((name) => name.split(" ")[0]))].join("|")}|--version|--help)\\b`,
  "g",
);

test("npx never gets a name that is not this project's", () => {
  expect(npxPackages("npx model-gateway link; npx -y @model-gateway/gateway@1.0.0 link")).toEqual([
    "model-gateway",
    gateway,
  ]);
  const blocks = readBlocks();
  expect(blocks.length).toBeGreaterThan(100);
  expect(
    blocks.flatMap(({ place, text }) =>
      npxPackages(text).flatMap((name) => (known.has(name) ? [] : [`${place}: npx ${name}`])),
    ),
  ).toEqual([]);
});

test("no text or message has the unscoped name after npx, or a command without its start", () => {
  const files = trackedFiles();
  expect(files.length).toBeGreaterThan(1500);
  expect(
    files.flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const found = [
        ...(text.match(/\bnpx (?:-\S+ )*model-gateway\b/g) ?? []),
        ...(text.match(bareCommand) ?? []),
      ];
      return found.map((one) => `${file}: ${one}`);
    }),
  ).toEqual([]);
});

/** Files with texts that people read: docs, messages, deployment. Not the record of changes, and not tests. */
function trackedFiles(): string[] {
  return execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\0")
    .filter(
      (file) =>
        /\.(?:md|ya?ml|tsx?|mjs|sh|txt|service|Dockerfile)$/.test(file) &&
        !/(?:^|\/)(?:test|generated)\/|\.test\.|^CHANGELOG\.md$/.test(file),
    );
}

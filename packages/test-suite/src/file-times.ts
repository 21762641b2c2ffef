import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tier } from "./tier.js";

/** One file of tests in a run. */
export interface FileTime {
  /** Its package's folder, from the root of the repository. */
  readonly folder: string;
  /** From that folder. */
  readonly file: string;
  readonly isPassed: boolean;
  readonly cpuMs: number;
  readonly clockMs: number;
  readonly tests: number;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const times = fileURLToPath(new URL(`../node_modules/.cache/test-times/${tier}/`, import.meta.url));

/** Keeps the package's files in the working directory, for the end of a run over all packages. */
export function writeTimes(files: readonly Omit<FileTime, "folder">[]): void {
  const folder = process.cwd().slice(root.length);
  mkdirSync(times, { recursive: true });
  writeFileSync(
    join(times, `${basename(folder)}.json`),
    JSON.stringify(files.map((file) => ({ folder, ...file }))),
  );
}

/** All packages' files in the last run of this tier. */
export function readTimes(): FileTime[] {
  return readdirSync(times).flatMap((name) => JSON.parse(readFileSync(join(times, name), "utf8")));
}

/** The packages with tests that have left no times: their run broke off. */
export function unfinishedPackages(): string[] {
  const packages = ["apps", "packages"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  return [...packages, "spec"]
    .filter((folder) => existsSync(join(root, folder, "vitest.config.ts")))
    .filter((folder) => !existsSync(join(times, `${basename(folder)}.json`)));
}

/** The path of a package. */
export function absolute(folder: string): string {
  return join(root, folder);
}

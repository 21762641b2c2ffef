import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";
import { Sequencer } from "./sequencer.js";
import { filesOfTier, tier } from "./tier.js";

/** One kind of tests in a package. */
export interface Part {
  readonly name: string;
  /** Patterns that end in `.test.ts`. */
  readonly files: readonly string[];
  /** Whether each file gets a process. Files that keep no state in modules share one, and its imports. */
  readonly isolated?: boolean;
  /** Whether only `x.smoke.test.ts` is in the short tier. */
  readonly areSlow?: boolean;
  readonly globalSetup?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Files at once in addition to the cores. Tests wait for servers about as long as they compute. The rest of the slow ones,
 * with kills and outages, waits longer: three files at once left two cores idle for a quarter of the time.
 */
function waitingFiles(parts: readonly Part[]): number {
  return tier === "rest" && parts.some(({ name }) => name === "process") ? 2 : 1;
}

/** The vitest configuration of a package. */
export function defineSuite(
  parts: readonly Part[] = [{ name: "unit", files: ["**/*.test.ts"] }],
): ViteUserConfig {
  return defineConfig({
    test: {
      passWithNoTests: true,
      maxWorkers: availableParallelism() + waitingFiles(parts),
      sequence: { sequencer: Sequencer },
      reporters: ["default", besideThis("cpu-reporter.js")],
      projects: parts.map(projectOf),
    },
  });
}

function projectOf({ name, files, isolated = false, areSlow = false, globalSetup = [], env = {} }: Part) {
  const { include, exclude } = filesOfTier(files, { areSlow });
  return {
    resolve: { alias: sourceAliases },
    test: {
      name,
      include,
      exclude: [...configDefaults.exclude, "dist/**", ...exclude],
      isolate: isolated,
      globalSetup: [...globalSetup],
      env,
      setupFiles: [besideThis("measure-cpu.js"), besideThis("expect-real-timers.js")],
      // Only a hang takes this long. A busy machine may slow a test down twenty times.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      // On such a machine a gateway takes half a minute to start. The default is one second.
      expect: { poll: { timeout: 120_000 } },
    },
  };
}

/**
 * The packages whose sources tests read, so that a change in one of them needs no build. They are not found by a condition
 * of their exports: processes and threads that a test starts would inherit it, and cannot read TypeScript.
 */
export const sourceAliases = ["apps", "packages"].flatMap((folder) => {
  const root = fileURLToPath(new URL(`../../../${folder}/`, import.meta.url));
  const names = readdirSync(root).filter((name) => hasSources(join(root, name, "package.json")));
  if (names.length === 0) return [];
  return [
    {
      find: new RegExp(`^@model-gateway/(${names.join("|")})/(.+)$`),
      replacement: `${root}$1/src/$2`,
    },
  ];
});

function hasSources(file: string): boolean {
  if (!existsSync(file)) return false;
  const { exports: exported } = JSON.parse(readFileSync(file, "utf8"));
  return exported?.["./*"]?.["model-gateway-source"] !== undefined;
}

function besideThis(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

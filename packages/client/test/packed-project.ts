import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { everyOperation } from "./every-operation.js";
import { consumerOptions } from "./type-check.js";

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, "..");
const consumerFolder = join(import.meta.dirname, "consumer");

/** A project outside the workspace in which only the packed client is installed. */
export interface PackedProject {
  readonly folder: string;
  /** The installed client in `node_modules`. */
  readonly clientFolder: string;
  /** Writes the compiler settings for one file of the project, or several. */
  configure(files: string | readonly string[], options?: Record<string, unknown>): Promise<void>;
  /** Runs a JavaScript file in the given environment and returns its output. Warnings are errors. */
  run(file: string, environment: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
}

/** Packs the built client and installs it in an empty project, together with the programs of `test/consumer`. */
export async function createPackedProject(): Promise<PackedProject> {
  const folder = await mkdtemp(join(tmpdir(), "model-gateway-client-"));
  const tarball = await packClient(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd: folder });
  for (const program of ["program.ts", "commonjs.cjs", "commonjs-types.cts", "node10.ts"])
    await cp(join(consumerFolder, program), join(folder, program));
  await writeFile(join(folder, "every-operation.ts"), everyOperation());
  await writeFile(join(folder, "misuses.ts"), await readMisuses());
  return {
    folder,
    clientFolder: join(folder, "node_modules/@model-gateway/client"),
    configure: (files, options = {}) => {
      const settings = { compilerOptions: { ...consumerOptions, ...options }, files: [files].flat() };
      return writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
    },
    run: async (file, environment) => {
      const { stdout, stderr } = await run(process.execPath, [file], {
        cwd: folder,
        env: environment,
        timeout: 60_000,
      });
      if (stderr !== "") throw new Error(stderr);
      return stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** As a release packs it. Returns the path of the tarball. */
async function packClient(folder: string): Promise<string> {
  const pack = join(packageFolder, "../../apps/gateway/pack.mjs");
  await run(process.execPath, [pack, folder, "--only", "packages/client"]);
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  if (!tarball) throw new Error("Packing produced no tarball.");
  return join(folder, tarball);
}

const expectError = "// @ts-expect-error";

/** The lines of `misuses.ts` that must not compile, counted from 1. */
export async function listMisuses(): Promise<number[]> {
  const lines = (await readFile(join(consumerFolder, "misuses.ts"), "utf8")).split("\n");
  return lines.flatMap((line, index) => (line.trim().startsWith(expectError) ? [index + 2] : []));
}

/** Without the `@ts-expect-error` comments, so that the compiler reports each line. */
async function readMisuses(): Promise<string> {
  return (await readFile(join(consumerFolder, "misuses.ts"), "utf8")).replaceAll(expectError, "// Refused:");
}

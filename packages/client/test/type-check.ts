import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Compiles the project in a folder and returns its errors as `file:line`, with their text. */
export async function typeCheck(
  folder: string,
  typescript: CompilerPackage = "typescript",
): Promise<{ at: string; text: string }[]> {
  const compiler = compilerOf(typescript);
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [compiler, "-p", folder, "--pretty", "false"], (error, stdout, stderr) => {
      // The compiler exits with 1 or 2 if it found errors. Any other code means that it failed itself.
      if (error && error.code !== 1 && error.code !== 2)
        reject(new Error(stderr || stdout, { cause: error }));
      else resolve(stdout);
    });
  });
  return output
    .split("\n")
    .filter((line) => line.includes("error TS"))
    .map((text) => ({ at: text.replace(/^(?:.*\/)?([^/(]+)\((\d+),.*$/, "$1:$2"), text }));
}

/** The options of a program outside this repository; only the Node types come from here. */
export const consumerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: "es2023",
  lib: ["es2023"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [join(import.meta.dirname, "../node_modules/@types")],
};

/** The newest compiler, and the oldest that the client supports. */
export type CompilerPackage = "typescript" | "typescript-5.4";

function compilerOf(name: CompilerPackage): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "bin/tsc");
}

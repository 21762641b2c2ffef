import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const gateway = join(import.meta.dirname, "../..");
/** Loads before the program, and makes Node look like an older one. */
const asNode = (version: string) =>
  `data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
/** An old Node cannot load this: its built-in modules lack the name. */
const tooNew = `import { nameOfALaterNode } from "node:zlib";\nnameOfALaterNode();\n`;

/** A copy of an entry point, in which every other file of the gateway is too new for this Node. */
function copyOf(entry: string): string {
  const folder = mkdtempSync(join(tmpdir(), "entry-point-"));
  for (const name of [entry, "check-node.mjs", "package.json"]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(gateway, name), join(folder, name));
  }
  const text = readFileSync(join(gateway, entry), "utf8");
  for (const [, path = ""] of text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
    const file = join(folder, dirname(entry), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, tooNew);
  }
  return join(folder, entry);
}

function run(entry: string, version: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", asNode(version), copyOf(entry), "--version"],
    { encoding: "utf8" },
  );
  return { status, said: stdout + stderr };
}

test.each(["bin.mjs", "start.mjs", "dev.mjs", "bench/start.mjs", "mutate/start.mjs"])(
  "%s says in one sentence that this Node cannot run it, before it loads anything else",
  (entry) => {
    for (const version of ["18.20.4", "20.18.3", "21.7.3", "22.11.0"])
      expect(run(entry, version)).toEqual({
        status: 1,
        said: `Model Gateway needs Node 20.19, or 22.12 or later, and this is Node ${version} (${process.execPath}). Install a later one from https://nodejs.org, and try again.\n`,
      });
  },
);

test.each(["20.19.0", "20.20.2", "22.12.0", "24.0.0", "25.1.0"])("Node %s goes on", (version) => {
  expect(run("bin.mjs", version).said).toContain("nameOfALaterNode");
});

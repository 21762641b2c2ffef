import { readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import { quoted, typedCommand } from "@model-gateway/domain/typed-command";
import type { CommandOf } from "./command-table.js";
import { importBifrost } from "./import/bifrost/import-bifrost.js";
import { ImportError } from "./import/import-report.js";
import { importLitellm } from "./import/litellm/import-litellm.js";

/** A configuration is small; a larger file is another one. */
const sourceBytesMax = 16 * 1024 * 1024;

const imports = { "import litellm": importLitellm, "import bifrost": importBifrost };

/**
 * Converts another product's configuration to the gateway's.
 *
 * @returns The text for standard output: the configuration, or where it was written.
 */
export function importConfig(
  { name, file, out, force }: CommandOf<keyof typeof imports>,
  workingDirectory: string,
): string {
  const text = imports[name](readSource(resolve(workingDirectory, file), file), basename(file));
  if (out === undefined) return text;
  writeNew(resolve(workingDirectory, out), { text, name: out, force });
  return `Wrote ${out}. Read the comments at its top, then check it: ${typedCommand(`check ${quoted(out)}`)}\n`;
}

function readSource(path: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new ImportError(`${name} cannot be read (${codeOf(cause)}). Check its path and its permissions.`);
  }
  if (text.length > sourceBytesMax) throw new ImportError(`${name} is too large for a configuration.`);
  return text;
}

interface NewFile {
  readonly text: string;
  readonly name: string;
  readonly force: boolean;
}

function writeNew(path: string, { text, name, force }: NewFile): void {
  try {
    writeFileSync(path, text, { flag: force ? "w" : "wx" });
  } catch (cause) {
    const code = codeOf(cause);
    throw new ImportError(
      code === "EEXIST"
        ? `${name} exists already. Use --force to overwrite it, or another --out.`
        : `${name} cannot be written (${code}). Check its path and its permissions.`,
    );
  }
}

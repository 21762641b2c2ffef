import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeWholeSync } from "@model-gateway/runtime/write-whole";

/** The file with which commands on the same machine find a running gateway. */
export interface RunFile {
  /** An address that works on this machine. */
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Accepted as the admin key, from this machine and as long as the process runs. */
  readonly secret: string;
}

const fileName = "run.json";
/** The file of a gateway has some 250 bytes. */
const lengthMax = 8192;

/** Only the gateway that has locked the data folder may call it. */
export function writeRunFile(dataDir: string, run: RunFile): { remove(): void } {
  writeWholeSync(join(dataDir, fileName), `${JSON.stringify(run, null, 2)}\n`);
  return { remove: () => removeRunFile(dataDir) };
}

export function removeRunFile(dataDir: string): void {
  rmSync(join(dataDir, fileName), { force: true });
}

/** Undefined if there is none, or if this process may not read it. A gateway that was killed has left its file. */
export function readRunFile(dataDir: string): RunFile | undefined {
  try {
    const text = readFileSync(join(dataDir, fileName), "utf8");
    const run: unknown = text.length > lengthMax ? undefined : JSON.parse(text);
    return isRunFile(run) ? run : undefined;
  } catch {
    return undefined;
  }
}

function isRunFile(value: unknown): value is RunFile {
  if (typeof value !== "object" || value === null) return false;
  const { url, pid, version, startedAt, secret } = value as Partial<Record<keyof RunFile, unknown>>;
  return (
    typeof pid === "number" && [url, version, startedAt, secret].every((field) => typeof field === "string")
  );
}

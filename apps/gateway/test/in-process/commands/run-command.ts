import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCommandLine } from "../../../src/commands/command-line.js";
import { type RemoteCommand, runRemote } from "../../../src/commands/run-remote.js";
import { explainFailure } from "../../../src/process/explain-failure.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Called with everything that is printed. */
  readonly onPrint?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Runs a command against a gateway, as `main.ts` does. */
export async function runCommand(
  url: string,
  args: readonly string[],
  { environment, folder, onPrint, signal }: CommandOptions = {},
): Promise<CommandRun> {
  const own = folder ?? mkdtempSync(join(tmpdir(), "command-"));
  let stdout = "";
  const terminal = {
    print: (text: string) => {
      stdout += text;
      onPrint?.(text);
    },
    hasColours: false,
    signal: signal ?? new AbortController().signal,
  };
  const place = {
    environment: { MODEL_GATEWAY_URL: url, ...(environment ?? { GATEWAY_ADMIN_KEY: testAdminKey }) },
    workingDirectory: own,
  };
  try {
    const command = parseCommandLine(args) as RemoteCommand;
    return { exitCode: await runRemote(command, { place, terminal }), stdout, stderr: "" };
  } catch (failure) {
    const exitCode = failure instanceof Error && failure.name === "UsageError" ? 2 : 1;
    return { exitCode, stdout, stderr: explainFailure(failure) };
  } finally {
    if (folder === undefined) rmSync(own, { recursive: true });
  }
}

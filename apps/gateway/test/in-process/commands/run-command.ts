import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCommandLine } from "@model-gateway/cli/command-line";
import { type RemoteCommand, type RemotePlace, runRemote } from "@model-gateway/cli/run-remote";
import { explainFailure } from "../../../src/process/explain-failure.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** No test waits longer than it has to. */
const hasty = {
  pollMs: 10,
  pollMsMax: 50,
  retryMs: 10,
  retryMsMax: 50,
  attemptsMax: 20,
  storeMs: 120_000,
};

export interface CommandOptions extends Pick<RemotePlace, "limits"> {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Called with everything that is printed. */
  readonly onPrint?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** The longest wait for a response of a vector store. */
  readonly storeMs?: number;
  /** Called with each state of a progress bar. Without it there is no terminal. */
  readonly onRedraw?: (line: string) => void;
}

/** Runs a command against a gateway, as `main.ts` does. */
export async function runCommand(
  url: string,
  args: readonly string[],
  { environment, folder, onPrint, onRedraw, signal, limits, storeMs = hasty.storeMs }: CommandOptions = {},
): Promise<CommandRun> {
  const own = folder ?? mkdtempSync(join(tmpdir(), "command-"));
  let stdout = "";
  const terminal = {
    print: (text: string) => {
      stdout += text;
      onPrint?.(text);
    },
    ...(onRedraw !== undefined && { redraw: onRedraw }),
    hasColours: false,
    signal: signal ?? new AbortController().signal,
  };
  const place = {
    environment: { MODEL_GATEWAY_URL: url, ...(environment ?? { GATEWAY_ADMIN_KEY: testAdminKey }) },
    workingDirectory: own,
  };
  try {
    const command = parseCommandLine(args) as RemoteCommand;
    const remote = {
      place,
      terminal,
      pacing: { ...hasty, storeMs },
      ...(limits !== undefined && { limits }),
    };
    return { exitCode: await runRemote(command, remote), stdout, stderr: "" };
  } catch (failure) {
    const exitCode = failure instanceof Error && failure.name === "UsageError" ? 2 : 1;
    return { exitCode, stdout, stderr: explainFailure(failure) };
  } finally {
    if (folder === undefined) rmSync(own, { recursive: true });
  }
}

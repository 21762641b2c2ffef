import { setImmediate } from "node:timers";

/** The terminal of a command that calls a running gateway. */
export function openTerminal(): {
  readonly print: (text: string) => void;
  readonly redraw?: (line: string) => void;
  readonly hasColours: boolean;
  readonly signal: AbortSignal;
} {
  const interrupted = new AbortController();
  // The second Ctrl-C ends the process as usual.
  process.once("SIGINT", () => interrupted.abort());
  // A reader such as head has had enough.
  process.stdout.on("error", (failure: NodeJS.ErrnoException) => {
    if (failure.code !== "EPIPE") throw failure;
    setImmediate(() => process.exit(0));
  });
  return {
    print: (text) => process.stdout.write(text),
    ...(process.stderr.isTTY && {
      redraw: (line: string) => process.stderr.write(`\r\u001b[2K${fit(line)}`),
    }),
    hasColours: process.stdout.isTTY && (process.env.NO_COLOR ?? "") === "",
    signal: interrupted.signal,
  };
}

/** A line that wraps would not be replaced. */
function fit(line: string): string {
  return line.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1));
}

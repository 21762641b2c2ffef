import { setImmediate } from "node:timers";

/** The terminal of a command that calls a running gateway. */
export function openTerminal(): {
  readonly print: (text: string) => void;
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
    hasColours: process.stdout.isTTY && (process.env.NO_COLOR ?? "") === "",
    signal: interrupted.signal,
  };
}

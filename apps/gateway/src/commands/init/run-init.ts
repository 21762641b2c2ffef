import type { CommandOf } from "@model-gateway/cli/command-table";
import { converse } from "./conversation.js";
import { initConfig } from "./init.js";
import type { TrialCommandPlace } from "./try-upstreams.js";

/** The streams of the process. */
interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Runs `init`. It asks only on a terminal. */
export function runInit(
  { out = "gateway.yaml", force, yes, "no-detect": isOff }: CommandOf<"init">,
  place: TrialCommandPlace,
  { stdin, stdout }: Streams,
): Promise<string> {
  const options = { out, force, detects: !isOff };
  if (yes || !stdin.isTTY || !stdout.isTTY) return initConfig(options, place);
  return converse({ input: stdin, output: stdout }, (conversation) =>
    initConfig({ ...options, conversation }, place),
  );
}

import { createInterface } from "node:readline/promises";

/** Questions and remarks on a terminal. Tests have their own. */
export interface Conversation {
  /** The reply in one line, without spaces around it. */
  ask(question: string): Promise<string>;
  say(text: string): void;
}

/** Why nothing was written. The messages are sentences for the operator. */
export class InitError extends Error {
  override readonly name = "InitError";
}

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Runs a conversation on a terminal. It ends with an `InitError` if the person closes it, such as by Ctrl+D. */
export async function converse<T>(
  { input, output }: Terminal,
  run: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const lines = createInterface({ input, output });
  const closed = new Promise<never>((_, reject) => {
    lines.once("close", () => reject(new InitError("Stopped. No file was written.")));
  });
  try {
    return await Promise.race([
      closed,
      run({
        ask: async (question) => (await lines.question(question)).trim(),
        say: (text) => void output.write(`${text}\n`),
      }),
    ]);
  } finally {
    // The rejection that this causes has no reader any more.
    closed.catch(() => undefined);
    lines.close();
  }
}

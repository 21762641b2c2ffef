import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Questions and remarks on a terminal. Tests have their own. */
export interface Conversation {
  /** The reply in one line, without spaces around it. */
  ask(question: string): Promise<string>;
  /** The same, and a terminal does not show what is typed. */
  askSecret(question: string): Promise<string>;
  say(text: string): void;
}

/** Why nothing was written. The messages are sentences for the operator. */
export class InitError extends Error {
  override readonly name = "InitError";
}

interface ConversationTerminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Runs a conversation on a terminal. It ends with an `InitError` if the person closes it, such as by Ctrl+D. */
export async function converse<T>(
  { input, output }: ConversationTerminal,
  run: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const echo = new Echo(output);
  // A key would come back with the arrow key otherwise.
  const lines = createInterface({ input, output: echo, terminal: output.isTTY === true, historySize: 0 });
  const ask = async (question: string) => (await lines.question(question)).trim();
  const closed = new Promise<never>((_, reject) => {
    lines.once("close", () => reject(new InitError("Stopped. No file was written.")));
  });
  try {
    return await Promise.race([
      closed,
      run({
        ask,
        askSecret: (question) => echo.hide(question, () => ask("")),
        say: (text) => void output.write(`${text}\n`),
      }),
    ]);
  } finally {
    // The rejection that this causes has no reader any more.
    closed.catch(() => undefined);
    lines.close();
  }
}

/** The terminal's output, which can leave out what is typed. */
class Echo extends Writable {
  readonly #output: ConversationTerminal["output"];
  #isHidden = false;

  constructor(output: ConversationTerminal["output"]) {
    super();
    this.#output = output;
  }

  /** Lines longer than this are drawn over several. */
  get columns(): number | undefined {
    return this.#output.columns;
  }

  async hide(question: string, ask: () => Promise<string>): Promise<string> {
    this.#output.write(question);
    this.#isHidden = true;
    try {
      return await ask();
    } finally {
      this.#isHidden = false;
      this.#output.write("\n");
    }
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (!this.#isHidden) this.#output.write(chunk);
    done();
  }
}

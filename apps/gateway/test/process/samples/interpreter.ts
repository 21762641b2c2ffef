import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** One run of a program. */
export interface Program {
  readonly folder: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A process that runs programs in one language one after the other. Starting Node or Python, and loading a client,
 * takes far longer than running a sample.
 */
export class Interpreter {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** @param command Runs a script that reads a program as a line of JSON, and writes its output as another. */
  constructor(command: readonly [string, ...string[]]) {
    const [program, ...args] = command;
    this.#process = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#process.stdout! })[Symbol.asyncIterator]();
  }

  /** The program's output. Throws if it failed. */
  async run(program: Program): Promise<string> {
    this.#process.stdin?.write(`${JSON.stringify(program)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`The process ended while it ran ${program.file}.`);
    const { printed, failure } = JSON.parse(value) as { printed: string; failure?: string };
    if (failure !== undefined) throw new Error(`${program.file} failed: ${failure}\n${printed}`);
    return printed;
  }

  async close(): Promise<void> {
    const exit = once(this.#process, "exit");
    this.#process.stdin?.end();
    this.#process.kill();
    await exit;
  }
}

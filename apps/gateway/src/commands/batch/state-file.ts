import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "../../domain/failure-code.js";
import { CommandError } from "../remote/command-error.js";

/** A state has some hundred bytes, and a larger file is another one. */
const lengthMax = 1024 * 1024;

/** The file with which a command goes on after it was killed. It is replaced as a whole. */
export class StateFile<State extends object> {
  readonly path: string;
  readonly #isState: (value: unknown) => value is State;

  constructor(path: string, isState: (value: unknown) => value is State) {
    this.path = path;
    this.#isState = isState;
  }

  /**
   * Keeps a second run of the same command out, on this machine. The lock of a process that has died is taken over.
   *
   * @returns Ends the lock.
   */
  lock(): () => void {
    const path = `${this.path}.lock`;
    if (!create(path)) {
      const holder = Number(readIfThere(path) ?? "");
      if (isAlive(holder))
        throw new CommandError(
          `The same command runs already, as the process ${holder}. Wait for it, or end it and run this one again.`,
        );
      rmSync(path, { force: true });
      if (!create(path)) throw new CommandError("The same command was started at this moment.");
    }
    return () => rmSync(path, { force: true });
  }

  /** Undefined if there is none. */
  read(): State | undefined {
    const text = readIfThere(this.path);
    if (text === undefined) return undefined;
    const state = text.length > lengthMax ? undefined : parse(text);
    if (this.#isState(state)) return state;
    throw new CommandError(`${this.path} is not the state of this command. Remove it to begin anew.`);
  }

  write(state: State): void {
    const draft = `${this.path}.new`;
    try {
      writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, this.path);
    } catch (failure) {
      throw new CommandError(
        `${this.path} cannot be written (${codeOf(failure)}). Without it the command could not go on after it was stopped.`,
      );
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** False if the file is there already. */
function create(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (failure) {
    if (codeOf(failure) === "EEXIST") return false;
    throw new CommandError(`${path} cannot be written (${codeOf(failure)}).`);
  }
}

/** A process of another user counts. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return codeOf(failure) === "EPERM";
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") return undefined;
    throw new CommandError(`${path} cannot be read (${codeOf(failure)}).`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

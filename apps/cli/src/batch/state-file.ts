import { readFileSync, rmSync } from "node:fs";
import type { FileLock } from "@model-gateway/data-folder/data-folder-lock";
import { codeOf } from "@model-gateway/domain/failure-code";
import { writeWholeSync } from "@model-gateway/runtime/write-whole";
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
   * Keeps a second run of the same command out. The lock ends with the process.
   *
   * @returns Ends the lock.
   */
  async lock(): Promise<() => void> {
    // Loaded on demand: few commands need a lock.
    const { lockFile } = await import("@model-gateway/data-folder/data-folder-lock");
    const path = `${this.path}.lock`;
    const lock = lockIn(path, lockFile);
    if (lock === undefined)
      throw new CommandError(
        `The same command runs already: another process has ${path}. Wait for it, or end it.`,
      );
    return () => {
      rmSync(path, { force: true });
      lock.release();
    };
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
    try {
      writeWholeSync(this.path, `${JSON.stringify(state, null, 2)}\n`);
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

function lockIn(path: string, lock: (path: string) => FileLock | undefined): FileLock | undefined {
  try {
    return lock(path);
  } catch (failure) {
    throw new CommandError(`${path} cannot be written (${codeOf(failure)}).`);
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

import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { writeWholeSync } from "./write-whole.js";

interface CompiledCode {
  /** V8 compares only the length of a source. */
  readonly sourceCrc: number;
  readonly code: Buffer;
}

interface LoadedScript {
  readonly script: Script;
  readonly sourceCrc: number;
}

/**
 * Loads the chunks of a bundle in CommonJS, with the code that V8 compiled when an earlier process ran them. The code is
 * in a file beside the chunks: a user who can write it can write the program itself. V8 refuses code of another version
 * or with other flags. A missing or unusable file costs time, and nothing else.
 */
export class CodeCache {
  readonly #folder: string;
  readonly #require: NodeJS.Require;
  readonly #modules = new Map<string, { exports: unknown }>();
  readonly #scripts = new Map<string, LoadedScript>();
  readonly #stored: StoredCode;
  #isComplete = true;

  constructor(folder: string) {
    this.#folder = folder;
    this.#require = createRequire(join(folder, "/"));
    this.#stored = new StoredCode(this.#file);
  }

  /** Runs a chunk, once, and returns its exports. */
  load(name: string): unknown {
    const known = this.#modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#modules.set(name, module);
    const filename = join(this.#folder, name);
    try {
      const run = this.#compile(name, filename).runInThisContext();
      run(module.exports, this.#load, module, filename, this.#folder);
    } catch (failure) {
      // As in Node: the next attempt runs it again.
      this.#modules.delete(name);
      throw failure;
    }
    return module.exports;
  }

  /** Stores the code that has been compiled so far, unless all of it was stored already. */
  async keep(): Promise<void> {
    const scripts = [...this.#scripts];
    this.#stored.close();
    this.#scripts.clear();
    if (this.#isComplete) return;
    this.#isComplete = true;
    const stored = new Map<string, CompiledCode>();
    for (const [name, { script, sourceCrc }] of scripts) {
      stored.set(name, { sourceCrc, code: script.createCachedData() });
      // The largest chunk takes some tens of milliseconds.
      await setImmediate();
    }
    writeCode(this.#file, stored);
  }

  readonly #load = (id: string): unknown =>
    id.startsWith("./") ? this.load(id.slice(2)) : this.#require(id);

  #compile(name: string, filename: string): Script {
    const source = readFileSync(filename);
    const sourceCrc = crc32(source);
    const usable = this.#stored.read(name, sourceCrc);
    // The bundler escapes all other letters. A text with one of them would take twice the memory.
    const text = source.toString("latin1");
    const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${text}\n})`, {
      filename,
      ...(usable && { cachedData: usable }),
    });
    if (usable === undefined || script.cachedDataRejected === true) this.#isComplete = false;
    this.#scripts.set(name, { script, sourceCrc });
    return script;
  }

  get #file(): string {
    return join(this.#folder, "code.cache");
  }
}

/** One line that lists the chunks, and the code of each behind it. */
type Index = readonly (readonly [name: string, sourceCrc: number, codeCrc: number, bytes: number])[];

/** The file with the code of an earlier run. Each part is read when its chunk is loaded, and then left to the collector. */
class StoredCode {
  readonly #parts = new Map<string, { sourceCrc: number; codeCrc: number; bytes: number; at: number }>();
  #file: number | undefined;

  constructor(path: string) {
    try {
      this.#file = openSync(path, "r");
      const start = Buffer.alloc(indexBytesMax);
      const lineEnd = start.subarray(0, readSync(this.#file, start)).indexOf("\n");
      const index: Index = JSON.parse(start.toString("latin1", 0, lineEnd));
      const { size } = fstatSync(this.#file);
      let at = lineEnd + 1;
      for (const [name, sourceCrc, codeCrc, bytes] of index) {
        if (at + bytes > size) break;
        this.#parts.set(name, { sourceCrc, codeCrc, bytes, at });
        at += bytes;
      }
    } catch {
      // There is no file yet, or it is not one of these.
      this.close();
    }
  }

  read(name: string, sourceCrc: number): Buffer | undefined {
    const part = this.#parts.get(name);
    if (this.#file === undefined || part?.sourceCrc !== sourceCrc) return undefined;
    try {
      const code = Buffer.allocUnsafeSlow(part.bytes);
      readSync(this.#file, code, { position: part.at });
      // V8 trusts the bytes.
      return crc32(code) === part.codeCrc ? code : undefined;
    } catch {
      return undefined;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#parts.clear();
  }
}

/** A line has some 40 letters for each of 40 chunks. */
const indexBytesMax = 16 * 1024;

function writeCode(file: string, stored: ReadonlyMap<string, CompiledCode>): void {
  const chunks = [...stored];
  const index = chunks.map(([name, { sourceCrc, code }]) => [name, sourceCrc, crc32(code), code.length]);
  const parts = [Buffer.from(`${JSON.stringify(index)}\n`), ...chunks.map(([, { code }]) => code)];
  try {
    // Another process may read or write the file meanwhile.
    writeWholeSync(file, Buffer.concat(parts), { draft: `${file}.${randomUUID()}`, mode: 0o666 });
  } catch {
    // An installation may be read-only.
  }
}

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { CommandError } from "../../remote/command-error.js";
import type { Comparison, EmbeddedRow, Place, Row, Store, VectorSink } from "../rows.js";
import { AppendFile } from "./append-file.js";
import { nearestByScan } from "./nearest.js";
import { parseLine, placeOf, readId, readLines } from "./read-lines.js";

interface JsonlFiles {
  /** Lines with an id and a text; for a comparison, with an id and a vector. */
  readonly from: string;
  /** Lines with an id, a vector and its space. */
  readonly out: string;
  /** Whether a file of another run may be replaced. */
  readonly force: boolean;
}

/** Two JSONL files: one to read, one to write. */
export function createJsonlStore({ from, out, force }: JsonlFiles): Store {
  return {
    name: basename(from),
    rows: (place) => readTexts(from, place),
    sink: (position) => createJsonlSink(out, { position, force }),
    compare: (queries) => compareFiles({ from, out }, queries),
    close: async () => undefined,
  };
}

async function* readTexts(path: string, from: Place | undefined): AsyncGenerator<Row, void, undefined> {
  const start = typeof from === "number" ? from : 0;
  for await (const line of readLines(path, start)) {
    const place = placeOf(line, path);
    const { id, text = null } = parseLine(line, path);
    if (text !== null && typeof text !== "string")
      throw new CommandError(`${place} has a text that is not a string.`);
    yield { id: readId(id, place), text, next: line.end };
  }
}

/** Appends one line for each row. Lines after the last checkpoint are dropped, and written again. */
export function createJsonlSink(
  path: string,
  { position, force }: { readonly position: number | null; readonly force: boolean },
): VectorSink {
  const file = new AppendFile(path, position ?? 0);
  return {
    prepare: async () => {
      if (position === null && !force && existsSync(path))
        throw new CommandError(`${path} exists already. Use --force to overwrite it, or another --out.`);
      await file.open();
      return [];
    },
    write: async (rows, space) => {
      const lines = rows.map(({ id, embedding }) =>
        JSON.stringify({ id, embedding: [...embedding].map(shortest), space: space.id }),
      );
      await file.append(lines);
      return rows.length;
    },
    checkpoint: () => file.sync(),
    close: () => file.close(),
  };
}

/** The shortest decimal that reads back as the same 32-bit number. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

async function compareFiles(
  { from, out }: Pick<JsonlFiles, "from" | "out">,
  queries: number,
): Promise<Comparison> {
  const { total, sample } = await nearestByScan({
    queries,
    old: () => readVectors(from),
    new: () => readVectors(out),
  });
  return { between: [basename(from), basename(out)], total, sample };
}

async function* readVectors(path: string): AsyncGenerator<EmbeddedRow, void, undefined> {
  for await (const line of readLines(path)) {
    const place = placeOf(line, path);
    const { id, embedding } = parseLine(line, path);
    if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === "number"))
      throw new CommandError(`${place} has no embedding: a list of numbers.`);
    yield { id: readId(id, place), embedding: Float32Array.from(embedding) };
  }
}

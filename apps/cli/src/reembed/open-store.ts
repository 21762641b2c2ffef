import { resolve } from "node:path";
import type { CommandPlace } from "../check.js";
import { UsageError } from "../command-line.js";
import { CommandError } from "../remote/command-error.js";
import type { Pacing } from "../remote/retry.js";
import { createJsonlStore } from "./jsonl/jsonl-store.js";
import type { ReembedCommand } from "./read-options.js";
import { type ReembedTask, readSecret, required, sourceKind } from "./read-options.js";
import type { Store } from "./rows.js";

interface StorePlace {
  readonly place: CommandPlace;
  readonly task: ReembedTask;
  readonly pacing: Pacing;
  readonly signal: AbortSignal;
}

/** A store, and the name of the place that gets the vectors. */
export interface OpenStore {
  readonly store: Store;
  readonly to: string;
}

/** Opens the store that the options name. Its driver is loaded on demand. */
export async function openStore(command: ReembedCommand, place: StorePlace): Promise<OpenStore> {
  switch (sourceKind(command)) {
    case "jsonl":
      return openJsonl(command, place);
    case "pgvector":
      return openPgvector(command, place);
    case "qdrant":
      return openQdrant(command, place);
  }
}

function openJsonl(command: ReembedCommand, { place, task }: StorePlace): OpenStore {
  const from = resolve(place.workingDirectory, required(command, "from", "texts.jsonl"));
  const out = task.name === "estimate" ? "" : required(command, "out", "vectors.jsonl");
  const path = resolve(place.workingDirectory, out);
  if (path === from) throw new UsageError("--out must not be the file of --from.");
  return { store: createJsonlStore({ from, out: path, force: command.force }), to: out };
}

/** The file of `--out`, which takes the place of a table or a collection. */
function outOf({ out, force }: ReembedCommand, { workingDirectory }: CommandPlace) {
  return out === undefined ? undefined : { path: resolve(workingDirectory, out), force };
}

async function openPgvector(
  command: ReembedCommand,
  { place, task, pacing, signal }: StorePlace,
): Promise<OpenStore> {
  const url = readSecret("PGVECTOR_URL", place);
  if (url === "")
    throw new CommandError(
      "Set PGVECTOR_URL to the address of the database with the index: postgres://user:password@host:5432/database. PGVECTOR_URL_FILE names a file with it.",
    );
  const isComparison = task.name === "compare";
  if (!isComparison) required(command, "query", '"SELECT id, body AS text FROM passages"');
  if (isComparison) required(command, "old-column", "embedding_old");
  const out = isComparison ? undefined : outOf(command, place);
  const needsTarget = isComparison || (task.name === "run" && out === undefined);
  const target = needsTarget ? targetOf(command) : undefined;
  const { IndexDatabase } = await import("./pgvector/index-database.js");
  const { createPgvectorStore } = await import("./pgvector/pgvector-store.js");
  const database = new IndexDatabase({ url, from: "PGVECTOR_URL", pacing, signal });
  return {
    store: createPgvectorStore(database, {
      query: command.query,
      target,
      oldColumn: command["old-column"],
      out,
    }),
    to: out === undefined ? `the column ${target?.column} of ${target?.table}` : (command.out ?? ""),
  };
}

function targetOf(command: ReembedCommand) {
  const column = required(command, "column", "embedding_new");
  return {
    table: required(command, "table", "passages"),
    column,
    idColumn: command["id-column"] ?? "id",
    spaceColumn: command["space-field"] ?? `${column}_space`,
  };
}

async function openQdrant(
  command: ReembedCommand,
  { place, task, pacing, signal }: StorePlace,
): Promise<OpenStore> {
  const collection = required(command, "collection", "passages");
  const out = task.name === "compare" ? undefined : outOf(command, place);
  const { "to-collection": target = collection, vector } = command;
  if (task.name !== "estimate" && out === undefined && target === collection && vector === undefined)
    throw new UsageError(
      "reembed needs a place for the vectors here: --to-collection <name>, which is created, or --vector <name> of the same collection.",
    );
  const { QdrantApi } = await import("./qdrant/qdrant-api.js");
  const { createQdrantStore } = await import("./qdrant/qdrant-store.js");
  const apiKey = readSecret("QDRANT_API_KEY", place);
  const api = new QdrantApi({
    url: place.environment.QDRANT_URL || "http://127.0.0.1:6333",
    apiKey: apiKey === "" ? undefined : apiKey,
    pacing,
    signal,
  });
  return {
    store: createQdrantStore(api, {
      collection,
      target,
      vector,
      oldVector: command["old-vector"],
      textField: command["text-field"] ?? "text",
      spaceField: command["space-field"] ?? "embedding_space",
      out,
    }),
    to: out === undefined ? `the collection ${target}` : (command.out ?? ""),
  };
}

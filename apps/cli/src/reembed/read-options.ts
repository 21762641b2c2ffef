import { readSecretFiles } from "@model-gateway/config/files/secret-files";
import type { CommandPlace } from "../check.js";
import { UsageError } from "../command-line.js";
import type { CommandOf } from "../command-table.js";
import { CommandError } from "../remote/command-error.js";

export type ReembedCommand = CommandOf<"reembed">;
type ReembedOption = keyof ReembedCommand;

/** The kinds of source, with the options that only they have. A path that ends with .jsonl is a file. */
const ownOptions: Readonly<Record<SourceKind, readonly ReembedOption[]>> = {
  jsonl: [],
  pgvector: ["query", "table", "column", "old-column", "id-column"],
  qdrant: ["collection", "to-collection", "vector", "old-vector", "text-field"],
};

type SourceKind = "jsonl" | "pgvector" | "qdrant";

/** One of the three things that the command does. */
export type ReembedTask =
  | { readonly name: "estimate" }
  | { readonly name: "run" }
  | { readonly name: "compare"; readonly queries: number };

const queriesMax = 1000;

/** Checks that the options belong together. */
export function readTask(command: ReembedCommand): ReembedTask {
  const { estimate, run, compare } = command;
  const chosen = [estimate && "--estimate", run && "--run", compare !== undefined && "--compare"].filter(
    Boolean,
  );
  if (chosen.length !== 1)
    throw new UsageError(
      chosen.length === 0
        ? "reembed needs one of --estimate, --run and --compare <count>."
        : `reembed does one thing at a time: ${chosen.join(" or ")}.`,
    );
  const kind = sourceKind(command);
  for (const [other, names] of Object.entries(ownOptions))
    for (const name of names)
      if (other !== kind && command[name] !== undefined)
        throw new UsageError(`--${name} belongs to --from ${other}.`);
  if (compare === undefined) {
    if (command.model === undefined) throw new UsageError("reembed needs the new model: --model <id>.");
    return { name: estimate ? "estimate" : "run" };
  }
  if (compare > queriesMax) throw new UsageError(`--compare takes at most ${queriesMax} rows.`);
  return { name: "compare", queries: compare };
}

export function sourceKind({ from }: ReembedCommand): SourceKind {
  if (from === "pgvector" || from === "qdrant") return from;
  if (from?.endsWith(".jsonl")) return "jsonl";
  throw new UsageError("reembed needs a source: --from texts.jsonl, --from pgvector or --from qdrant.");
}

/** An option that the task cannot do without. */
export function required(command: ReembedCommand, name: ReembedOption, example: string): string {
  const value = command[name];
  if (typeof value === "string") return value;
  throw new UsageError(`reembed needs --${name} here, such as --${name} ${example}.`);
}

/** A secret from the environment, or from the file that `NAME_FILE` names. Empty: there is none. */
export function readSecret(name: string, { environment, workingDirectory }: CommandPlace): string {
  const { environment: read, faults } = readSecretFiles(environment, {
    names: [name],
    directory: workingDirectory,
  });
  const [fault] = faults;
  if (fault !== undefined)
    throw new CommandError(`${fault.message[0]?.toUpperCase()}${fault.message.slice(1)}.`);
  return read[name] ?? "";
}

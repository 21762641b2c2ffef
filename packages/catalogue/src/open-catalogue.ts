import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import type { z } from "zod";
import { builtInCatalogue, Catalogue } from "./catalogue.js";
import { catalogueSchema } from "./catalogue-file.js";

/** A catalogue is small. A larger file is another one. */
export const catalogueBytesMax = 4 * 1024 * 1024;

interface OpenedCatalogue {
  readonly catalogue: Catalogue;
  /** Why the file of the data folder is not used. */
  readonly warnings: readonly string[];
}

/** The catalogue that `catalogue update` has written into the data folder, or the built-in one if that is later. */
export function openCatalogue(dataDir: string): OpenedCatalogue {
  const file = catalogueFileIn(dataDir);
  const builtIn = builtInCatalogue();
  try {
    const text = readBounded(file);
    const stored = text === undefined ? undefined : parseCatalogue(text);
    const isCurrent = stored !== undefined && stored.date >= builtIn.date;
    return { catalogue: isCurrent ? stored : builtIn, warnings: [] };
  } catch (failure) {
    const reason =
      failure instanceof CatalogueError ? failure.message : `It cannot be read (${codeOf(failure)}).`;
    return { catalogue: builtIn, warnings: [`${file} is not used. ${reason}`] };
  }
}

export function catalogueFileIn(dataDir: string): string {
  return join(dataDir, "catalogue.json");
}

/** Something wrong with the text of a catalogue. */
export class CatalogueError extends Error {
  override readonly name = "CatalogueError";
}

/** Checks the text of a catalogue. The error names the first field at fault. */
export function parseCatalogue(text: string): Catalogue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CatalogueError("It is not JSON.", { cause });
  }
  const { success, data, error } = catalogueSchema.safeParse(value);
  if (!success) throw new CatalogueError(`It is not a catalogue: ${describeIssue(error)}.`);
  return new Catalogue(data);
}

/** A fault quotes keys of the file. It goes to the log. */
const faultLengthMax = 500;

function describeIssue({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return "it has a fault";
  const fault = issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
  return fault.length > faultLengthMax ? `${fault.slice(0, faultLengthMax)}…` : fault;
}

/** Undefined if there is no file. */
function readBounded(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.size > catalogueBytesMax) throw new CatalogueError("It is too large for a catalogue.");
  return readFileSync(file, "utf8");
}

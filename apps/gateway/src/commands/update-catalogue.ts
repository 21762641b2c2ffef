import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { differencesOf } from "@model-gateway/catalogue/differences";
import {
  CatalogueError,
  catalogueBytesMax,
  catalogueFileIn,
  openCatalogue,
  parseCatalogue,
} from "@model-gateway/catalogue/open-catalogue";
import { checkSignature } from "@model-gateway/catalogue/signature";
import type { CommandPlace } from "@model-gateway/cli/check";
import { UsageError } from "@model-gateway/cli/command-line";
import type { CommandOf } from "@model-gateway/cli/command-table";
import { findDataDir } from "@model-gateway/config/data-dir";
import { codeOf } from "@model-gateway/domain/failure-code";
import { writeWholeSync } from "@model-gateway/runtime/write-whole";
import { createImageFetcher, type FetchImage } from "../images/fetch/fetch-image.js";

const signatureBytesMax = 1024;
/** Time limit for a file. */
const fetchMs = 60_000;

interface UpdatePlace extends CommandPlace {
  /** Fetches a URL under the guard against private addresses. Replaced by tests. */
  readonly fetchFile?: FetchImage;
}

/**
 * Replaces the catalogue of the data folder by a signed one. A gateway that runs on the folder notices it.
 *
 * @returns The text for standard output: the difference, and where the catalogue was written.
 */
export async function updateCatalogue(
  { from, "public-key": keyFile, "dry-run": isDryRun, config }: CommandOf<"catalogue update">,
  { fetchFile = createImageFetcher({ timeoutMs: fetchMs }), ...place }: UpdatePlace,
): Promise<string> {
  if (from === undefined) throw new UsageError("catalogue update needs --from <file or url>.");
  if (keyFile === undefined) throw new UsageError("catalogue update needs --public-key <file>.");
  const source = { from, directory: place.workingDirectory, fetchFile };
  const content = await readSource(source, { suffix: "", bytesMax: catalogueBytesMax });
  const signature = await readSource(source, { suffix: ".sig", bytesMax: signatureBytesMax });
  checkSignature(content, signature.toString("latin1"), keyOf(keyFile, place.workingDirectory));
  const catalogue = parseCatalogue(content.toString("utf8"));
  const dataDir = findDataDir(config === undefined ? place : { ...place, path: config });
  const { catalogue: present } = openCatalogue(dataDir);
  if (catalogue.date < present.date)
    throw new CatalogueError(
      `It is from ${catalogue.date}, and the catalogue in use is from ${present.date}. An older one is not written.`,
    );
  const differences = differencesOf(present, catalogue);
  const report = [
    `The catalogue of ${catalogue.date}, signed. In use: ${present.date}.`,
    ...(differences.length === 0 ? ["No model differs."] : differences),
  ];
  if (isDryRun) return `${[...report, "Nothing was written."].join("\n")}\n`;
  const file = catalogueFileIn(dataDir);
  replaceFile(file, content, dataDir);
  return `${[...report, `Wrote ${file}.`].join("\n")}\n`;
}

interface Source {
  readonly from: string;
  readonly directory: string;
  readonly fetchFile: FetchImage;
}

/** The signature is beside the catalogue, under its name and `.sig`. */
async function readSource(
  { from, directory, fetchFile }: Source,
  { suffix, bytesMax }: { readonly suffix: string; readonly bytesMax: number },
): Promise<Buffer> {
  if (!/^https?:\/\//i.test(from)) return readBounded(resolve(directory, `${from}${suffix}`), bytesMax);
  const url = new URL(from);
  url.pathname += suffix;
  const signal = new AbortController().signal;
  try {
    return await fetchFile(url.href, { allowPrivate: false, bytesMax, signal });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new CatalogueError(`${url.href} cannot be fetched. ${reason}`, { cause });
  }
}

function readBounded(path: string, bytesMax: number): Buffer {
  try {
    if (statSync(path).size <= bytesMax) return readFileSync(path);
  } catch (cause) {
    throw new CatalogueError(`${path} cannot be read (${codeOf(cause)}).`, { cause });
  }
  throw new CatalogueError(`${path} is larger than ${bytesMax} bytes.`);
}

function keyOf(file: string, directory: string) {
  return { pem: readBounded(resolve(directory, file), signatureBytesMax).toString("utf8"), name: file };
}

/** A reader sees the whole file, the earlier or the new one. */
function replaceFile(file: string, content: Buffer, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    writeWholeSync(file, content, { draft: `${file}.${randomUUID()}`, mode: 0o666 });
  } catch (cause) {
    throw new CatalogueError(`${file} cannot be written (${codeOf(cause)}).`, { cause });
  }
}

import { findDataDir } from "@model-gateway/config/data-dir";
import { readSecretFiles } from "@model-gateway/config/files/secret-files";
import { type RunFile, readRunFile } from "@model-gateway/data-folder/run-file";
import type { CommandPlace } from "../check.js";
import { CommandError } from "./command-error.js";

/** The options of every command that calls a running gateway. */
interface ConnectionOptions {
  readonly url: string | undefined;
  readonly "admin-key-file": string | undefined;
  readonly config: string | undefined;
}

/** A secret, and the name of its source for messages. */
export interface FoundSecret {
  readonly text: string;
  readonly from: string;
}

export interface FoundGateway {
  /** Without a slash at its end, and without `/v1`. */
  readonly url: string;
  /** The source of the address. */
  readonly from: string;
  readonly dataDir: string;
  /** The gateway of the data folder. Undefined if it is not the one at this address. */
  readonly run: RunFile | undefined;
  readonly adminKey: FoundSecret | undefined;
  /** The key of a caller. */
  readonly apiKey: FoundSecret | undefined;
}

const defaultUrl = "http://127.0.0.1:8080";
const adminKeyVariable = "GATEWAY_ADMIN_KEY";
const apiKeyVariable = "GATEWAY_KEY";
const urlVariable = "MODEL_GATEWAY_URL";

/** Finds the address of a running gateway, and the secrets to call it with. Nothing is sent. */
export function findGateway(options: ConnectionOptions, place: CommandPlace): FoundGateway {
  const { config } = options;
  const dataDir = findDataDir(config === undefined ? place : { ...place, path: config });
  const found = readRunFile(dataDir);
  const { url, from } = findAddress(options, { place, run: found, dataDir });
  // The secret of a run never leaves for another address.
  const run = found !== undefined && sameOrigin(found.url, url) ? found : undefined;
  const environment = readSecrets(options, place);
  const secretOf = (variable: string): FoundSecret | undefined => {
    const text = environment[variable] ?? "";
    return text === "" ? undefined : { text, from: sourceOf(variable, options, place) };
  };
  return {
    url,
    from,
    dataDir,
    run,
    adminKey: secretOf(adminKeyVariable) ?? (run && { text: run.secret, from: `${dataDir}/run.json` }),
    apiKey: secretOf(apiKeyVariable),
  };
}

interface AddressSources {
  readonly place: CommandPlace;
  readonly run: RunFile | undefined;
  readonly dataDir: string;
}

function findAddress(
  { url }: ConnectionOptions,
  { place, run, dataDir }: AddressSources,
): { readonly url: string; readonly from: string } {
  if (url !== undefined) return { url: readUrl(url, "--url"), from: "--url" };
  const variable = place.environment[urlVariable] ?? "";
  if (variable !== "") return { url: readUrl(variable, urlVariable), from: urlVariable };
  if (run !== undefined) return { url: readUrl(run.url, "run.json"), from: `${dataDir}/run.json` };
  return { url: defaultUrl, from: "the default address" };
}

/** The root of the gateway. OpenAI's clients want `/v1` at its end, so people write it here as well. */
function readUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${from} must be the address of a gateway, such as ${defaultUrl}.`);
  if (url.username !== "" || url.password !== "")
    throw new CommandError(
      `${from} must not contain a password. Put the admin key into ${adminKeyVariable} or --admin-key-file.`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")}`;
}

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).origin === new URL(other).origin;
}

/** The environment, with the files of `--admin-key-file` and of `NAME_FILE` read. */
function readSecrets(
  { "admin-key-file": file }: ConnectionOptions,
  { environment, workingDirectory }: CommandPlace,
): CommandPlace["environment"] {
  const given =
    file === undefined
      ? environment
      : { ...environment, [adminKeyVariable]: "", [`${adminKeyVariable}_FILE`]: file };
  const names = [adminKeyVariable, apiKeyVariable];
  const { environment: read, faults } = readSecretFiles(given, { names, directory: workingDirectory });
  const [fault] = faults;
  if (fault === undefined) return read;
  const isOption = file !== undefined && fault.message.includes(`${adminKeyVariable}_FILE`);
  const subject = `the environment variable ${adminKeyVariable}_FILE`;
  const message = isOption ? fault.message.replace(subject, "--admin-key-file") : fault.message;
  throw new CommandError(`${message[0]?.toUpperCase()}${message.slice(1)}.`);
}

function sourceOf(
  variable: string,
  { "admin-key-file": file }: ConnectionOptions,
  { environment }: CommandPlace,
): string {
  if (variable === adminKeyVariable && file !== undefined) return `the file ${file}`;
  const named = environment[`${variable}_FILE`] ?? "";
  return named === "" ? variable : `the file ${named}`;
}

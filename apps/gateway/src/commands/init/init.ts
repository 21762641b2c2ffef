import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  builtInModels,
  callerKeyVariable,
  configWith,
  isCallerKeyExported,
} from "@model-gateway/config/default-config";
import { type DetectionTools, findUpstreams, isDetectionOn } from "@model-gateway/config/detect/detect";
import {
  type DetectedUpstream,
  type FoundUpstreams,
  withUniqueIds,
} from "@model-gateway/config/detect/detection";
import { codeOf } from "@model-gateway/domain/failure-code";
import { quoted, typedCommand } from "@model-gateway/domain/typed-command";
import { providers } from "@model-gateway/providers/registry";
import { askUpstreams } from "./ask-upstreams.js";
import { type Conversation, InitError } from "./conversation.js";
import { PastedSecrets } from "./pasted-secrets.js";
import { type TrialCommandPlace, tryUpstreams, unsetVariables } from "./try-upstreams.js";

interface InitArguments {
  readonly out: string;
  /** Whether an existing file may be overwritten. */
  readonly force: boolean;
  readonly detects: boolean;
  /** Absent: nothing is asked, and no upstream is called. */
  readonly conversation?: Conversation | undefined;
  /** Replaced by tests. */
  readonly detectionTools?: Partial<DetectionTools>;
}

/**
 * Writes a configuration file with the local models, the upstreams that were found, and those that the person adds. The
 * file has no secret: it refers to environment variables, and to keys in the secrets folder.
 *
 * @returns The text for standard output.
 */
export async function initConfig(
  { out, force, detects, conversation, detectionTools }: InitArguments,
  place: TrialCommandPlace,
): Promise<string> {
  const path = resolve(place.workingDirectory, out);
  if (!force && existsSync(path)) throw exists(out);
  if (!existsSync(dirname(path))) throw notWritten(out, "ENOENT");
  const found: FoundUpstreams =
    detects && isDetectionOn(place)
      ? await findUpstreams(place, detectionTools)
      : { upstreams: [], warnings: [] };
  const secrets = new PastedSecrets(place, dirname(path));
  const added = conversation === undefined ? [] : await askForMore(conversation, found, secrets);
  const upstreams = withUniqueIds([...found.upstreams, ...added], builtInModels);
  if (conversation !== undefined)
    for (const result of await tryUpstreams(upstreams, { place, secrets })) conversation.say(result);
  await secrets.writeWith(() => write(path, { text: fileText(upstreams, place), name: out, force }));
  return `${[...reportOf(upstreams, { out, secrets }), ...found.warnings].join("\n")}\n`;
}

async function askForMore(
  conversation: Conversation,
  { upstreams, warnings }: FoundUpstreams,
  secrets: PastedSecrets,
): Promise<FoundUpstreams["upstreams"]> {
  const names = new Set(upstreams.map(({ settings }) => settings.provider));
  for (const { source } of upstreams) conversation.say(`Found: ${source}`);
  for (const warning of warnings) conversation.say(warning);
  // Local models are part of every new file.
  const others = providers.flatMap(({ name, settings }) =>
    names.has(name) || !("baseUrl" in settings.shape) ? [] : [name],
  );
  return askUpstreams(conversation, others, secrets);
}

/** The file, with comments. */
function fileText(upstreams: readonly DetectedUpstream[], { environment }: TrialCommandPlace): string {
  const hasKey = isCallerKeyExported(environment);
  const keys = ["keys:", `  - { name: environment, key: "\${${callerKeyVariable}}" }`];
  return [
    "# Configuration of Model Gateway, written by `init`.",
    "# ${NAME} is replaced by the environment variable NAME, or by the key that is stored under this name in the data",
    "# folder. Keep secrets there, and not in this file.",
    "",
    "# The callers' keys. More are created in the console, or by the command `keys create`.",
    ...(hasKey
      ? []
      : [`# To have the key of ${callerKeyVariable} here, export it and remove the # of two lines:`]),
    ...keys.map((line) => (hasKey ? line : `# ${line}`)),
    "",
    "# The services that models run on, and the models that callers may use.",
    configWith(upstreams).trimStart(),
  ].join("\n");
}

interface FirstFile {
  readonly text: string;
  readonly name: string;
  readonly force: boolean;
}

function write(path: string, { text, name, force }: FirstFile): void {
  try {
    writeFileSync(path, text, { flag: force ? "w" : "wx" });
  } catch (cause) {
    const code = codeOf(cause);
    throw code === "EEXIST" ? exists(name) : notWritten(name, code);
  }
}

function notWritten(name: string, code: string): InitError {
  return new InitError(`${name} cannot be written (${code}). Check its path and its permissions.`);
}

function exists(name: string): InitError {
  return new InitError(`${name} exists already. Use --force to overwrite it, or another --out.`);
}

function reportOf(
  upstreams: readonly DetectedUpstream[],
  { out, secrets }: { readonly out: string; readonly secrets: PastedSecrets },
): string[] {
  const offering = upstreams.filter(({ models }) => Object.keys(models).length > 0);
  const unset = new Set(offering.flatMap((upstream) => unsetVariables(upstream, secrets)));
  return [
    `Wrote ${out} with the local models${offering.length === 0 ? "." : ` and these upstreams:`}`,
    ...offering.map(({ name, source, models }) => `  ${name} (${source}): ${Object.keys(models).join(", ")}`),
    ...(secrets.pending.size === 0
      ? []
      : [
          `Stored ${[...secrets.pending.keys()].join(" and ")} in ${secrets.folder}, which only this user can read.`,
        ]),
    ...(unset.size === 0 ? [] : [`Export ${[...unset].join(" and ")} before you start the gateway.`]),
    `Check the file, then start the gateway with it:`,
    `  ${typedCommand(`check ${quoted(out)}`)}`,
    `  ${typedCommand(`--config ${quoted(out)}`)}`,
  ];
}

import type { DetectionPlace, FoundUpstream } from "../../config/detect/detection.js";
import { listOffered } from "../../config/detect/find-servers.js";
import { explainIssue, faultsOfIssue } from "../../config/explain-issue.js";
import { closestName } from "../../domain/close-names.js";
import { allKinds } from "../../models/kinds/kinds.js";
import type { OfferedModels } from "../../providers/detection.js";
import type { Provider } from "../../providers/provider.js";
import { findProvider } from "../../providers/registry.js";
import { isSecretKey } from "../../secrets/find-secrets.js";
import type { Conversation } from "./conversation.js";

const listMs = 3000;
/** The name of a variable in the shape that keys do not have: a pasted key must never reach the file. */
const variableName = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;

/** Asks which providers to add to those that were found, and for the settings and models of each. */
export async function askUpstreams(
  { ask, say }: Conversation,
  names: readonly string[],
  place: DetectionPlace,
): Promise<FoundUpstream[]> {
  const chosen = await askProviders({ ask, say }, names);
  const upstreams: FoundUpstream[] = [];
  for (const provider of chosen) upstreams.push(await askUpstream({ ask, say }, provider, place));
  return upstreams;
}

async function askProviders({ ask, say }: Conversation, names: readonly string[]): Promise<Provider[]> {
  for (;;) {
    const answer = await ask(`Providers to add (${names.join(", ")}), with commas, or Enter for none: `);
    const given = [...new Set(listIn(answer))];
    const unknown = given.find((name) => !names.includes(name));
    if (unknown === undefined) return given.flatMap((name) => findProvider(name) ?? []);
    const closest = closestName(unknown, names);
    say(`"${unknown}" is not in the list.${closest === undefined ? "" : ` Did you mean ${closest}?`}`);
  }
}

async function askUpstream(
  { ask, say }: Conversation,
  provider: Provider,
  place: DetectionPlace,
): Promise<FoundUpstream> {
  for (;;) {
    const settings: Record<string, string> = {};
    for (const setting of settingsOf(provider)) {
      const value = await askSetting({ ask, say }, { provider, setting });
      if (value !== "") settings[setting] = value;
    }
    const values = valuesOf(settings, place);
    const parsed = provider.settings.safeParse(
      { provider: provider.name, ...values },
      { error: explainIssue },
    );
    if (parsed.success)
      return {
        source: `${provider.title}, added by hand`,
        name: provider.name,
        settings: { provider: provider.name, ...settings },
        offered: await offeredBy({ ask, say }, provider, values),
      };
    for (const { path, message } of parsed.error.issues.flatMap(faultsOfIssue))
      say(`${path.join(".")} ${message}.`);
  }
}

/** Those that an upstream cannot do without, or the address and the key of a server. */
function settingsOf({ environment, settings }: Provider): string[] {
  if (environment === undefined) return ["baseUrl", "apiKey"].filter((setting) => setting in settings.shape);
  return Object.entries(environment.settings).flatMap(([setting, { isRequired }]) =>
    isRequired ? [setting] : [],
  );
}

interface AskedSetting {
  readonly provider: Provider;
  readonly setting: string;
}

/** A secret is asked for by the name of its variable. */
async function askSetting({ ask, say }: Conversation, { provider, setting }: AskedSetting): Promise<string> {
  const { title, environment, servers = [], settings } = provider;
  const [variable] = environment?.settings[setting]?.variables ?? [];
  if (!isSecretKey(setting)) {
    const usual = servers[0] && `http://127.0.0.1:${servers[0].port}${servers[0].basePath}`;
    const meaning = settings.shape[setting]?.description ?? setting;
    const answer = await ask(`${title}: ${meaning}${usual === undefined ? "" : ` [${usual}]`} `);
    return answer === "" ? (usual ?? "") : answer;
  }
  for (;;) {
    const usual = variable === undefined ? "Enter for none" : variable;
    const answer = await ask(`${title}: the environment variable with the key [${usual}]: `);
    const name = answer === "" ? (variable ?? "") : answer;
    if (name === "" || variableName.test(name)) return name === "" ? "" : `\${${name}}`;
    say(
      "That is not the name of a variable, such as MY_API_KEY. Keys do not belong in the file: export the key, and enter the variable's name.",
    );
  }
}

/** A variable that is not set yet has a value that every rule accepts. */
function valuesOf(
  settings: Readonly<Record<string, string>>,
  { environment }: DetectionPlace,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [
      setting,
      value.replace(/^\$\{(.*)\}$/, (_whole, name: string) => environment[name] || "not-set-yet"),
    ]),
  );
}

/** The provider's current models, or those that the server lists, or those that the person names. */
async function offeredBy(
  conversation: Conversation,
  provider: Provider,
  values: Readonly<Record<string, string>>,
): Promise<OfferedModels> {
  const { environment, servers = [] } = provider;
  if (environment !== undefined) return environment.models(values);
  const { origin, protocol } = new URL(values.baseUrl ?? "");
  for (const server of protocol === "http:" ? servers : []) {
    const offered = await listOffered(server, origin, AbortSignal.timeout(listMs));
    if (offered !== undefined) return offered;
  }
  return askModels(conversation, provider);
}

async function askModels({ ask, say }: Conversation, provider: Provider): Promise<OfferedModels> {
  const types = allKinds.flatMap(({ type, trait }) => (provider[trait] === undefined ? [] : [type]));
  const offered: Record<string, Record<string, object>> = {};
  for (const type of types) {
    const names = listIn(await ask(`${provider.title}: the names of its ${type} models, with commas: `));
    offered[type] = Object.fromEntries(names.map((name) => [name, {}]));
  }
  if (Object.values(offered).every((models) => Object.keys(models).length === 0))
    say("Without a model, the upstream is left out of the file.");
  return offered;
}

function listIn(answer: string): string[] {
  return answer
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

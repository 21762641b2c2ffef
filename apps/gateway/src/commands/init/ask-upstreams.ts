import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import type { FoundUpstream } from "@model-gateway/config/detect/detection";
import { listOffered } from "@model-gateway/config/detect/find-servers";
import { explainIssue, faultsOfIssue } from "@model-gateway/config/explain-issue";
import { allKinds } from "@model-gateway/config/kinds/kinds";
import { offeredModels } from "@model-gateway/config/models/offered-models";
import { isSecretKey } from "@model-gateway/config/secrets/find-secrets";
import { closestName } from "@model-gateway/domain/close-names";
import type { OfferedModels } from "@model-gateway/providers/detection";
import type { Provider } from "@model-gateway/providers/provider";
import { findProvider } from "@model-gateway/providers/registry";
import type { Conversation } from "./conversation.js";
import { PastedSecrets } from "./pasted-secrets.js";

const listMs = 3000;
/** The name of a variable in the shape that keys do not have. Everything else is a key, and must never reach the file. */
const variableName = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;

/** Asks which providers to add to those that were found, and for the settings and models of each. */
export async function askUpstreams(
  conversation: Conversation,
  names: readonly string[],
  secrets: PastedSecrets,
): Promise<FoundUpstream[]> {
  const chosen = await askProviders(conversation, names);
  const upstreams: FoundUpstream[] = [];
  for (const provider of chosen) upstreams.push(await askUpstream(conversation, provider, secrets));
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
  conversation: Conversation,
  provider: Provider,
  secrets: PastedSecrets,
): Promise<FoundUpstream> {
  for (;;) {
    const settings: Record<string, string> = {};
    for (const setting of settingsOf(provider)) {
      const value = isSecretKey(setting)
        ? await askSecret(conversation, { provider, setting, secrets })
        : await askSetting(conversation, { provider, setting });
      if (value !== "") settings[setting] = value;
    }
    const values = valuesOf(settings, secrets);
    const parsed = provider.settings.safeParse(
      { provider: provider.name, ...values },
      { error: explainIssue },
    );
    if (parsed.success)
      return {
        source: `${provider.title}, added by hand`,
        name: provider.name,
        settings: { provider: provider.name, ...settings },
        offered: await offeredBy(conversation, provider, values),
      };
    for (const { path, message } of parsed.error.issues.flatMap(faultsOfIssue))
      conversation.say(`${path.join(".")} ${message}.`);
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

async function askSetting({ ask }: Conversation, { provider, setting }: AskedSetting): Promise<string> {
  const { title, servers = [], settings } = provider;
  const usual = servers[0] && `http://127.0.0.1:${servers[0].port}${servers[0].basePath}`;
  const meaning = settings.shape[setting]?.description ?? setting;
  const answer = await ask(
    `${title}: ${meaning.replace(/\.$/, "")}${usual === undefined ? "" : ` [${usual}]`}: `,
  );
  return answer === "" ? (usual ?? "") : answer;
}

/** Returns a reference to a variable, or nothing. A key that is pasted goes to the secrets folder, under its name. */
async function askSecret(
  { askSecret: ask, say }: Conversation,
  { provider, setting, secrets }: AskedSetting & { readonly secrets: PastedSecrets },
): Promise<string> {
  const { title, environment } = provider;
  const [variable] = environment?.settings[setting]?.variables ?? [];
  const usual = variable ?? "Enter for none";
  for (;;) {
    const answer = await ask(
      `${title}: paste the key, or name the environment variable with it [${usual}]: `,
    );
    const name = answer === "" ? (variable ?? "") : answer;
    if (name === "") return "";
    if (variableName.test(name) || secrets.read([name])[name]) {
      say(`Taken from the variable ${name}.`);
      return `\${${name}}`;
    }
    if (PastedSecrets.accepts(answer)) {
      const stored = secrets.add({ secret: answer, provider: provider.name, setting, variable });
      say(secrets.pending.has(stored) ? `Kept as ${stored}.` : `Taken from the variable ${stored}.`);
      return `\${${stored}}`;
    }
    say("A key has no spaces, and a variable has a name such as MY_API_KEY.");
  }
}

/** A variable that is not set yet has a value that every rule accepts. */
function valuesOf(
  settings: Readonly<Record<string, string>>,
  secrets: PastedSecrets,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [
      setting,
      value.replace(/^\$\{(.*)\}$/, (_whole, name: string) => secrets.read([name])[name] || "not-set-yet"),
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
  if (environment !== undefined) return offeredModels(provider, builtInCatalogue(), values);
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

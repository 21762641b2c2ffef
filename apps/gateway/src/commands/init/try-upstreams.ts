import type { CommandPlace } from "@model-gateway/cli/check";
import type { Config } from "@model-gateway/config/config";
import { configWith } from "@model-gateway/config/default-config";
import type { DetectedUpstream } from "@model-gateway/config/detect/detection";
import { variablesIn } from "@model-gateway/config/files/read-yaml";
import { checkFile } from "@model-gateway/config/load-config";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { GatewayError } from "@model-gateway/domain/errors";
import { isPattern, type Model, type Upstream } from "@model-gateway/domain/model";
import { ownCall } from "@model-gateway/providers/call";
import type { OpenProvider, ProviderTools } from "@model-gateway/providers/provider";
import { openUpstream } from "@model-gateway/providers/registry";
import { embedWord } from "../../spaces/embed-word.js";
import type { PastedSecrets } from "./pasted-secrets.js";

const listMs = 10_000;

export interface TrialCommandPlace extends CommandPlace {
  /** Creates the tools that upstreams need. */
  readonly tools: (secrets: SecretFilter) => ProviderTools;
}

interface TriedUpstream {
  readonly place: TrialCommandPlace;
  readonly secrets: PastedSecrets;
}

/** Sends one request to each upstream, and says what came back. No image is created, because that costs money. */
export async function tryUpstreams(
  upstreams: readonly DetectedUpstream[],
  { place: { tools: createTools, ...place }, secrets: pasted }: TriedUpstream,
): Promise<string[]> {
  const isReady = (upstream: DetectedUpstream) => unsetVariables(upstream, pasted).length === 0;
  const ready = upstreams.filter((upstream) => isReady(upstream) && Object.keys(upstream.models).length > 0);
  const { directory } = pasted;
  const file = { name: "the new file", text: configWith(ready), directory, place: directory };
  const config = checkFile({ ...file, versions: new Map() }, place, { pending: pasted.pending });
  const secrets = new SecretFilter(config.secrets);
  const tools = createTools(secrets);
  const results = ready.map(async ({ name }) =>
    secrets.hide(`${name}: ${await tryOne(name, config, tools)}`),
  );
  return [
    ...(await Promise.all(results)),
    ...upstreams
      .filter((upstream) => !isReady(upstream))
      .map(
        (upstream) =>
          `${upstream.name}: not tried. Export ${unsetVariables(upstream, pasted).join(" and ")} before you start the gateway.`,
      ),
  ];
}

/** The variables that an upstream refers to and that have no value. */
export function unsetVariables({ settings }: DetectedUpstream, secrets: PastedSecrets): string[] {
  const names = variablesIn(Object.values(settings).join(" "));
  const environment = secrets.read(names);
  return names.filter((name) => !environment[name] && !environment[`${name}_FILE`]);
}

async function tryOne(name: string, { upstreams, models }: Config, tools: ProviderTools): Promise<string> {
  const upstream = upstreams.get(name);
  if (upstream === undefined) return "not tried.";
  const own = [...models.values()].filter(({ targets }) =>
    targets.some((target) => target.upstream === name),
  );
  let provider: OpenProvider | undefined;
  try {
    provider = await openUpstream(upstream, tools);
    return (await readList(upstream, provider)) ?? (await embed(own, provider));
  } catch (failure) {
    return `it does not work yet. ${failure instanceof Error ? failure.message : String(failure)}`;
  } finally {
    await provider?.close();
  }
}

/** Undefined if the upstream has no list. */
async function readList({ name }: Upstream, { listModels }: OpenProvider): Promise<string | undefined> {
  if (listModels === undefined) return undefined;
  try {
    const target = { upstream: name, model: "" };
    const names = await listModels(
      ownCall({ target, signal: AbortSignal.timeout(listMs), timeoutMs: listMs }),
    );
    return `it works, and lists ${names.length} ${names.length === 1 ? "model" : "models"}.`;
  } catch (failure) {
    if (failure instanceof GatewayError && failure.upstreamStatus === 404) return undefined;
    throw failure;
  }
}

async function embed(models: readonly Model[], { operations }: OpenProvider): Promise<string> {
  const embedded = await embedWord(models, operations);
  if (embedded === undefined)
    return models.some(({ id }) => isPattern(id))
      ? "not tried, because the names of its models are not known."
      : "not tried, because each image costs money.";
  return `it works: ${embedded.model} returned a vector of ${embedded.width} numbers.`;
}

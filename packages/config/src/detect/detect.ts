import { resolve } from "node:path";
import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import { openCatalogue } from "@model-gateway/catalogue/open-catalogue";
import type { Provider } from "@model-gateway/providers/provider";
import { providers as allProviders } from "@model-gateway/providers/registry";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import { ConfigError } from "../config-error.js";
import { defaultDataDir } from "../data-dir.js";
import { builtInModels } from "../default-config.js";
import { type ConfigSource, usesFile } from "../files/find-file.js";
import { type Detection, type DetectionPlace, type FoundUpstreams, withUniqueIds } from "./detection.js";
import { findInEnvironment } from "./find-in-environment.js";
import { findServers } from "./find-servers.js";

/** Replaced by tests. */
export interface DetectionTools {
  readonly providers: readonly Provider[];
  readonly withTimeout: typeof withTimeout;
  readonly catalogue: Catalogue;
}

/** Without a file, the data folder is the variable's or the default. */
function usualTools({ environment, workingDirectory }: DetectionPlace): DetectionTools {
  const dataDir = resolve(workingDirectory, environment.DATA_DIR || defaultDataDir);
  return { providers: allProviders, withTimeout, catalogue: openCatalogue(dataDir).catalogue };
}

/** The variable that turns detection off. */
const detectVariable = "GATEWAY_DETECT";

/** Whether detection is on, unless an argument turns it off. */
export function isDetectionOn({ environment }: DetectionPlace): boolean {
  const wish = environment[detectVariable] || "on";
  if (wish !== "on" && wish !== "off")
    throw new ConfigError([`  the environment variable ${detectVariable}: must be on or off`]);
  return wish === "on";
}

/**
 * Detects upstreams where there is no configuration file. Undefined where there is one, and where detection is off.
 *
 * @param isOff By an argument.
 */
export async function detectWithoutFile(
  source: ConfigSource,
  { isOff }: { readonly isOff: boolean },
): Promise<Detection | undefined> {
  return isDetectionOn(source) && !isOff && !usesFile(source) ? detectUpstreams(source) : undefined;
}

/** Finds upstreams, and gives each of their models an id. */
export async function detectUpstreams(
  place: DetectionPlace,
  replaced?: Partial<DetectionTools>,
): Promise<Detection> {
  const { upstreams, warnings } = await findUpstreams(place, replaced);
  return { upstreams: withUniqueIds(upstreams, builtInModels), warnings };
}

/** Finds upstreams by environment variables, and servers on this machine. Nothing that it calls costs money. */
export async function findUpstreams(
  place: DetectionPlace,
  replaced: Partial<DetectionTools> = {},
): Promise<FoundUpstreams> {
  const tools = { ...usualTools(place), ...replaced };
  const named = findInEnvironment(tools, place);
  const servers = await findServers(tools.providers, place, tools.withTimeout);
  return {
    upstreams: [...named.upstreams, ...servers.upstreams],
    warnings: [...named.warnings, ...servers.warnings],
  };
}

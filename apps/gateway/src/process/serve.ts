import cluster from "node:cluster";
import { detectWithoutFile } from "@model-gateway/config/detect/detect";
import type { Detection } from "@model-gateway/config/detect/detection";
import { ConfigurationFile } from "@model-gateway/config/edit/configuration-file";
import type { ConfigSource } from "@model-gateway/config/files/find-file";
import { loadConfig } from "@model-gateway/config/load-config";
import { FetchedSecrets } from "@model-gateway/config/references/fetched-secrets";
import { explainDataFolder } from "@model-gateway/data-folder/data-folder-error";
import { lockDataFolder } from "@model-gateway/data-folder/data-folder-lock";
import { createKeyText } from "@model-gateway/domain/key-text";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { credentialTools } from "./command-tools.js";
import { chooseLogFormat, type LogFormat } from "./open-log.js";
import { runGateway } from "./run-gateway.js";
import { createRunKey, exampleKeyOf, withRunKey } from "./run-key.js";
import { runWorkers } from "./run-workers.js";

/** Passes the key that was created for this run to the workers. */
const runKeyVariable = "GATEWAY_RUN_KEY";
/** Passes the secret in `run.json` to the workers. */
const localSecretVariable = "GATEWAY_LOCAL_SECRET";
/** Passes the upstreams that were found to the workers, which must all have the same. */
const detectionVariable = "GATEWAY_DETECTION";

export interface ServeProcessOptions {
  readonly configFile: string | undefined;
  /** Undefined: by the environment or the file. */
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly version: string;
  /** Undefined: text on a terminal, else JSON. */
  readonly log: LogFormat | undefined;
  /** Whether upstreams are looked for where there is no configuration file. */
  readonly detects: boolean;
  /** Called when this process serves requests. */
  readonly onServing: () => void;
}

/** Serves requests until a signal, in this process or in workers. */
export async function serve(options: ServeProcessOptions): Promise<void> {
  const { configFile, host, port, version, detects, onServing } = options;
  const logFormat = chooseLogFormat(options.log);
  const passedOn = cluster.isWorker ? process.env[localSecretVariable] : undefined;
  const localSecret = passedOn ?? createKeyText("mg_local_");
  const given = withoutUndefined({ HOST: host, PORT: port });
  const place = { environment: { ...process.env, ...given }, workingDirectory: process.cwd() };
  const at = (path: string | undefined) => (path === undefined ? place : { ...place, path });
  // Once: a reload must not add or remove upstreams because a server has started or stopped.
  const detection = cluster.isWorker
    ? passedDetection()
    : await detectWithoutFile(at(configFile), { isOff: !detects });
  const references = new FetchedSecrets(credentialTools);
  const sourceOf = (path: string | undefined): ConfigSource => ({ ...at(path), detection, references });
  await references.fetch(sourceOf(configFile));
  const configured = loadConfig(sourceOf(configFile));
  const runKey = cluster.isWorker
    ? process.env[runKeyVariable]
    : createRunKey(configured, { isTerminal: process.stdout.isTTY });
  const fetchSecrets = (path: string | undefined) => references.fetch(sourceOf(path));
  const load = async (path: string | undefined) => {
    await fetchSecrets(path);
    return withRunKey(loadConfig(sourceOf(path)), runKey);
  };
  const config = withRunKey(configured, runKey);
  const configurationFile = new ConfigurationFile(sourceOf(configFile));
  const exampleKey = exampleKeyOf(configured, runKey);
  const run = async () => {
    await runGateway(config, {
      load,
      fetchSecrets,
      configurationFile,
      version,
      localSecret,
      exampleKey,
      logFormat,
    });
    onServing();
  };
  try {
    if (cluster.isWorker) return await run();
    const lock = lockDataFolder(config.dataDir);
    process.on("exit", () => lock.release());
    if (config.workers === 1) return await run();
    const environment = {
      ...(runKey !== undefined && { [runKeyVariable]: runKey }),
      [localSecretVariable]: localSecret,
      ...(detection && { [detectionVariable]: JSON.stringify(detection) }),
    };
    await runWorkers(config, { version, localSecret, environment, logFormat });
  } catch (failure) {
    throw explainDataFolder(failure, config.dataDir);
  }
}

/** The supervisor has written it. */
function passedDetection(): Detection | undefined {
  const passed = process.env[detectionVariable];
  return passed === undefined ? undefined : (JSON.parse(passed) as Detection);
}

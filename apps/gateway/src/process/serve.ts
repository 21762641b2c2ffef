import cluster from "node:cluster";
import type { ExampleKey } from "../app/welcome.js";
import type { Config } from "../config/config.js";
import { callerKeyVariable } from "../config/default-config.js";
import { detectWithoutFile } from "../config/detect/detect.js";
import type { Detection } from "../config/detect/detection.js";
import { ConfigurationFile } from "../config/edit/configuration-file.js";
import type { ConfigSource } from "../config/files/find-file.js";
import { loadConfig } from "../config/load-config.js";
import { digest } from "../config/resolve.js";
import { createKeyText } from "../keys/key-text.js";
import { lockDataFolder } from "../storage/data-folder-lock.js";
import { chooseLogFormat, type LogFormat } from "./open-log.js";
import { runGateway } from "./run-gateway.js";
import { runWorkers } from "./run-workers.js";

const runKeyName = "this-run";
/** Passes the key that was created for this run to the workers. */
const runKeyVariable = "GATEWAY_RUN_KEY";
/** Passes the secret in `run.json` to the workers. */
const localSecretVariable = "GATEWAY_LOCAL_SECRET";
/** Passes the upstreams that were found to the workers, which must all have the same. */
const detectionVariable = "GATEWAY_DETECTION";

export interface ServeProcessOptions {
  readonly configFile: string | undefined;
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
  const { configFile, version, log, detects, onServing } = options;
  const logFormat = chooseLogFormat(log);
  const runKey = process.env[runKeyVariable] ?? createKeyText("mg_");
  const passedOn = cluster.isWorker ? process.env[localSecretVariable] : undefined;
  const localSecret = passedOn ?? createKeyText("mg_local_");
  const workingDirectory = process.cwd();
  const place = { environment: process.env, workingDirectory };
  const at = (path: string | undefined) => (path === undefined ? place : { ...place, path });
  // Once: a reload must not add or remove upstreams because a server has started or stopped.
  const detection = cluster.isWorker
    ? passedDetection()
    : await detectWithoutFile(at(configFile), { isOff: !detects });
  const sourceOf = (path: string | undefined): ConfigSource => ({ ...at(path), detection });
  const load = (path: string | undefined) => withKey(loadConfig(sourceOf(path)), runKey);
  const config = load(configFile);
  const configurationFile = new ConfigurationFile(sourceOf(configFile));
  const exampleKey = exampleKeyOf(config, runKey);
  const run = async () => {
    await runGateway(config, { load, configurationFile, version, localSecret, exampleKey, logFormat });
    onServing();
  };
  if (cluster.isWorker) return run();
  const lock = lockDataFolder(config.dataDir);
  process.on("exit", () => lock.release());
  const environment = {
    [runKeyVariable]: runKey,
    [localSecretVariable]: localSecret,
    ...(detection && { [detectionVariable]: JSON.stringify(detection) }),
  };
  await (config.workers === 1 ? run() : runWorkers(config, { version, localSecret, environment, logFormat }));
}

/** The supervisor has written it. */
function passedDetection(): Detection | undefined {
  const passed = process.env[detectionVariable];
  return passed === undefined ? undefined : (JSON.parse(passed) as Detection);
}

/** Adds the key that was created for this run, if the configuration has no key. */
function withKey(config: Config, runKey: string): Config {
  if (config.keys.length > 0) return config;
  const key = { id: `config:${runKeyName}`, name: runKeyName, limits: {}, isDisabled: false };
  return { ...config, keys: [{ key, sha256: digest(runKey) }] };
}

/** Undefined where the operator has written keys into a file, and knows them. */
function exampleKeyOf({ file, keys }: Config, runKey: string): ExampleKey | undefined {
  if (keys.some(({ key }) => key.name === runKeyName)) return { created: runKey };
  return file === undefined ? { variable: callerKeyVariable } : undefined;
}

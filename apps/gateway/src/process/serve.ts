import cluster from "node:cluster";
import type { ExampleKey } from "../app/welcome.js";
import type { Config } from "../config/config.js";
import { callerKeyVariable } from "../config/default-config.js";
import { ConfigurationFile } from "../config/edit/configuration-file.js";
import { type ConfigSource, loadConfig } from "../config/load-config.js";
import { digest } from "../config/resolve.js";
import { createKeyText } from "../keys/key-text.js";
import { lockDataFolder } from "../storage/data-folder-lock.js";
import { runGateway } from "./run-gateway.js";
import { runWorkers } from "./run-workers.js";

const runKeyName = "this-run";
/** Passes the key that was created for this run to the workers. */
const runKeyVariable = "GATEWAY_RUN_KEY";

export interface ServeProcessOptions {
  readonly configFile: string | undefined;
  readonly version: string;
}

/** Serves requests until a signal, in this process or in workers. */
export async function serve({ configFile, version }: ServeProcessOptions): Promise<void> {
  const runKey = process.env[runKeyVariable] ?? createKeyText("mg_");
  const workingDirectory = process.cwd();
  const sourceOf = (path: string | undefined): ConfigSource => {
    const source = { environment: process.env, workingDirectory };
    return path === undefined ? source : { ...source, path };
  };
  const load = (path: string | undefined) => withKey(loadConfig(sourceOf(path)), runKey);
  const config = load(configFile);
  const configurationFile = new ConfigurationFile(sourceOf(configFile));
  const exampleKey = exampleKeyOf(config, runKey);
  const run = () => runGateway(config, { load, configurationFile, version, exampleKey });
  if (cluster.isWorker) return run();
  const lock = lockDataFolder(config.dataDir);
  process.on("exit", () => lock.release());
  const environment = { [runKeyVariable]: runKey };
  await (config.workers === 1 ? run() : runWorkers(config, { version, environment }));
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

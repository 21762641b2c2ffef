import type { Config } from "@model-gateway/config/config";
import { callerKeyVariable } from "@model-gateway/config/default-config";
import { digest } from "@model-gateway/config/resolve";
import { createKeyText } from "@model-gateway/domain/key-text";
import { typedCommand } from "@model-gateway/domain/typed-command";
import type { ExampleKey } from "../app/welcome.js";

const runKeyName = "this-run";

interface RunKeyPlace {
  /** Whether a person reads the output. Elsewhere it is a log, which others may read for years. */
  readonly isTerminal: boolean;
}

/**
 * A key for this run, where nothing else could call the gateway: without a configuration file, in the first minute, or at
 * a terminal. It has no limits, so a gateway that is configured gets none behind the operator's back.
 */
export function createRunKey({ file, keys }: Config, { isTerminal }: RunKeyPlace): string | undefined {
  if (keys.length > 0) return undefined;
  return file === undefined || isTerminal ? createKeyText("mg_") : undefined;
}

/** Adds the key of this run, if there is one and the configuration has none. A file may get keys while the run lasts. */
export function withRunKey(config: Config, runKey: string | undefined): Config {
  if (runKey === undefined || config.keys.length > 0) return config;
  const key = { id: `config:${runKeyName}`, name: runKeyName, limits: {}, isDisabled: false };
  return { ...config, keys: [{ key, sha256: digest(runKey) }] };
}

/** Undefined where the operator has written keys into a file, and knows them. */
export function exampleKeyOf({ file, keys }: Config, runKey: string | undefined): ExampleKey | undefined {
  const create = typedCommand("keys create <name>");
  if (runKey !== undefined)
    return {
      created: runKey,
      lasting:
        file === undefined ? `${callerKeyVariable} sets a lasting one` : `for a lasting one: ${create}`,
    };
  if (keys.length === 0) return { missing: create };
  return file === undefined ? { variable: callerKeyVariable } : undefined;
}

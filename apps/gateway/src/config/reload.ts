import type { Config } from "./config.js";
import { ConfigError } from "./load-config.js";

export interface ReloaderOptions {
  readonly load: () => Config;
  /** Applies the new configuration. */
  readonly apply: (config: Config) => Promise<void>;
  readonly onApplied: (config: Config) => void;
  /** Called with every fault of the new file, or with the failure to apply it. */
  readonly onRefused: (faults: readonly string[]) => void;
}

/** Returns a function that reads and applies the configuration again. Calls run one after the other. */
export function createReloader({ load, apply, onApplied, onRefused }: ReloaderOptions): () => Promise<void> {
  let last = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      const config = load();
      await apply(config);
      onApplied(config);
    } catch (failure) {
      onRefused(failure instanceof ConfigError ? failure.faults : [String(failure)]);
    }
  };
  return () => {
    last = last.then(reload);
    return last;
  };
}

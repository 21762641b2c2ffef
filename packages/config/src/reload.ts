import type { Config } from "./config.js";
import { ConfigError } from "./config-error.js";

interface ReloaderOptions {
  readonly load: () => Config | Promise<Config>;
  /** Applies the new configuration. */
  readonly apply: (config: Config) => Promise<void>;
  readonly onApplied: (config: Config) => void;
  /** Called with every fault of the new file, or with the failure to apply it. */
  readonly onRefused: (faults: readonly string[]) => void;
}

/** Reads and applies the configuration again. Returns why it was refused; nothing if it is in force. */
export type Reload = () => Promise<readonly string[]>;

/** Creates a reload. Calls run one after the other. */
export function createReloader({ load, apply, onApplied, onRefused }: ReloaderOptions): Reload {
  let last: Promise<readonly string[]> = Promise.resolve([]);
  const reload = async (): Promise<readonly string[]> => {
    try {
      const config = await load();
      await apply(config);
      onApplied(config);
      return [];
    } catch (failure) {
      const faults = failure instanceof ConfigError ? failure.faults : [String(failure)];
      onRefused(faults);
      return faults;
    }
  };
  return () => {
    last = last.then(reload);
    return last;
  };
}

import type { Config } from "./config.js";
import { ConfigError } from "./load-config.js";

export interface ReloaderNeeds {
  readonly load: () => Config;
  /** Takes the new configuration. */
  readonly take: (config: Config) => Promise<void>;
  readonly onTaken: (config: Config) => void;
  /** What is wrong with the new configuration: every fault of the file, or what kept it from being taken. */
  readonly onRefused: (faults: readonly string[]) => void;
}

/** Reads the configuration again whenever it is asked to, one time after the other. A faulty one changes nothing. */
export function createReloader({ load, take, onTaken, onRefused }: ReloaderNeeds): () => Promise<void> {
  let last = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      const config = load();
      await take(config);
      onTaken(config);
    } catch (failure) {
      onRefused(failure instanceof ConfigError ? failure.faults : [String(failure)]);
    }
  };
  return () => {
    last = last.then(reload);
    return last;
  };
}

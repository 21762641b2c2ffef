import type { Config } from "@model-gateway/config/config";
import type { ConfigurationStatus } from "../api/operations/retrieveConfiguration.js";
import type { EventLog } from "../events/event-log.js";

interface ReloadsOptions {
  readonly events: { readonly log: Pick<EventLog, "note"> };
  readonly worker: number;
  /** `ConfigurationFile.whyNotEditable` (config/edit/configuration-file.ts). */
  readonly whyNotEditable: (config: Config) => ReturnType<ConfigurationStatus["whyNotEditable"]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Outcomes of the configurations that were read, for the operator. */
export class Reloads {
  readonly #options: ReloadsOptions;
  #readAt: number;
  #refusal: ConfigurationStatus["refusal"];

  constructor(options: ReloadsOptions) {
    this.#options = options;
    this.#readAt = options.now();
  }

  accepted(): void {
    this.#readAt = this.#options.now();
    this.#refusal = undefined;
    this.#publish([]);
  }

  refused(faults: readonly string[]): void {
    this.#refusal = { at: this.#options.now(), faults };
    this.#publish(faults);
  }

  status(config: Config): ConfigurationStatus {
    const { file, text, version, entries, publicUrl } = config;
    return {
      file,
      text,
      version,
      entries,
      publicUrl,
      whyNotEditable: () => this.#options.whyNotEditable(config),
      readAt: this.#readAt,
      refusal: this.#refusal,
    };
  }

  #publish(faults: readonly string[]): void {
    const { events, worker, now } = this.#options;
    events.log.note({
      type: "configuration.reloaded",
      timestamp: new Date(now()).toISOString(),
      data: { accepted: faults.length === 0, faults: [...faults], worker },
    });
  }
}

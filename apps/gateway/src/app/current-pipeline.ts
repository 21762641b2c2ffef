import type { Config } from "../config/config.js";
import type { Model } from "../domain/model.js";
import { withDiscovered } from "./discovered-models.js";
import { InFlight } from "./in-flight.js";
import { type Pipeline, targetsOf } from "./pipeline.js";
import type { Services } from "./services.js";

export interface CurrentPipelineOptions {
  readonly services: Pick<
    Services,
    "scheduler" | "batchLimits" | "keys" | "webhooks" | "signals" | "secrets" | "log"
  >;
  readonly build: (config: Config, previous: Pipeline["upstreams"]) => Promise<Pipeline>;
  /** The discovered models, as this configuration offers them. */
  readonly discovered: (config: Config, upstreams: Pipeline["upstreams"]) => readonly Model[];
  /** The configuration with the accepted revisions of vector spaces. */
  readonly revise: (config: Config) => Config;
  /** Called when another pipeline serves new requests. */
  readonly onReplaced: () => void;
}

export interface FirstPipeline {
  readonly pipeline: Pipeline;
  /** What it was built from. */
  readonly config: Config;
}

/** The pipeline that serves new requests. Requests in flight on an earlier one finish there. */
export class CurrentPipeline {
  readonly #options: CurrentPipelineOptions;
  #inFlight: InFlight;
  #config: Config;
  #applied: Promise<void> = Promise.resolve();

  constructor({ pipeline, config }: FirstPipeline, options: CurrentPipelineOptions) {
    this.#options = options;
    this.#inFlight = new InFlight(pipeline);
    this.#config = config;
  }

  get inFlight(): InFlight {
    return this.#inFlight;
  }

  get pipeline(): Pipeline {
    return this.#inFlight.pipeline;
  }

  /** The configuration without discovered models and accepted revisions. */
  get config(): Config {
    return this.#config;
  }

  /** Resolves when nothing is left to apply. */
  get applied(): Promise<void> {
    return this.#applied;
  }

  /** Builds a pipeline again, also for the same configuration. A reload and a discovery may come at the same time. */
  apply(wanted: () => Config): Promise<void> {
    const applying = this.#applied.then(() => this.#replace(wanted()));
    this.#applied = applying.catch(() => undefined);
    return applying;
  }

  async #replace(wanted: Config): Promise<void> {
    const { build, discovered, revise, onReplaced, services } = this.#options;
    const { scheduler, batchLimits, keys, webhooks, signals, secrets, log } = services;
    const retired = this.#inFlight;
    const { upstreams } = retired.pipeline;
    const config = revise(withDiscovered(wanted, discovered(wanted, upstreams)));
    // Before an upstream is opened with them.
    if (wanted !== this.#config) secrets.configure(wanted.secrets);
    const pipeline = await build(config, upstreams);
    const closed = [...upstreams].filter(([name, open]) => pipeline.upstreams.get(name) !== open);
    const changed = new Set(closed.map(([name]) => name));
    scheduler.adopt(targetsOf(config), changed);
    batchLimits.adopt(targetsOf(config), changed);
    keys.ring.configure(config.keys);
    webhooks.configure(config.webhooks);
    signals?.configure(targetsOf(config), config.upstreams);
    this.#config = wanted;
    this.#inFlight = new InFlight(pipeline);
    onReplaced();
    void retired
      .drain()
      .then(() => Promise.all(closed.map(([, { provider }]) => provider.close())))
      .catch((failure: unknown) => log.error({ err: failure }, "An upstream could not be closed."));
  }
}

import type { Config } from "../config/config.js";
import type { Model } from "../domain/model.js";
import { withDiscovered } from "./discovered-models.js";
import { type Pipeline, targetsOf } from "./pipeline.js";
import type { Services } from "./services.js";

type PipelineServices = Pick<
  Services,
  "scheduler" | "batchLimits" | "keys" | "webhooks" | "signals" | "secrets" | "log"
>;

/** The steps that turn a configuration into a pipeline. */
interface PipelineSteps {
  readonly build: (config: Config, previous: Pipeline["upstreams"]) => Promise<Pipeline>;
  /** The discovered models, as this configuration offers them. */
  readonly discovered: (config: Config, upstreams: Pipeline["upstreams"]) => readonly Model[];
  /** The configuration with the accepted revisions of vector spaces. */
  readonly revise: (config: Config) => Config;
  /** Called when another pipeline serves new requests. */
  readonly onReplaced: () => void;
}

/** The pipeline that serves new requests. Requests in flight on an earlier one finish there. */
export class CurrentPipeline {
  readonly #services: PipelineServices;
  #opened: { readonly pipeline: Pipeline; readonly steps: PipelineSteps } | undefined;
  #config: Config;
  #applied: Promise<void> = Promise.resolve();

  constructor(config: Config, services: PipelineServices) {
    this.#services = services;
    this.#config = config;
  }

  /** The configuration without discovered models and accepted revisions. */
  get config(): Config {
    return this.#config;
  }

  /** The configuration that is served, with discovered models and accepted revisions once it is opened. */
  get served(): Config {
    return this.#opened?.pipeline.config ?? this.#config;
  }

  /** Whether there is a pipeline. Reports to other workers during the start must not need one. */
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  get pipeline(): Pipeline {
    return this.#running.pipeline;
  }

  /** Resolves when nothing is left to apply. */
  get applied(): Promise<void> {
    return this.#applied;
  }

  /** Builds the first pipeline. */
  async open(steps: PipelineSteps): Promise<void> {
    this.#opened = { pipeline: await steps.build(steps.revise(this.#config), new Map()), steps };
  }

  /** Builds a pipeline again, even for the same configuration. A reload and a discovery may come at the same time. */
  apply(wanted: () => Config): Promise<void> {
    const applying = this.#applied.then(() => this.#replace(wanted()));
    this.#applied = applying.catch(() => undefined);
    return applying;
  }

  get #running(): { readonly pipeline: Pipeline; readonly steps: PipelineSteps } {
    if (this.#opened === undefined) throw new Error("The pipeline was asked for before it was opened.");
    return this.#opened;
  }

  async #replace(wanted: Config): Promise<void> {
    const { pipeline: retired, steps } = this.#running;
    const { scheduler, batchLimits, keys, webhooks, signals, secrets, log } = this.#services;
    const { upstreams } = retired;
    const config = steps.revise(withDiscovered(wanted, steps.discovered(wanted, upstreams)));
    // Before an upstream is opened with them.
    if (wanted !== this.#config) secrets.configure(wanted.secrets);
    const pipeline = await steps.build(config, upstreams);
    const closed = [...upstreams].filter(([name, open]) => pipeline.upstreams.get(name) !== open);
    const changed = new Set(closed.map(([name]) => name));
    scheduler.adopt(targetsOf(config), changed);
    batchLimits.adopt(targetsOf(config), changed);
    keys.ring.configure(config.keys);
    webhooks.configure(config.webhooks);
    signals?.configure(targetsOf(config), config.upstreams);
    this.#config = wanted;
    this.#opened = { pipeline, steps };
    steps.onReplaced();
    void retired.inFlight
      .drain()
      .then(() => Promise.all(closed.map(([, { provider }]) => provider.close())))
      .catch((failure: unknown) => log.error({ err: failure }, "An upstream could not be closed."));
  }
}

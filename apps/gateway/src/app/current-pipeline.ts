import type { Config } from "@model-gateway/config/config";
import type { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { Model } from "@model-gateway/domain/model";
import type { OpenUpstream } from "@model-gateway/providers/provider";
import type { Express } from "express";
import type { Logger } from "pino";
import type { Catalog } from "../api/catalog.js";
import type { EmbeddingService } from "../embeddings/create-embedding.js";
import type { RunDetached } from "../execution/detached-request.js";
import type { ClientAddress } from "../http/request/client-address.js";
import { withDiscovered } from "./discovered-models.js";
import type { InFlight } from "./in-flight.js";
import type { ConfigChange } from "./modules/module.js";

/** Everything that one configuration builds: its upstreams, its models, and the routes that lead to them. */
export interface Pipeline {
  readonly config: Config;
  readonly upstreams: ReadonlyMap<string, OpenUpstream>;
  readonly catalog: Catalog;
  readonly embeddings: EmbeddingService;
  readonly inFlight: InFlight;
  readonly app: Express;
  readonly clientAddress: ClientAddress;
  /** For jobs and batches. They take the one of the pipeline that is current when they run. */
  readonly runDetached: RunDetached;
}

/** The steps that turn a configuration into a pipeline. */
interface PipelineSteps {
  /** @param previous Upstreams that are open already. Those that have not changed are taken over. */
  readonly build: (config: Config, previous: Pipeline["upstreams"]) => Promise<Pipeline>;
  /** The discovered models, as this configuration offers them. */
  readonly discovered: (config: Config, upstreams: Pipeline["upstreams"]) => readonly Model[];
  /** The configuration with the accepted revisions of vector spaces. */
  readonly revise: (config: Config) => Config;
}

interface CurrentPipelineOptions {
  readonly secrets: Pick<SecretFilter, "configure">;
  readonly log: Logger;
  /** Called when another pipeline serves new requests. */
  readonly adopt: (change: ConfigChange) => void;
}

/** The pipeline that serves new requests. Requests in flight on an earlier one finish there. */
export class CurrentPipeline {
  readonly #options: CurrentPipelineOptions;
  #opened: { readonly pipeline: Pipeline; readonly steps: PipelineSteps } | undefined;
  #config: Config;
  #applied: Promise<void> = Promise.resolve();

  constructor(config: Config, options: CurrentPipelineOptions) {
    this.#options = options;
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

  readonly runDetached: RunDetached = (request) => this.pipeline.runDetached(request);

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
    const { secrets, log, adopt } = this.#options;
    const { upstreams } = retired;
    const config = steps.revise(withDiscovered(wanted, steps.discovered(wanted, upstreams)));
    const isReload = wanted !== this.#config;
    // Before an upstream is opened with them.
    if (isReload) secrets.configure(wanted.secrets);
    const pipeline = await steps.build(config, upstreams);
    const closed = [...upstreams].filter(([name, open]) => pipeline.upstreams.get(name) !== open);
    this.#config = wanted;
    this.#opened = { pipeline, steps };
    adopt({ config, changedUpstreams: new Set(closed.map(([name]) => name)), isReload });
    void retired.inFlight
      .drain()
      .then(() => Promise.all(closed.map(([, { provider }]) => provider.close())))
      .catch((failure: unknown) => log.error({ err: failure }, "An upstream could not be closed."));
  }
}

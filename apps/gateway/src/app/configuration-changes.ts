import type { Config } from "@model-gateway/config/config";
import type {
  ConfigurationFile,
  FileChange,
  PreparedChange,
} from "@model-gateway/config/edit/configuration-file";
import { GatewayError, storageUnavailable } from "@model-gateway/domain/errors";
import { isDiskFull } from "@model-gateway/domain/failure-code";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { Model, Target } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import type { Logger } from "pino";
import { describeRates } from "../api/documents/PriceRate.js";
import type { ChangeConfiguration } from "../api/operations/changeConfiguration.js";
import type { EventLog } from "../events/event-log.js";

/** Time that a response waits for the reload. */
const reloadMsMax = 10_000;

/** Reads the configuration again, and returns why it was refused. Empty: it is in force. */
export type ReloadConfiguration = () => Promise<readonly string[]>;

interface ConfigurationChangesOptions {
  readonly file: Pick<ConfigurationFile, "whyNotEditable" | "prepare" | "write" | "restore" | "forgetUnused">;
  readonly config: () => Config;
  readonly reload: ReloadConfiguration;
  readonly secrets: HideSecrets;
  readonly events: { readonly log: Pick<EventLog, "note"> };
  readonly worker: number;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Changes the configuration file, one request at a time, and puts the result in force. */
export function createConfigurationChanges(options: ConfigurationChangesOptions): ChangeConfiguration {
  const turn = new Semaphore(1);
  return (request, actor) => turn.run(() => new Change(options, actor).run(request));
}

type NotAppliedReason = Schemas["ConfigurationChange"]["not_applied_reason"];

class Change {
  readonly #options: ConfigurationChangesOptions;
  readonly #actor: string;

  constructor(options: ConfigurationChangesOptions, actor: string) {
    this.#options = options;
    this.#actor = actor;
  }

  async run({ dry_run: isDryRun = false, ...change }: Schemas["ChangeConfigurationRequest"]) {
    const { file, config, secrets } = this.#options;
    const prepared = file.prepare(change, (secret) => secrets.learn(secret));
    const describe = (notApplied: NotAppliedReason, isInForce = false) =>
      this.#describe(prepared, notApplied, isInForce);
    if (isDryRun) return describe(prepared.after === undefined ? "unsupported_yaml" : "dry_run");
    const notEditable = file.whyNotEditable(config());
    if (notEditable !== undefined) return describe(notEditable);
    if (prepared.after === undefined) return describe("unsupported_yaml");
    if (prepared.after === prepared.before) return describe(null, true);
    const refused = await this.#write(prepared);
    if (refused !== undefined) return describe(refused);
    this.#publish(change, prepared.version);
    return describe(null, await this.#reload(prepared));
  }

  async #write(prepared: PreparedChange): Promise<NotAppliedReason | undefined> {
    try {
      return await this.#options.file.write(prepared);
    } catch (failure) {
      throw isDiskFull(failure) ? storageUnavailable(failure) : failure;
    }
  }

  /** Returns whether the change is in force. A change that the gateway cannot serve is taken back. */
  async #reload(prepared: PreparedChange): Promise<boolean> {
    const { file, reload, log } = this.#options;
    const reloading = reload().then(async (faults) => {
      if (faults.length === 0) await file.forgetUnused(prepared);
      else await file.restore(prepared);
      return faults;
    });
    reloading.catch((failure: unknown) =>
      log.error({ err: failure }, "A change of the configuration was not finished."),
    );
    const faults = await withTimeout(reloading, reloadMsMax, () => undefined);
    if (faults === undefined || faults.length === 0) return faults !== undefined;
    throw new GatewayError(
      "invalid_value",
      `The changed configuration could not be put in force, and the file is as it was: ${faults.map((fault) => fault.trim()).join("; ")}`,
    );
  }

  #describe(
    { path, diff, lines, version, secrets: stored, models, folder }: PreparedChange,
    notApplied: NotAppliedReason,
    isInForce: boolean,
  ): Schemas["ConfigurationChange"] {
    const { secrets, file, config } = this.#options;
    const isStored = notApplied === "dry_run" ? !file.whyNotEditable(config()) : notApplied === null;
    return {
      object: "configuration.change",
      applied: notApplied === null,
      not_applied_reason: notApplied,
      in_force: isInForce,
      file: path,
      diff: secrets.hide(diff),
      lines: secrets.hide(lines),
      secrets: isStored ? [...stored.keys()].map((name) => ({ name, path: folder.pathOf(name) })) : [],
      models: models.map(describeModel),
      version: notApplied === null ? version.after : version.before,
    };
  }

  /** For the event stream and the log: names, and never values. */
  #publish({ upstreams = {}, models = {} }: FileChange, version: PreparedChange["version"]): void {
    const { events, log, worker, now } = this.#options;
    const data = {
      actor: this.#actor,
      upstreams_set: namesOf(upstreams, (entry) => entry !== null),
      upstreams_removed: namesOf(upstreams, (entry) => entry === null),
      models_set: namesOf(models, (entry) => entry !== null),
      models_removed: namesOf(models, (entry) => entry === null),
      version: version.after,
      worker,
    };
    events.log.note({
      type: "configuration.changed",
      timestamp: new Date(now()).toISOString(),
      data,
    });
    log.info(data, "The configuration file was changed.");
  }
}

function describeModel({ id, targets }: Model): Schemas["ChangedModel"] {
  const all: readonly Target[] = targets;
  return {
    id,
    targets: all.map(({ upstream, model, price }) => ({ upstream, model, pricing: describeRates(price) })),
  };
}

function namesOf(entries: Readonly<Record<string, unknown>>, fits: (entry: unknown) => boolean): string[] {
  return Object.entries(entries).flatMap(([name, entry]) => (fits(entry) ? [name] : []));
}

import type { ConfigurationFile } from "@model-gateway/config/edit/configuration-file";
import type { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { ProcessIdentity } from "@model-gateway/domain/process-identity";
import type { Siblings } from "@model-gateway/domain/siblings";
import type { Tracer } from "@model-gateway/domain/trace";
import type { openUpstream } from "@model-gateway/providers/registry";
import type { Clock } from "@model-gateway/runtime/clock";
import type { Logger } from "pino";
import type { RequestRules } from "../../execution/validation/validate.js";
import type { FetchImage } from "../../images/fetch/fetch-image.js";
import type { Storage, StorageSettings } from "../../storage/open-storage.js";
import type { LogRequest } from "../../telemetry/log.js";
import type { ReloadConfiguration } from "../configuration-changes.js";
import type { CurrentPipeline } from "../current-pipeline.js";
import type { OpenModules } from "./open-modules.js";

/** The parts that the process passes to the gateway. */
export interface ProcessServices {
  readonly log: Logger;
  readonly logRequest: LogRequest;
  /** Redacts texts before they leave the gateway. */
  readonly secrets: SecretFilter;
  readonly openStorage: (settings: StorageSettings, log: Logger) => Promise<Storage>;
  readonly openUpstream: typeof openUpstream;
  /** The file that the configuration was read from, or would be. */
  readonly configurationFile: ConfigurationFile;
  readonly reloadConfiguration: ReloadConfiguration;
  readonly tracer: Tracer;
  readonly self: ProcessIdentity;
  /** Which of the workers this is, counted from 1. */
  readonly worker: { readonly slot: number; readonly count: number };
  /** All workers of this gateway, where there are several. */
  readonly siblings?: Siblings;
  /** Called when this start has created the admin key. Its text is not stored. */
  readonly onAdminKeyCreated: (text: string) => void;
  /** Stands for the admin key in requests from this machine. Default: there is none. */
  readonly localSecret?: string | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970, for work that runs a few times an hour. Overridden in tests. */
  readonly wallClock?: Clock;
  /** The monotonic clock by which the rates of callers are measured. Overridden in tests. */
  readonly transferClock?: Clock;
  /** Time that the ledger gathers rows before it stores them. Overridden in tests. */
  readonly ledgerGatherMs?: number;
  /** Overrides the time limit of a trial of an upstream, in tests. */
  readonly trialMsMax?: number;
  /** Default: it fetches from the public internet alone. Overridden in tests. */
  readonly fetchImage?: FetchImage;
  /** Default: new ones. The gateways of a test process share them, since their schemas take long to compile. */
  readonly requestRules?: RequestRules;
  readonly nodeMajor: number;
  /** The version of the gateway. */
  readonly version: string;
  /** For credentials that a platform provides. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Services that are there before the first module. */
export interface BaseServices extends ProcessServices {
  readonly current: CurrentPipeline;
  readonly modules: Pick<OpenModules, "adopt" | "readMetrics">;
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly transferClock: Clock;
}

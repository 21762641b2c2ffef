import type { Config } from "@model-gateway/config/config";
import type { ReadMetrics } from "../../telemetry/metrics/metric.js";

/**
 * A service that lasts as long as the process, across configurations. It sees the settings that it names, and no others.
 *
 * @typeParam Needs Services of earlier modules that it uses.
 * @typeParam Given Services that it gives to later ones.
 */
export interface Module<
  Needs extends object,
  Given extends object,
  Restart extends keyof Config,
  Reload extends keyof Config,
> {
  /** Names it in the log. */
  readonly name: string;
  readonly settings?: ModuleSettings<Restart, Reload>;
  readonly open: (
    needs: Needs,
    settings: Pick<Config, NoInfer<Restart | Reload>>,
  ) => OpenModule<Given, NoInfer<Reload>> | Promise<OpenModule<Given, NoInfer<Reload>>>;
}

interface ModuleSettings<Restart, Reload> {
  /** Used by `open` alone. A reload keeps their values, and the log says that others need a restart. */
  readonly restart?: readonly Restart[];
  /** Used by `open`, and by `adopt` after a reload. */
  readonly reload?: readonly Reload[];
}

/** Every member but the services is optional. Those that begin or end something are called in the order given here. */
export interface OpenModule<Given extends object, Reload extends keyof Config = never> {
  readonly services: Given;
  /** Read on scrape. */
  readonly metrics?: ReadMetrics;
  /** They run from now on until `close`. */
  readonly sweeps?: readonly Sweep[];
  /** Begins the work behind requests, once all modules are open. The next module waits for it. */
  readonly start?: () => void | Promise<void>;
  /** Takes over a configuration that serves requests from now on. */
  readonly adopt?: (change: ConfigChange<Reload>) => void;
  /** The gateway will stop. It still serves requests for a while. */
  readonly beginStop?: () => void;
  /** Ends responses that would go on for ever. */
  readonly endStreams?: () => void;
  /** Begins nothing more, and resolves when all that has begun is done. All modules drain at once. */
  readonly drain?: () => Promise<void>;
  /** Later modules are closed by now. */
  readonly close?: () => void | Promise<void>;
}

/** Another configuration. */
export interface ConfigChange<Reload extends keyof Config = keyof Config> {
  readonly config: Pick<Config, Reload>;
  /** Names of upstreams that are gone or were opened again. */
  readonly changedUpstreams: ReadonlySet<string>;
  /** Whether the operator's configuration was read again. Else the gateway has found other models or spaces. */
  readonly isReload: boolean;
}

/** Work that a module repeats. */
export interface Sweep {
  /** Its name in the metrics. */
  readonly task: string;
  readonly everyMs: number;
  readonly run: () => unknown;
  /** Called with what a run threw. Without it, a failure is a fault of the program. */
  readonly onFailure?: (failure: unknown) => void;
}

/** Infers the types of a module: its needs from the parameter of `open`, all else from the values. */
export function defineModule<
  Needs extends object,
  Given extends object,
  Restart extends keyof Config = never,
  Reload extends keyof Config = never,
>(module: Module<Needs, Given, Restart, Reload>): Module<Needs, Given, Restart, Reload> {
  return module;
}

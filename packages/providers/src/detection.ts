import type { ModelType } from "@model-gateway/domain/operations";

/** Declares an upstream that needs no configuration file: environment variables give its settings. */
export interface EnvironmentDetection {
  /**
   * The settings and their variables. The first required one belongs to this provider alone: if it is set and another
   * is missing, a warning says so.
   */
  readonly settings: Readonly<Record<string, EnvironmentSetting>>;
  /** Variables that, together, do without the required ones, and the settings for them. */
  readonly instead?: {
    readonly variables: readonly string[];
    readonly settings: Readonly<Record<string, string>>;
  };
  /** Groups of variables with credentials that the provider itself reads. One group must be complete. */
  readonly credentials?: readonly (readonly string[])[];
  /** Its models, where only the upstream knows their names. Absent: the current ones of the catalogue. */
  readonly models?: OfferedModels;
}

interface EnvironmentSetting {
  /** The first of these that is set counts. */
  readonly variables: readonly string[];
  readonly isRequired?: true;
  /** The path that follows the address in the variable. */
  readonly path?: string;
}

/** Declares a server that is found on its usual loopback port. */
export interface LoopbackServer {
  /** The name of its upstream. */
  readonly name: string;
  readonly title: string;
  readonly port: number;
  /** A variable with another address. */
  readonly address?: {
    readonly variable: string;
    /** Returns an http or https URL without a path, or undefined for an invalid value. */
    readonly read: (value: string) => string | undefined;
  };
  /** The path of a list of its models. The request is a GET, and costs nothing. */
  readonly listPath: string;
  /** The end of `baseUrl`, after the port. */
  readonly basePath: string;
  /** Reads the list. Undefined if it is another server's. */
  readonly modelsIn: (list: unknown) => OfferedModels | undefined;
}

/** Models by type and by their id for callers. */
export type OfferedModels = { readonly [T in ModelType]?: Readonly<Record<string, OfferedModel>> };

/** The keys of a model in the configuration, besides its type. */
export interface OfferedModel {
  /** Its name at the upstream, if that is not its id. */
  readonly model?: string;
  readonly dimensions?: number;
  readonly matryoshka?: true;
  readonly maxTokens?: number;
  readonly inputType?: string;
  readonly profile?: string | Readonly<Record<string, unknown>>;
  /** Further keys of its target. */
  readonly target?: Readonly<Record<string, unknown>>;
}

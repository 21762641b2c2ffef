import type { ContentCredentialsSetting } from "@model-gateway/domain/content-credentials";
import type { Model, ModelBase, Target } from "@model-gateway/domain/model";
import type { ModelOperation, ModelOperations, ModelType, Schemas } from "@model-gateway/domain/operations";
import type { SettingFault } from "@model-gateway/domain/settings";
import type { Call } from "@model-gateway/providers/call";
import type {
  ListedModel,
  ModelAt,
  Provider,
  ProviderOperations,
  ProviderTraits,
} from "@model-gateway/providers/provider";
import type { z } from "zod";
import type { ModelFile } from "./common-settings.js";

/**
 * Everything about a type of model that follows from its configuration. The rest asks the kind and never compares types.
 * A kind is a folder here and a line in `kinds.ts`; the compiler demands every part of it. `ServedKind` of the gateway has
 * the parts that call a model.
 *
 * The parts are methods, so that one type's kind is assignable to `ModelKind`.
 */
export interface ModelKind<M extends Model = Model, F extends ModelFile = ModelFile> {
  /** The value of `type` in the configuration and in the API. */
  readonly type: M["type"];
  /** The key under which a provider declares its models of this kind. Messages name them by it. */
  readonly trait: keyof ProviderTraits;
  /** The operation that probes call, and whose timeout is the default deadline. */
  readonly mainOperation: Extract<ModelOperations[M["type"]], Schemas["Probe"]["operation"]>;
  /** The body of a first request, without the model. */
  readonly example: Readonly<Record<string, unknown>>;

  /** A model as an operator writes it. */
  readonly settings: z.ZodType<F>;
  /** Finds faults that the schema cannot: between keys of the model, its providers and other models. */
  check(model: RawModel, models: RawModels): SettingFault[];
  /** Whether a model that is not checked yet serves an operation of this kind. */
  supports(model: RawModel, operation: ModelOperation): boolean;
  resolve(file: F, parts: ModelParts<F>): M;

  /** The operations of a model, as callers see them. */
  operationsOf(model: M): readonly Schemas["Model"]["operations"][number][];
  /** The model without anything that would let another target than the chosen one respond. */
  withoutDetours(model: M): M;
  /** The fields that depend on the text matched by a pattern's `*`. */
  derive(template: M, captured: string): Partial<M>;
  /** The fields that an upstream's list tells of a discovered model. */
  readListed(model: M, listed: ListedModel): Partial<M>;
  /**
   * Asks an upstream about a model in its list. Returns the fields from the reply, or undefined for a model of another
   * kind. Absent: models of this kind are only discovered by rules that name the type.
   */
  recognize?(operations: ProviderOperations, call: Call): Promise<Partial<M> | undefined>;
}

/** A model as written in the file, of any shape: the schema may refuse it at the same time. */
export interface RawModel {
  readonly id: string;
  /** Undefined where it is not valid, which is a fault already. */
  readonly type: ModelType | undefined;
  readonly keys: Readonly<Record<string, unknown>>;
  /** Those whose upstream has a provider: other checks report the rest. */
  readonly targets: readonly RawTarget[];
}

export type RawModels = ReadonlyMap<string, RawModel>;

export interface RawTarget extends ModelAt {
  readonly path: readonly PropertyKey[];
  readonly keys: Readonly<Record<string, unknown>>;
  readonly provider: Provider;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The fields of every kind of model, from a file without faults. */
export interface ModelParts<F extends ModelFile> {
  readonly base: ModelBase;
  readonly targets: readonly [TargetParts<F>, ...TargetParts<F>[]];
  /** The default of image models. */
  readonly credentials: ContentCredentialsSetting;
}

export interface TargetParts<F extends ModelFile> {
  readonly file: F["targets"][number];
  readonly target: Target;
  readonly provider: Provider;
  /** The model at its upstream. */
  readonly model: ModelAt;
}

/** As many targets as before: a model has at least one. */
export function mapTargets<T, R>(
  [first, ...others]: readonly [T, ...T[]],
  change: (target: T) => R,
): readonly [R, ...R[]] {
  return [change(first), ...others.map(change)];
}

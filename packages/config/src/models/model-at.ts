import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import type { ModelType } from "@model-gateway/domain/operations";
import type { ModelAt, Provider } from "@model-gateway/providers/provider";

interface AskedModel {
  /** Its name at the upstream. */
  readonly name: string;
  /** Undefined where it is not valid, which is a fault already. */
  readonly type: ModelType | undefined;
  /** The model whose facts hold for it, where the operator has named one. Of any shape: it may not be checked yet. */
  readonly like?: unknown;
  /** Those of its upstream. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A model with the facts that the catalogue has of it. */
export function modelAt(
  provider: Provider,
  { name, type, like, settings = {} }: AskedModel,
  catalogue: Catalogue,
): ModelAt & { readonly settings: Readonly<Record<string, unknown>> } {
  const knownAs = typeof like === "string" ? like : provider.nameInCatalogue?.(name, settings);
  const known = catalogue.traitsOf({ provider: provider.name, model: name, knownAs });
  return { name, type, facts: known?.facts, settings };
}

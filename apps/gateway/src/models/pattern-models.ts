import type { Model, Price, Target } from "../domain/model.js";
import { captureWildcard } from "../domain/wildcard.js";

/** How many derived models are kept. A caller can invent any number of names. */
export const derivedMax = 1000;

/** The price of a target that the configuration gives none; undefined if it is unknown. */
export type PriceOf = (target: Pick<Target, "upstream" | "model">) => Price | undefined;

export interface PatternModelsOptions {
  /** Models whose ids have a `*`. */
  readonly patterns: readonly Model[];
  readonly priceOf: PriceOf;
  /** Called with a derived model that is no longer kept. */
  readonly onForgotten: (model: Model) => void;
}

/** The models behind patterns: each is derived when it is first asked for, and the least recently used are forgotten. */
export class PatternModels {
  readonly #options: PatternModelsOptions;
  /** The longest pattern comes first: it says most about the ids that fit it. */
  readonly #patterns: readonly Model[];
  readonly #derived = new Map<string, Model>();

  constructor(options: PatternModelsOptions) {
    this.#options = options;
    this.#patterns = [...options.patterns].sort((one, other) => other.id.length - one.id.length);
  }

  find(id: string): Model | undefined {
    const known = this.#derived.get(id) ?? this.#derive(id);
    if (known === undefined) return undefined;
    // The last entry of the map is the one that was used last.
    this.#derived.delete(id);
    this.#derived.set(id, known);
    if (this.#derived.size > derivedMax) this.#forgetOldest();
    return known;
  }

  #derive(id: string): Model | undefined {
    for (const pattern of this.#patterns) {
      const captured = captureWildcard(pattern.id, id);
      if (captured === undefined || !isName(captured)) continue;
      const derived = deriveModel(pattern, { id, captured }, this.#options.priceOf);
      return { ...derived, pattern: pattern.id };
    }
    return undefined;
  }

  #forgetOldest(): void {
    for (const [id, model] of this.#derived) {
      this.#derived.delete(id);
      this.#options.onForgotten(model);
      return;
    }
  }
}

/**
 * Whether a text of a caller may become part of an upstream's URL. No model is called `..`, which would lead to another
 * path, or has control characters or half of a surrogate pair. A `*` is not taken: a caller asks for a model, never for
 * a pattern.
 */
function isName(captured: string): boolean {
  return captured !== "." && captured !== ".." && !/[*\p{Cc}\p{Cs}]/u.test(captured);
}

/** A model like the template, with a text in the place of the `*` of each target. */
export function deriveModel(
  template: Model,
  { id, captured }: { readonly id: string; readonly captured: string },
  priceOf: PriceOf,
): Model {
  const targetOf = <T extends Target>(target: T): T => {
    const model = fill(target.model, captured);
    const price = target.price ?? priceOf({ upstream: target.upstream, model });
    return { ...target, model, ...(price === undefined ? {} : { price }) };
  };
  if (template.type === "image") return { ...template, id, targets: mapTargets(template.targets, targetOf) };
  // Two models never share a vector space, also if the operator gave the pattern a name for it.
  const space = template.space.includes("*")
    ? fill(template.space, captured)
    : `${template.space} ${captured}`;
  return { ...template, id, space, targets: mapTargets(template.targets, targetOf) };
}

function fill(pattern: string, captured: string): string {
  // A function, because `$` in a text would have a meaning of its own.
  return pattern.replace("*", () => captured);
}

function mapTargets<T extends Target>(
  [first, ...others]: readonly [T, ...T[]],
  change: (target: T) => T,
): readonly [T, ...T[]] {
  return [change(first), ...others.map(change)];
}

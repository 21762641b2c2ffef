import { mapTargets } from "@model-gateway/config/kinds/kind";
import { kindOf } from "@model-gateway/config/kinds/kinds";
import { type FactsOf, withFacts } from "@model-gateway/config/models/with-facts";
import type { Model, Target } from "@model-gateway/domain/model";
import { captureWildcard } from "@model-gateway/domain/wildcard";

/** Number of derived models kept. A caller can invent any number of names. */
export const derivedMax = 1000;

interface PatternModelsOptions {
  /** Models whose ids have a `*`. */
  readonly patterns: readonly Model[];
  readonly factsOf: FactsOf;
  /** Called with a derived model that is no longer kept. */
  readonly onForgotten: (model: Model) => void;
}

/** The models behind patterns: each is derived on first use, and the least recently used are forgotten. */
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
      const derived = deriveModel(pattern, { id, captured }, this.#options.factsOf);
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
 * Whether a caller's text may become part of an upstream's URL. No model is called `..`, which would lead to another
 * path, or has control characters or half of a surrogate pair. A `*` is not taken: a caller asks for a model, never for
 * a pattern.
 */
function isName(captured: string): boolean {
  return captured !== "." && captured !== ".." && !/[*\p{Cc}\p{Cs}]/u.test(captured);
}

/** A model like the template, with a text in place of each target's `*`. */
export function deriveModel(
  template: Model,
  { id, captured }: { readonly id: string; readonly captured: string },
  factsOf: FactsOf,
): Model {
  const targetOf = (target: Target): Target => {
    // A function, because `$` in a text would have a special meaning.
    const model = target.model.replace("*", () => captured);
    return { ...target, model };
  };
  const targets = mapTargets<Target, Target>(template.targets, targetOf);
  // Each target keeps its keys, and the kind changes only the fields of its models.
  const derived = { ...template, ...kindOf(template).derive(template, captured), id, targets } as Model;
  return withFacts(derived, factsOf);
}

import { BatchTooLargeError } from "../domain/batch-too-large-error.js";
import type { EmbeddingModel, EmbeddingTarget, Target } from "../domain/model.js";
import type { CallLimits } from "./plan-parts.js";

/** How much the targets of a model take in one call: what the operator wrote, and what their refusals have taught. */
export interface BatchLimits {
  of(model: EmbeddingModel): CallLimits;
  /** Whether there was something to learn. */
  learn(failure: unknown, inputCount: number): boolean;
}

export function createBatchLimits(): BatchLimits {
  const learned = new Map<string, CallLimits>();
  const of = (target: EmbeddingTarget): CallLimits => {
    // Most upstreams have never taught anything.
    const known = learned.size === 0 ? undefined : learned.get(keyOf(target));
    return {
      maxInputs: Math.min(target.maxInputs, known?.maxInputs ?? Number.POSITIVE_INFINITY),
      maxTokens: Math.min(target.maxTokensPerRequest, known?.maxTokens ?? Number.POSITIVE_INFINITY),
    };
  };
  return {
    // A part must fit whichever target it is sent to.
    of: ({ targets }) => {
      let maxInputs = Number.POSITIVE_INFINITY;
      let maxTokens = Number.POSITIVE_INFINITY;
      for (const target of targets) {
        const limits = of(target);
        maxInputs = Math.min(maxInputs, limits.maxInputs);
        maxTokens = Math.min(maxTokens, limits.maxTokens);
      }
      return { maxInputs, maxTokens };
    },
    learn(failure, inputCount) {
      if (!(failure instanceof BatchTooLargeError) || failure.target === undefined || inputCount < 2)
        return false;
      const before = of(failure.target);
      const said = failure.limit;
      // A limit that does not make the part smaller teaches nothing, so the part is halved.
      const maxInputs =
        said.maxInputs !== undefined && said.maxInputs < inputCount
          ? Math.max(1, said.maxInputs)
          : Math.ceil(inputCount / 2);
      const isAboutTokens =
        said.maxInputs === undefined && said.maxTokens !== undefined && said.maxTokens < before.maxTokens;
      learned.set(
        keyOf(failure.target),
        isAboutTokens
          ? { ...before, maxTokens: said.maxTokens }
          : { ...before, maxInputs: Math.min(before.maxInputs, maxInputs) },
      );
      return true;
    },
  };
}

function keyOf({ upstream, model }: Target): string {
  return JSON.stringify([upstream, model]);
}

import type { AccessKey } from "../domain/access-key.js";

/** Whether a key may call a model: it has no list of models, or one of the patterns matches. */
export function mayCall({ models }: Pick<AccessKey, "models">, modelId: string): boolean {
  if (models === undefined) return true;
  for (const pattern of models) if (matches(pattern, modelId)) return true;
  return false;
}

/**
 * `*` matches any characters, or none. Backtracking goes to the last star only, so the worst case is the product of both
 * lengths.
 */
function matches(pattern: string, text: string): boolean {
  let patternAt = 0;
  let textAt = 0;
  let star = -1;
  let starTextAt = 0;
  while (textAt < text.length) {
    if (pattern[patternAt] === "*") {
      star = patternAt;
      starTextAt = textAt;
      patternAt += 1;
    } else if (pattern[patternAt] === text[textAt]) {
      patternAt += 1;
      textAt += 1;
    } else if (star !== -1) {
      // The star matches one letter more than before.
      starTextAt += 1;
      textAt = starTextAt;
      patternAt = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[patternAt] === "*") patternAt += 1;
  return patternAt === pattern.length;
}

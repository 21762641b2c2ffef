import type { AccessKey } from "../domain/access-key.js";

/** Whether a key may call a model: one of its patterns must fit, or it has none. */
export function mayCall({ models }: Pick<AccessKey, "models">, modelId: string): boolean {
  if (models === undefined) return true;
  for (const pattern of models) if (fits(pattern, modelId)) return true;
  return false;
}

/**
 * Whether a text fits a pattern in which `*` stands for any letters, none included. It walks along both and goes back to
 * the last star alone, so that the worst pattern takes no longer than both lengths multiplied.
 */
function fits(pattern: string, text: string): boolean {
  let place = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    if (pattern[place] === "*") {
      star = place;
      starAt = at;
      place += 1;
    } else if (pattern[place] === text[at]) {
      place += 1;
      at += 1;
    } else if (star !== -1) {
      // The star takes one letter more than last time.
      starAt += 1;
      at = starAt;
      place = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[place] === "*") place += 1;
  return place === pattern.length;
}

import type { AccessKey } from "./access-key.js";

/** Whether a key may call a model, by the patterns of the key. */
export function mayCall({ models }: Pick<AccessKey, "models">, model: string): boolean {
  return models === undefined || models.some((pattern) => matches(pattern, model));
}

/** `*` stands for any letters, also none. Each star takes as little as it can, so that the time is bounded. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts.shift() ?? "";
  const last = parts.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  let at = first.length;
  if (end < at || !text.startsWith(first) || !text.endsWith(last)) return false;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

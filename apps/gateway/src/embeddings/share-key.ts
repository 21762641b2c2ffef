import type { Input } from "../domain/requests.js";

/** The same for equal inputs; text and tokens are kept apart by their first letter. */
export function shareKey(input: Input): string {
  return typeof input === "string" ? `t${input}` : `n${input.join(",")}`;
}

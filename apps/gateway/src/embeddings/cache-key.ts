import { hash } from "node:crypto";
import type { Input } from "../domain/requests.js";

/** The name of an input's vector: what it was made from, in which space, how wide. Text and tokens never meet. */
export function cacheKey(input: Input, { space, width }: { space: string; width: number }): string {
  const [kind, content] = typeof input === "string" ? ["text", input] : ["tokens", input.join(",")];
  return hash("sha256", JSON.stringify([space, width, kind, content]), "base64url");
}

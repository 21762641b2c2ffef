import type { CacheWishes } from "../../embeddings/input-cache.js";

/** `no-cache`: a fresh answer, which may be kept. `no-store`: neither read nor kept. https://www.rfc-editor.org/rfc/rfc9111 */
export function cacheWishes(cacheControl: string | undefined): CacheWishes {
  if (cacheControl === undefined) return noWishes;
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
  const isPrivate = directives.includes("no-store");
  return { read: !isPrivate && !directives.includes("no-cache"), write: !isPrivate };
}

const noWishes: CacheWishes = Object.freeze({ read: true, write: true });

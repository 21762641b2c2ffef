import type { Schemas } from "../../operations/schemas.js";
import type { Fact } from "../../parts/facts.js";

const words = {
  preserved: "preserved",
  removed: "removed by a conversion",
  none: "none",
} as const satisfies Record<NonNullable<Schemas["RequestRecord"]["content_credentials"]>, string>;

/** Only requests with images have them. */
export function credentialFacts({
  content_credentials: credentials,
}: Pick<Schemas["RequestRecord"], "content_credentials">): Fact[] {
  return credentials === null ? [] : [["Content credentials", words[credentials]]];
}

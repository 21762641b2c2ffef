import type { Schemas } from "../../operations/schemas.js";
import { Badge } from "../../parts/badge.js";

type Outcome = Pick<Schemas["RequestRecord"], "status" | "error_code">;

/** The outcome of a request. */
export function StatusBadge({ request: { status, error_code } }: { readonly request: Outcome }) {
  const tone = status < 400 ? "good" : status < 500 ? "warn" : "bad";
  return (
    <Badge tone={tone}>
      {status}
      {error_code !== null && ` ${error_code}`}
    </Badge>
  );
}

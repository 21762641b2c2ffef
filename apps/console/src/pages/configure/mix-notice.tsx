import { Badge } from "../../parts/badge.js";
import type { MixWarning } from "./targets-to-mix.js";

export function MixNotice({ warning: { isDifferent, text } }: { readonly warning: MixWarning }) {
  return (
    <p role="status">
      {isDifferent ? (
        <Badge tone="bad">Their vectors differ</Badge>
      ) : (
        <Badge tone="warn">Not all targets were compared</Badge>
      )}{" "}
      {text}
    </p>
  );
}

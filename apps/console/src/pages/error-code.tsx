import { Icon } from "../parts/icons.js";
import { gatewayRoot } from "../session/session-client.js";

/** The code, with a link to its page in the docs. Every code has one, except that of a caller that left. */
export function ErrorCode({ code }: { readonly code: string }) {
  if (code === "caller_left") return <code>{code}</code>;
  return (
    <a
      className="mono"
      href={`${gatewayRoot}/docs/errors/${encodeURIComponent(code)}/`}
      target="_blank"
      rel="noopener noreferrer"
    >
      {code}
      <Icon name="external" size={14} />
    </a>
  );
}

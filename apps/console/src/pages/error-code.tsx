import { Icon } from "../parts/icons.js";
import { gatewayRoot } from "../session/session-client.js";

/** The code, with a link to its page in the docs. Every code that callers get has one. */
export function ErrorCode({ code }: { readonly code: string }) {
  if (!isDocumented(code)) return <code>{code}</code>;
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

/** The others are for the ledger alone: a caller that left, and a gateway that ended before the request did. */
export function isDocumented(code: string): boolean {
  return code !== "caller_left" && code !== "gateway_stopped";
}

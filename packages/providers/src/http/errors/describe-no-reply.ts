import type { ConnectFailure } from "../connection/connect-error.js";

/** Why a call had no reply, or no whole one. */
export interface NoReply {
  readonly reason: ConnectFailure | "late" | "closed" | "cut" | "not-http" | "broken";
  /** The code of the cause, such as `ECONNREFUSED`. Empty if it has none. */
  readonly code: string;
  /** The time limit of a call that is late. */
  readonly timeoutMs?: number;
}

/**
 * The one sentence for a failed connection, in every place where it is shown. Callers must not learn where an upstream
 * is, so theirs has no host.
 *
 * @param host The upstream's host and port, without a path or credentials. Operators get it.
 */
export function describeNoReply({ reason, code, timeoutMs = 0 }: NoReply, host?: string): string {
  const upstream = host ?? "the upstream";
  const subject = host ?? "The upstream";
  const cause = code === "" ? "" : ` (${code})`;
  switch (reason) {
    case "timeout":
      return `The connection to ${upstream} timed out.`;
    case "untrusted":
      return `The certificate of ${upstream} cannot be verified${cause}.`;
    case "certificate":
      return `${subject} refused the gateway's client certificate${cause}.`;
    case "proxy":
      return `The proxy failed, or refused the connection to ${upstream}${cause}.`;
    case "proxy-credentials":
      return "The upstream's proxy refused the gateway's credentials.";
    case "unreachable":
      return describeUnreachable(code, host);
    case "late":
      return `${subject} did not reply within ${formatTimeout(timeoutMs)}.`;
    case "closed":
      return `The connection to ${upstream} was closed before a reply.`;
    case "cut":
      return `The connection to ${upstream} was closed before the reply was complete.`;
    case "not-http":
      return `${subject} did not reply in HTTP${cause}.`;
    case "broken":
      return `The connection to ${upstream} failed${cause}.`;
  }
}

function describeUnreachable(code: string, host: string | undefined): string {
  if (code === "ECONNREFUSED") return `Nothing listens at ${host ?? "the upstream's address"}.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `The name ${host?.replace(/:\d+$/, "") ?? "of the upstream"} cannot be resolved (${code}).`;
  const subject = host ?? "The upstream";
  if (/SSL|TLS|EPROTO/.test(code)) return `${subject} does not speak TLS as expected (${code}).`;
  if (code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET")
    return `The connection to ${host ?? "the upstream"} was closed before a reply.`;
  return `${subject} cannot be reached${code === "" ? "" : ` (${code})`}.`;
}

function formatTimeout(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

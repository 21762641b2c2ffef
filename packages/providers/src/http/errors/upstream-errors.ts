import {
  type ErrorCode,
  errorOf,
  GatewayError,
  isCallerError,
  tooManyOpenFiles,
} from "@model-gateway/domain/errors";
import { codeOf } from "@model-gateway/domain/failure-code";
import { ConnectError } from "../connection/connect-error.js";
import { describeNoReply, type NoReply } from "./describe-no-reply.js";
import { quotableMessage, type SentRequest } from "./quotable-message.js";

const timeoutCodes = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);
const closedCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_CLOSED", "UND_ERR_DESTROYED"]);

/** A reply with a status other than 2xx, and the start of its body. */
export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The request, where it is known. Without it, the upstream's message is not kept. */
  readonly sent?: SentRequest;
}

/** An error as a reply reports it. */
export interface ReportedError {
  /** Whose fault it is and whether it is worth a retry. Absent: by the status. */
  readonly code?: ErrorCode | undefined;
  /** Shown to the caller if the error is the caller's mistake, and else to operators if it quotes no request. */
  readonly message?: string | undefined;
  /** The parameter at fault, in the caller's words: `input[3]` is the fourth input. */
  readonly param?: string | undefined;
  /** Delay before a retry, if no header says so. */
  readonly retryAfterMs?: number | undefined;
  /** The upstream's own code or type, for the log. */
  readonly word?: string | undefined;
}

/** Reads an error in the form of one provider. */
export type ReadError = (reply: ErrorReply) => ReportedError;

/** The caller's error for a reply with a status other than 2xx. A caller's mistake keeps the upstream's message. */
export function errorFromReply(reply: ErrorReply, read: ReadError): GatewayError {
  const { status } = reply;
  const reported = read(reply);
  const { param, word } = reported;
  const code = codeOfReply(status, reported.code);
  // The message may quote the prompt or a key, so only the code goes to the log.
  const cause = new Error(`status ${status}, code ${isWord(word) ? word : "none"}`);
  const mayHaveWorked = code === "upstream_error" || code === "upstream_timeout";
  const mustWait = code === "rate_limit_exceeded" || code === "upstream_unavailable";
  const message = messageOf(code, status, reported);
  const says = reply.sent && quotableMessage(reported.message, reply.sent);
  return new GatewayError(code, message, {
    cause,
    upstreamStatus: status,
    recorded: message === reported.message ? describeRefusal(status, word) : undefined,
    forOperators: isCallerError(code) ? undefined : withUpstreamWords(message, word, says),
    nothingBilled: !mayHaveWorked,
    param: isCallerError(code) ? param : undefined,
    retryAfterMs: mustWait
      ? (retryAfterMs(reply.headers) ?? reported.retryAfterMs ?? defaultRetryAfterMs)
      : undefined,
  });
}

/** A caller's mistake is only believed where the upstream refuses the request, and not the gateway or its key. */
function codeOfReply(status: number, reported: ErrorCode | undefined): ErrorCode {
  if (reported !== undefined) return reported;
  switch (status) {
    case 400:
    case 413:
    case 422:
      return "upstream_rejected";
    case 401:
    case 403:
      return "upstream_auth_error";
    case 404:
      return "upstream_model_missing";
    case 402:
      return "insufficient_quota";
    case 429:
      return "rate_limit_exceeded";
    case 408:
    case 504:
    case 524:
      return "upstream_timeout";
    case 503:
    case 529:
      return "upstream_unavailable";
    default:
      return "upstream_error";
  }
}

function messageOf(code: ErrorCode, status: number, { message }: ReportedError): string {
  switch (code) {
    case "upstream_auth_error":
      return "The upstream refused the gateway's own key.";
    case "upstream_model_missing":
      return "The upstream does not have the model that is configured for it.";
    case "insufficient_quota":
      return "The gateway's quota at the upstream is used up.";
    case "rate_limit_exceeded":
      return "The upstream is throttling requests for this model.";
    case "upstream_timeout":
      return `The upstream timed out with status ${status}.`;
    case "upstream_unavailable":
      return "The upstream is overloaded.";
    case "moderation_blocked":
    case "content_policy_violation":
      return message ?? "The upstream refused the content.";
    default:
      if (isCallerError(code)) return message ?? `The upstream refused the request with status ${status}.`;
      return `The upstream failed with status ${status}.`;
  }
}

/** For the ledger, in place of an upstream's message: that may quote the prompt. */
export function describeRefusal(status: number | undefined, word: unknown): string {
  const known = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(isWord(word) ? [`code ${word}`] : []),
  ];
  const facts = known.length === 0 ? "" : ` with ${known.join(" and ")}`;
  return `The upstream refused the request${facts}. Its message may quote the request, so only the caller gets it.`;
}

/** The message with the upstream's own code, and with its message where that may be kept. Undefined if it has neither. */
function withUpstreamWords(message: string, word: unknown, says: string | undefined): string | undefined {
  const code = isWord(word) ? ` (${word})` : "";
  if (code === "" && says === undefined) return undefined;
  const quotation = says === undefined ? "" : ` The upstream says: ${says}`;
  return `${message.replace(/\.$/, "")}${code}.${quotation}`;
}

/** A code, and not a sentence that could quote the request. */
function isWord(word: unknown): word is string {
  return typeof word === "string" && /^[\w.-]{1,64}$/.test(word);
}

export interface CallWithoutReply {
  readonly timedOut: boolean;
  readonly timeoutMs: number;
  readonly isSent: boolean;
  /** Whether the reply had begun. */
  readonly hasBegun: boolean;
  /** The upstream's host and port, for operators. */
  readonly host: string;
}

/** The caller's error for a call without a reply: a timeout, or a connection that was not made or that broke. */
export function errorFromFailure(cause: unknown, call: CallWithoutReply): GatewayError {
  const code = codeOf(cause);
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE")
    return errorOf("upstream_invalid_reply", { reason: "it is too large" }, { cause });
  if (code === "EMFILE" || code === "ENFILE") return tooManyOpenFiles(cause);
  const noReply = explain(cause, call);
  const kind = errorCodes[noReply.reason] ?? "upstream_unavailable";
  return new GatewayError(kind, describeNoReply(noReply), {
    cause,
    forOperators: describeNoReply(noReply, call.host),
    nothingBilled: cause instanceof ConnectError || (noReply.reason === "late" && !call.isSent),
    retryAfterMs: kind === "upstream_unavailable" ? defaultRetryAfterMs : undefined,
  });
}

/** Refused credentials are a fault of the configuration, and do not pass by waiting. */
const errorCodes: Readonly<Partial<Record<NoReply["reason"], ErrorCode>>> = {
  timeout: "upstream_timeout",
  late: "upstream_timeout",
  certificate: "upstream_auth_error",
  "proxy-credentials": "upstream_auth_error",
};

function explain(cause: unknown, { timedOut, timeoutMs, hasBegun }: CallWithoutReply): NoReply {
  if (cause instanceof ConnectError) return cause;
  const code = codeOf(cause);
  if (timedOut || timeoutCodes.has(code)) return { reason: "late", code, timeoutMs };
  if (closedCodes.has(code)) return { reason: hasBegun ? "cut" : "closed", code };
  return { reason: code.startsWith("HPE_") ? "not-http" : "broken", code };
}

const defaultRetryAfterMs = 1000;

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterMs(headers: ErrorReply["headers"]): number | undefined {
  const milliseconds = Number(headers["retry-after-ms"]);
  if (milliseconds > 0) return milliseconds;
  const after = String(headers["retry-after"] ?? "");
  const seconds = Number(after);
  if (seconds > 0) return seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(defaultRetryAfterMs, date - Date.now());
}

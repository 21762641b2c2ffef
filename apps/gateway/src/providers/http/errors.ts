import { isObject } from "../../domain/json.js";
import { type ErrorCode, GatewayError, isCallerError, tooManyOpenFiles } from "../../errors.js";
import { ConnectError, codeOf } from "./connect-error.js";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const messageLengthMax = 2000;
const timeoutCodes = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

/** The caller's error for a reply with a status other than 2xx. A caller's mistake keeps the upstream's message. */
export function errorFromReply(status: number, headers: Headers, body: string): GatewayError {
  const reported = readError(body);
  const callersCode = callerCode(reported.code, reported.type);
  // The message may quote the prompt or a key, so only the code goes to the log.
  const code =
    typeof reported.code === "string" && /^[\w.-]{1,64}$/.test(reported.code) ? reported.code : "none";
  const cause = new Error(`status ${status}, code ${code}`);
  const refused = { cause, nothingBilled: true, upstreamStatus: status };
  const { message, param } = reported;
  const callersMistake = { ...refused, ...(param === undefined ? {} : { param }) };
  // Upstreams use several statuses for content moderation, even that of a refused key.
  if (status >= 400 && status <= 499 && isModeration(callersCode))
    return new GatewayError(callersCode, message ?? "The upstream refused the content.", callersMistake);
  switch (status) {
    case 400:
    case 413:
    case 422:
      return new GatewayError(
        callersCode,
        message ?? `The upstream refused the request with status ${status}.`,
        callersMistake,
      );
    case 401:
    case 403:
      return new GatewayError("upstream_auth_error", "The upstream refused the gateway's own key.", refused);
    case 404:
      return new GatewayError(
        "upstream_model_missing",
        "The upstream does not have the model that is configured for it.",
        refused,
      );
    case 402:
      return quotaExceeded(refused);
    case 429:
      if (reported.code === "insufficient_quota") return quotaExceeded(refused);
      return new GatewayError("rate_limit_exceeded", "The upstream is throttling requests for this model.", {
        ...refused,
        retryAfterMs: retryAfterMs(headers),
      });
    case 408:
    case 504:
    case 524:
      return new GatewayError("upstream_timeout", `The upstream timed out with status ${status}.`, { cause });
    case 503:
    case 529:
      return new GatewayError("upstream_unavailable", "The upstream is overloaded.", {
        ...refused,
        retryAfterMs: retryAfterMs(headers),
      });
    default:
      return new GatewayError("upstream_error", `The upstream failed with status ${status}.`, { cause });
  }
}

function quotaExceeded(options: ConstructorParameters<typeof GatewayError>[2]): GatewayError {
  return new GatewayError("insufficient_quota", "The gateway's quota at the upstream is used up.", options);
}

/** The codes and types that upstreams use for content moderation. */
const moderationCodes = new Set([
  "contentFilter",
  "content_filter",
  "ResponsibleAIPolicyViolation",
  "image_generation_user_error",
]);

function isModeration(code: ErrorCode): boolean {
  return code === "moderation_blocked" || code === "content_policy_violation";
}

/** The code of a caller's mistake: the upstream's own where it is one of ours. */
export function callerCode(code: unknown, type?: unknown): ErrorCode {
  if (isCallerError(code)) return code;
  const isModerated = [code, type].some((word) => typeof word === "string" && moderationCodes.has(word));
  return isModerated ? "moderation_blocked" : "upstream_rejected";
}

/** The caller's error for a call without a reply: a timeout, or a connection that was not made or that broke. */
export function errorFromFailure(
  cause: unknown,
  context: { timedOut: boolean; timeoutMs: number; isSent: boolean },
): GatewayError {
  if (cause instanceof ConnectError) return errorFromConnect(cause);
  const code = codeOf(cause);
  if (context.timedOut || timeoutCodes.has(code)) {
    return new GatewayError(
      "upstream_timeout",
      `The upstream did not reply within ${context.timeoutMs} ms.`,
      { cause, nothingBilled: !context.isSent },
    );
  }
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return new GatewayError("upstream_invalid_answer", "The upstream's reply is too large.", { cause });
  }
  if (code === "EMFILE" || code === "ENFILE") return tooManyOpenFiles(cause);
  return new GatewayError(
    "upstream_unavailable",
    "The upstream cannot be reached, or closed the connection.",
    { cause, retryAfterMs: 1000 },
  );
}

/** Nothing was sent to the upstream. Refused credentials are a fault of the configuration, and do not pass by waiting. */
function errorFromConnect(cause: ConnectError): GatewayError {
  const detail = { cause, nothingBilled: true };
  const unavailable = (message: string): GatewayError =>
    new GatewayError("upstream_unavailable", message, { ...detail, retryAfterMs: 1000 });
  switch (cause.reason) {
    case "timeout":
      return new GatewayError("upstream_timeout", "The connection to the upstream timed out.", detail);
    case "proxy-credentials":
      return new GatewayError(
        "upstream_auth_error",
        "The upstream's proxy refused the gateway's credentials.",
        detail,
      );
    case "certificate":
      return new GatewayError(
        "upstream_auth_error",
        "The upstream refused the gateway's client certificate.",
        detail,
      );
    case "untrusted":
      return unavailable(`The upstream's certificate cannot be verified (${cause.code}).`);
    case "proxy":
      return unavailable(`The upstream's proxy failed or refused the connection (${cause.code}).`);
    case "unreachable":
      return unavailable("The upstream cannot be reached, or closed the connection.");
  }
}

/** Reads OpenAI's error object, and what compatible servers send instead: a flat object, or a text under a key. */
function readError(body: string): { message?: string; code?: unknown; type?: unknown; param?: string } {
  const parsed = parseObject(body);
  const error = isObject(parsed?.error) ? parsed.error : parsed;
  if (error === undefined) return {};
  const message = [error.message, parsed?.error, detailOf(parsed?.detail)].find(
    (text) => typeof text === "string",
  );
  return {
    code: error.code,
    type: error.type,
    ...(typeof message === "string" ? { message: message.slice(0, messageLengthMax) } : {}),
    ...(typeof error.param === "string" ? { param: error.param } : {}),
  };
}

/** FastAPI sends `{"detail": "text"}`, or a list of errors with a `msg` each. */
function detailOf(detail: unknown): unknown {
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  return isObject(first) ? first.msg : first;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function retryAfterMs(headers: Headers): number {
  const milliseconds = Number(headers["retry-after-ms"]);
  if (milliseconds > 0) return milliseconds;
  const after = String(headers["retry-after"] ?? "");
  const seconds = Number(after);
  if (seconds > 0) return seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? 1000 : Math.max(1000, date - Date.now());
}

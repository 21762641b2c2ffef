import { type ErrorCode, GatewayError, isCallerError } from "../../errors.js";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const messageLengthMax = 2000;
const timeoutCodes = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

/** Failures of a connection that was never there: the upstream cannot have begun anything. */
const neverConnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What a status other than 2xx means for the caller. A caller's own mistake keeps the upstream's words. */
export function errorFromReply(status: number, headers: Headers, body: string): GatewayError {
  const said = readError(body);
  // What an upstream says may quote the prompt or a key, so the log gets its code alone.
  const code = typeof said.code === "string" && /^[\w.-]{1,64}$/.test(said.code) ? said.code : "none";
  const cause = new Error(`status ${status}, code ${code}`);
  const refused = { cause, nothingMade: true, upstreamStatus: status };
  switch (status) {
    case 400:
    case 413:
    case 422:
      return new GatewayError(
        callerCode(said.code, said.type),
        said.message ?? `The upstream refused the request with status ${status}.`,
        { ...refused, ...(said.param === undefined ? {} : { param: said.param }) },
      );
    case 401:
    case 403:
      // Some upstreams refuse what an image shows with the status of a refused key.
      if (isModeration(callerCode(said.code, said.type))) {
        return new GatewayError(
          callerCode(said.code, said.type),
          said.message ?? "The upstream refused the content.",
          refused,
        );
      }
      return new GatewayError("upstream_auth_error", "The upstream refused the gateway's own key.", refused);
    case 404:
      return new GatewayError(
        "upstream_model_missing",
        "The upstream does not know the model it should serve.",
        refused,
      );
    case 402:
      return new GatewayError(
        "insufficient_quota",
        "The gateway's quota at the upstream is used up.",
        refused,
      );
    case 429:
      if (said.code === "insufficient_quota") {
        return new GatewayError(
          "insufficient_quota",
          "The gateway's quota at the upstream is used up.",
          refused,
        );
      }
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

/** The names under which upstreams refuse a prompt or an image for what it shows. */
const moderationCodes = new Set([
  "contentFilter",
  "content_filter",
  "ResponsibleAIPolicyViolation",
  "image_generation_user_error",
]);

function isModeration(code: ErrorCode): boolean {
  return code === "moderation_blocked" || code === "content_policy_violation";
}

/** A caller's own mistake keeps the upstream's code where it is one of ours. */
export function callerCode(code: unknown, type?: unknown): ErrorCode {
  if (isCallerError(code)) return code;
  const isModeration = [code, type].some((word) => typeof word === "string" && moderationCodes.has(word));
  return isModeration ? "moderation_blocked" : "upstream_rejected";
}

/** What a failure without an answer means: a timeout, a cut connection or none at all. */
export function errorFromFailure(
  cause: unknown,
  context: { timedOut: boolean; timeoutMs: number },
): GatewayError {
  const code = failureCode(cause);
  if (context.timedOut || timeoutCodes.has(code)) {
    return new GatewayError(
      "upstream_timeout",
      `The upstream did not answer within ${context.timeoutMs} ms.`,
      {
        cause,
        nothingMade: neverConnected.has(code),
      },
    );
  }
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return new GatewayError("upstream_invalid_answer", "The upstream's answer is too large.", { cause });
  }
  return new GatewayError("upstream_unavailable", "The upstream cannot be reached, or cut the connection.", {
    cause,
    nothingMade: neverConnected.has(code),
    retryAfterMs: 1000,
  });
}

function failureCode(failure: unknown): string {
  return failure instanceof Error && "code" in failure ? String(failure.code) : "";
}

/** Reads OpenAI's envelope, and what compatible servers send in its place: a flat object, or a text under a key. */
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

/** FastAPI says `{"detail": "text"}`, or a list of faults with a `msg` each. */
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

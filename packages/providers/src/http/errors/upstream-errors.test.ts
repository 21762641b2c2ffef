import { expect, test } from "vitest";
import { readOpenAiError } from "../../dialects/openai/errors.js";
import { connectErrorOf } from "../connection/connect-error.js";
import {
  type CallWithoutReply,
  type ErrorReply,
  errorFromReply as errorFrom,
  errorFromFailure,
} from "./upstream-errors.js";

const errorFromReply = (status: number, headers: ErrorReply["headers"], body: string) =>
  errorFrom({ status, headers, body }, readOpenAiError);
const openAiBody = (error: object) =>
  JSON.stringify({ error: { message: "m", type: "t", param: null, code: null, ...error } });

test.each([
  [400, "upstream_rejected", 400],
  [401, "upstream_auth_error", 502],
  [402, "insufficient_quota", 429],
  [403, "upstream_auth_error", 502],
  [404, "upstream_model_missing", 502],
  [408, "upstream_timeout", 504],
  [413, "upstream_rejected", 400],
  [422, "upstream_rejected", 400],
  [429, "rate_limit_exceeded", 429],
  [302, "upstream_error", 502],
  [500, "upstream_error", 502],
  [503, "upstream_unavailable", 503],
  [529, "upstream_unavailable", 503],
])("an upstream's %d becomes %s, %d", (status, code, ourStatus) => {
  const error = errorFromReply(status, {}, openAiBody({}));

  expect([error.code, error.status]).toEqual([code, ourStatus]);
});

test("a caller's own mistake keeps the upstream's message, its parameter and a known code", () => {
  const error = errorFromReply(
    400,
    {},
    openAiBody({ message: "Too long.", param: "input", code: "context_length_exceeded" }),
  );

  expect(error.body).toEqual({
    error: {
      message: "Too long.",
      type: "invalid_request_error",
      param: "input",
      code: "context_length_exceeded",
    },
  });
});

test("a flat body, as some servers send it, is read", () => {
  expect(
    errorFromReply(422, {}, '{"message":"batch size 33 > 32","code":422,"type":"Validation"}').message,
  ).toBe("batch size 33 > 32");
});

test.each([
  ['{"error":"too many inputs"}', "too many inputs"],
  ['{"detail":"too many inputs"}', "too many inputs"],
  ['{"detail":[{"loc":["body"],"msg":"too many inputs"}]}', "too many inputs"],
])("the message in %s is read", (body, message) => {
  expect(errorFromReply(422, {}, body).message).toBe(message);
});

test("a body that is not JSON gets a message of ours", () => {
  expect(errorFromReply(400, {}, "<html>").message).toBe("The upstream refused the request with status 400.");
});

test("an exhausted quota is not a rate limit", () => {
  expect(errorFromReply(429, {}, openAiBody({ code: "insufficient_quota" })).code).toBe("insufficient_quota");
});

test.each([
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "soon" }, 1000],
  [{}, 1000],
])("the wait in %j is %d ms", (headers, waitMs) => {
  expect(errorFromReply(429, headers, "").retryAfterMs).toBe(waitMs);
});

test("the message of a refused key never reaches the caller", () => {
  const error = errorFromReply(401, {}, openAiBody({ message: "Incorrect API key provided: sk-secret" }));

  expect(error.message).toBe("The upstream refused the gateway's own key.");
});

test("the ledger gets the status and the code of a refusal, and not the message", () => {
  const messageFor = (status: number, error: object) =>
    errorFromReply(status, {}, openAiBody({ message: "Bad prompt: a red fox", ...error })).recordedMessage;
  const rest = "Its message may quote the request, so only the caller gets it.";

  expect(messageFor(400, { code: "bad_size" })).toBe(
    `The upstream refused the request with status 400 and code bad_size. ${rest}`,
  );
  expect(messageFor(422, { code: "a red fox" })).toBe(
    `The upstream refused the request with status 422. ${rest}`,
  );
  expect(messageFor(403, { code: "content_filter" })).not.toContain("fox");
  expect(messageFor(500, {})).toBe("The upstream failed with status 500.");
  expect(errorFromReply(400, {}, "<html>").recordedMessage).toBe(
    "The upstream refused the request with status 400.",
  );
});

const context = { timedOut: false, timeoutMs: 2500, isSent: true, hasBegun: false, host: "h.example:8443" };
const failureWith = (code: string) => Object.assign(new Error("x"), { code });

test.each([
  ["UND_ERR_HEADERS_TIMEOUT", "upstream_timeout"],
  ["ECONNRESET", "upstream_unavailable"],
  ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "upstream_invalid_reply"],
])("the failure %s becomes %s, and something may have been billed", (code, expected) => {
  const error = errorFromFailure(failureWith(code), context);

  expect([error.code, error.nothingBilled]).toEqual([expected, false]);
});

test.each([true, false])("a timeout says whether something may have been billed: sent %s", (isSent) => {
  const error = errorFromFailure(new Error("x"), { ...context, timedOut: true, isSent });

  expect([error.code, error.nothingBilled]).toEqual(["upstream_timeout", !isSent]);
});

test.each([
  ["UND_ERR_CONNECT_TIMEOUT", "upstream_timeout"],
  ["ETIMEDOUT", "upstream_timeout"],
  ["ECONNREFUSED", "upstream_unavailable"],
  ["ECONNRESET", "upstream_unavailable"],
  ["CERT_HAS_EXPIRED", "upstream_unavailable"],
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "upstream_auth_error"],
])("the failure %s of a connection becomes %s, and nothing was billed", (code, expected) => {
  const error = errorFromFailure(connectErrorOf(failureWith(code)), context);

  expect([error.code, error.nothingBilled]).toEqual([expected, true]);
});

test.each<[Error, Partial<CallWithoutReply>, string, string]>([
  [
    connectErrorOf(failureWith("ECONNREFUSED")),
    {},
    "Nothing listens at the upstream's address.",
    "Nothing listens at h.example:8443.",
  ],
  [
    connectErrorOf(failureWith("ENOTFOUND")),
    {},
    "The name of the upstream cannot be resolved (ENOTFOUND).",
    "The name h.example cannot be resolved (ENOTFOUND).",
  ],
  [
    connectErrorOf(failureWith("UND_ERR_CONNECT_TIMEOUT")),
    {},
    "The connection to the upstream timed out.",
    "The connection to h.example:8443 timed out.",
  ],
  [
    connectErrorOf(failureWith("CERT_HAS_EXPIRED")),
    {},
    "The certificate of the upstream cannot be verified (CERT_HAS_EXPIRED).",
    "The certificate of h.example:8443 cannot be verified (CERT_HAS_EXPIRED).",
  ],
  [
    connectErrorOf(failureWith("EPROTO")),
    {},
    "The upstream does not speak TLS as expected (EPROTO).",
    "h.example:8443 does not speak TLS as expected (EPROTO).",
  ],
  [
    failureWith("ECONNRESET"),
    {},
    "The connection to the upstream was closed before a reply.",
    "The connection to h.example:8443 was closed before a reply.",
  ],
  [
    failureWith("UND_ERR_SOCKET"),
    { hasBegun: true },
    "The connection to the upstream was closed before the reply was complete.",
    "The connection to h.example:8443 was closed before the reply was complete.",
  ],
  [
    failureWith("HPE_INVALID_CONSTANT"),
    {},
    "The upstream did not reply in HTTP (HPE_INVALID_CONSTANT).",
    "h.example:8443 did not reply in HTTP (HPE_INVALID_CONSTANT).",
  ],
  [
    new Error("x"),
    { timedOut: true },
    "The upstream did not reply within 2.5 s.",
    "h.example:8443 did not reply within 2.5 s.",
  ],
])("the host of a failed call is for operators alone: %s", (failure, more, message, forOperators) => {
  const error = errorFromFailure(failure, { ...context, ...more });

  expect([error.body.error.message, error.recordedMessage, error.operatorMessage]).toEqual([
    message,
    message,
    forOperators,
  ]);
});

test("operators get the upstream's code and message where these quote no request, and callers never", () => {
  const sent = { body: JSON.stringify({ model: "m", input: "a red fox" }), model: "m" };
  const errorFor = (status: number, error: object) =>
    errorFrom({ status, headers: {}, body: openAiBody(error), sent }, readOpenAiError);
  const texts = (status: number, error: object) => {
    const { message, operatorMessage } = errorFor(status, error);
    return [message, operatorMessage];
  };

  expect(texts(401, { message: "Incorrect API key provided.", code: "invalid_api_key" })).toEqual([
    "The upstream refused the gateway's own key.",
    "The upstream refused the gateway's own key (invalid_api_key). The upstream says: Incorrect API key provided.",
  ]);
  expect(texts(500, { message: "CUDA out of memory", type: "t" })).toEqual([
    "The upstream failed with status 500.",
    expect.stringMatching(/ The upstream says: CUDA out of memory$/),
  ]);
  expect(texts(500, { message: "Cannot embed: a red fox" })[1]).not.toContain("fox");
  expect(errorFor(400, { message: "Too long." }).forOperators).toBeUndefined();
});

test.each([400, 401, 403, 409, 422, 451])(
  "content moderation with status %d is a content refusal, and not an upstream failure",
  (status) => {
    const error = errorFromReply(status, {}, openAiBody({ code: "content_filter", param: "prompt" }));

    expect([error.code, error.status, error.param, error.nothingBilled]).toEqual([
      "moderation_blocked",
      400,
      "prompt",
      true,
    ]);
  },
);

test.each([
  [["body", "input"], "input"],
  [["body", "input", 3], "input[3]"],
  [["body", "input", 3, "str"], "input[3]"],
  [["body", "options", "size"], "options.size"],
])("the field %j of a FastAPI server becomes the parameter %s", (loc, param) => {
  const error = errorFromReply(422, {}, JSON.stringify({ detail: [{ loc, msg: "Bad.", type: "x" }] }));

  expect([error.code, error.message, error.param]).toEqual(["upstream_rejected", "Bad.", param]);
});

test.each([[["body"]], ["body.input"], [["body", { a: 1 }]], [["body", "a b"]]])(
  "the field %j names no parameter",
  (loc) => {
    const error = errorFromReply(422, {}, JSON.stringify({ detail: [{ loc, msg: "Bad." }] }));

    expect(error.param).toBeNull();
  },
);

test("a provider attributes an error, and sets the retry delay and the log's detail", () => {
  const read = () =>
    ({
      code: "rate_limit_exceeded",
      message: "secret",
      param: "input",
      retryAfterMs: 1500,
      word: "slow_down",
    }) as const;

  const error = errorFrom({ status: 400, headers: {}, body: "" }, read);
  const hinted = errorFrom({ status: 400, headers: { "retry-after": "60" }, body: "" }, read);

  expect(error).toMatchObject({ retryAfterMs: 1500, param: null, nothingBilled: true });
  expect(hinted).toMatchObject({ retryAfterMs: 60_000 });
  expect(error.message).not.toContain("secret");
  expect(String(error.cause)).toBe("Error: status 400, code slow_down");
});

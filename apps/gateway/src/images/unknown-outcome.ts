import { errorTable, GatewayError } from "../errors.js";

/**
 * A failure that does not say whether pictures were made, and paid for. The error says so, and tells clients that retry
 * by themselves not to: buying again is for people to decide.
 */
export function withOutcome(failure: unknown, signal: AbortSignal): unknown {
  // Who has left reads no answer; who only allows less time reads this one, and would buy again.
  if (signal.aborted && !(failure instanceof GatewayError)) return failure;
  // A fault of our own after the upstream was asked; what it is, is for the log.
  if (!(failure instanceof GatewayError)) {
    return new GatewayError(
      "internal_error",
      "The gateway had an error. Whether the pictures were made is not known.",
      {
        cause: failure,
        headers: { "x-should-retry": "false" },
      },
    );
  }
  if (isCertain(failure) || failure.headers["x-should-retry"] !== undefined) return failure;
  const error = new GatewayError(
    failure.code,
    `${failure.message} Whether the pictures were made is not known.`,
    {
      cause: failure.cause,
      headers: { "x-should-retry": "false" },
    },
  );
  return Object.assign(error, { upstream: failure.upstream, attempts: failure.attempts });
}

/** Whether a failure says that nothing was made. Without one that says so, it may have been, and is paid for. */
export function isCertain(failure: unknown): boolean {
  return (
    failure instanceof GatewayError && (failure.nothingMade || errorTable[failure.code].retry === "never")
  );
}

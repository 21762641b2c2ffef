import { errorTable, GatewayError } from "../errors.js";

/**
 * A failure that does not say whether pictures were made, and paid for. The error says so, and tells clients that retry
 * by themselves not to: buying again is for people to decide.
 */
export function withOutcome(failure: unknown): unknown {
  if (!(failure instanceof GatewayError) || failure.nothingMade || errorTable[failure.code].retry === "never")
    return failure;
  const error = new GatewayError(
    failure.code,
    `${failure.message} Whether the pictures were made is not known.`,
    {
      cause: failure.cause,
      headers: { "x-should-retry": "false" },
    },
  );
  error.upstream = failure.upstream;
  return error;
}

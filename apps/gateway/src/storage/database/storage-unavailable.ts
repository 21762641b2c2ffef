import { GatewayError } from "../../errors.js";

const retryAfterMs = 1000;

/** The failure of a database that can not be reached or is too busy at the moment; why is for the log alone. */
export function storageUnavailable(cause: unknown): GatewayError {
  return new GatewayError(
    "storage_unavailable",
    "The gateway's database can not be reached at the moment. Try again in a moment.",
    { cause, retryAfterMs },
  );
}

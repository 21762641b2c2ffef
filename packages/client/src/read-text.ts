import { readFault, unexpectedAnswer } from "./gateway-fault.js";
import type { Exchange } from "./read-answer.js";
import { fail, type Result, succeed } from "./result.js";

/** Reads an answer that is a text of a certain type. A 200 that holds something else is a failure. */
export function readText(contentType: string, { data, error, response }: Exchange): Result<string> {
  if (!response.ok) return fail(response, readFault(error, response));
  const isOfType = response.headers.get("content-type")?.split(";")[0]?.trim() === contentType;
  if (!isOfType || typeof data !== "string") return fail(response, unexpectedAnswer(response, data));
  return succeed(response, data);
}

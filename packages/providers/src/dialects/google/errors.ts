import { isObject, listAt } from "@model-gateway/runtime/json";
import { parseObject, textOf } from "../../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../../http/errors/upstream-errors.js";

/** Google's error object, with a list of typed details. https://google.aip.dev/193 */
export function readGoogleError({ status, body }: ErrorReply): ReportedError {
  const { error } = parseObject(body) ?? {};
  if (!isObject(error)) return {};
  const details = listAt(error, "details").filter(isObject);
  const message = textOf(error.message);
  const reported: ReportedError = { message, word: textOf(error.status) };
  // A wrong key is a 400, and so is a project that may not use the API at all.
  const isKeyRefused = details.some(({ reason }) => typeof reason === "string" && /^API_KEY_/.test(reason));
  if (isKeyRefused || (status === 400 && error.status === "FAILED_PRECONDITION"))
    return { ...reported, code: "upstream_auth_error" };
  if (status === 429) return { ...reported, ...readDelay(details) };
  if (status !== 400) return reported;
  if (/token count (?:is |of )?\(?\d+\)? (?:but|exceeds)/i.test(message ?? ""))
    return { ...reported, code: "context_length_exceeded", param: "input" };
  return { ...reported, param: paramOf(details, message ?? "") };
}

/** `RetryInfo` has a duration such as `12.5s`. */
function readDelay(details: readonly Record<string, unknown>[]): Pick<ReportedError, "retryAfterMs"> {
  for (const { retryDelay } of details) {
    const seconds = Number(/^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(String(retryDelay))?.[1]);
    if (seconds > 0) return { retryAfterMs: Math.ceil(seconds * 1000) };
  }
  return {};
}

/** The caller's names of fields, which may be written in either case. */
const callersNames: readonly (readonly [RegExp, string])[] = [
  [/output_?dimensionality/i, "dimensions"],
  [/task_?type/i, "input_type"],
  [/image_?config/i, "size"],
  [/^contents/i, "prompt"],
];

/** The field at fault is in a detail, or in the message: `Invalid value at 'requests[0].task_type'`. */
function paramOf(details: readonly Record<string, unknown>[], message: string): string | undefined {
  const [violation] = details.flatMap((detail) => listAt(detail, "fieldViolations")).filter(isObject);
  const quoted = /'([\w.[\]]{1,200})'/.exec(message)?.[1];
  const field = typeof violation?.field === "string" ? violation.field : (quoted ?? "");
  const named = callersNames.find(([pattern]) => pattern.test(field));
  if (named !== undefined) return named[1];
  const index = /^(?:requests|instances)\[(\d{1,5})\]/.exec(field)?.[1];
  return index === undefined ? undefined : `input[${index}]`;
}

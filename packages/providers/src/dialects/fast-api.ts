import { isObject } from "@model-gateway/runtime/json";
import { type ParamNames, renameParam, textOf } from "../http/errors/read-error.js";
import type { ReportedError } from "../http/errors/upstream-errors.js";

/** FastAPI sends `{"detail": "text"}`, or a list of errors, each with a field path and a `msg`. */
export function readFastApiDetail(
  detail: unknown,
  names: ParamNames = {},
): Pick<ReportedError, "message" | "param"> {
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  if (!isObject(first)) return { message: textOf(first) };
  return { message: textOf(first.msg), param: renameParam(pathOf(first.loc), names) };
}

/** `["body", "input", 3, "str"]` becomes `input[3]`: words after an index are branches of a union. */
function pathOf(location: unknown): string | undefined {
  if (!Array.isArray(location)) return undefined;
  let path = "";
  for (const step of location[0] === "body" ? location.slice(1) : location) {
    if (typeof step === "number") return `${path}[${step}]`;
    if (typeof step !== "string" || !/^\w{1,64}$/.test(step)) return path || undefined;
    path = path === "" ? step : `${path}.${step}`;
  }
  return path || undefined;
}

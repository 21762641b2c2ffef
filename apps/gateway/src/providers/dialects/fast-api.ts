import { isObject } from "../../domain/json.js";
import { clip } from "../http/errors/read-error.js";
import type { ReportedError } from "../http/errors/upstream-errors.js";

/** FastAPI sends `{"detail": "text"}`, or a list of errors with the path of a field and a `msg` each. */
export function readFastApiDetail(detail: unknown): Pick<ReportedError, "message" | "param"> {
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  if (typeof first === "string") return { message: clip(first) };
  if (!isObject(first)) return {};
  const param = pathOf(first.loc);
  return {
    ...(typeof first.msg === "string" ? { message: clip(first.msg) } : {}),
    ...(param === "" ? {} : { param }),
  };
}

/** `["body", "input", 3, "str"]` becomes `input[3]`: words after an index are branches of a union. */
function pathOf(location: unknown): string {
  if (!Array.isArray(location)) return "";
  let path = "";
  for (const step of location[0] === "body" ? location.slice(1) : location) {
    if (typeof step === "number") return `${path}[${step}]`;
    if (typeof step !== "string" || !/^\w{1,64}$/.test(step)) return path;
    path = path === "" ? step : `${path}.${step}`;
  }
  return path;
}

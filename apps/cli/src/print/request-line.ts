import type { components } from "@model-gateway/client";
import { clockOfSeconds, money } from "./figures.js";
import type { TableCell } from "./table.js";

/** One request as the cells of a line: when, how it ended, what it asked for, what it took, whose key it had, and why it failed. */
export function requestCells(request: components["schemas"]["RequestRecord"], now: Date): TableCell[] {
  const { created_at, status, operation, model, upstream, duration_ms, cost_usd, key_name, cache } = request;
  return [
    { text: clockOfSeconds(created_at, now), tone: "faint" },
    { text: String(status), tone: status < 400 ? "good" : "bad" },
    operation,
    model ?? "-",
    upstream ?? (cache === "hit" ? "cache" : "-"),
    request.error_code ?? usageOf(request),
    `${duration_ms < 10 ? duration_ms.toFixed(1) : duration_ms.toFixed(0)} ms`,
    cost_usd === null ? "-" : money(cost_usd),
    key_name,
    request.failure?.message ?? "",
  ];
}

function usageOf({
  images,
  input_tokens,
  tokens_estimated,
}: Pick<components["schemas"]["RequestRecord"], "images" | "input_tokens" | "tokens_estimated">): string {
  if (images > 0) return `${images} image${images === 1 ? "" : "s"}`;
  return `${tokens_estimated ? "~" : ""}${input_tokens} tokens`;
}

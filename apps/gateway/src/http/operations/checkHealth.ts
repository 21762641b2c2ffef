import type { Handler } from "../handler.js";

export function checkHealth(): Handler<"checkHealth"> {
  return async () => ({ body: { status: "ok" } });
}

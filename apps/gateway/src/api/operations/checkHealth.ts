import type { Handler } from "../../execution/handler.js";

export function checkHealth(): Handler<"checkHealth"> {
  return async () => ({ body: { status: "ok" } });
}

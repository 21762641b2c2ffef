import type { Catalog } from "../../catalog.js";
import type { Handler } from "./handler.js";

/** @param isStopping Whether the gateway has been told to stop. */
export function checkReadiness(catalog: Catalog, isStopping: () => boolean): Handler<"checkReadiness"> {
  return async () => {
    const models = catalog.list();
    const ready = models.filter((model) => model.status === "ready").length;
    const status = isStopping() ? "stopping" : ready > 0 ? "ready" : "unavailable";
    const body = { status, models: { total: models.length, ready } } as const;
    return status === "ready" ? { body } : { status: 503, headers: { "retry-after": "5" }, body };
  };
}

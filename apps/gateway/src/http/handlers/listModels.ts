import type { Catalog } from "../../catalog.js";
import type { Handler } from "./handler.js";

export function listModels(catalog: Catalog): Handler<"listModels"> {
  return async () => ({ body: { object: "list", data: catalog.list() } });
}

import type { Catalog } from "../../catalog.js";
import type { Handler } from "../../handler.js";
import { listAllowed } from "../listModels.js";

export function listAzureDeploymentModels(catalog: Catalog): Handler<"listAzureDeploymentModels"> {
  return async ({ context: { key } }) => ({ body: { object: "list", data: listAllowed(catalog, key) } });
}

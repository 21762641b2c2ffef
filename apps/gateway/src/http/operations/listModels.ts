import { mayCall } from "../../keys/may-call.js";
import type { Catalog } from "../catalog.js";
import type { Handler } from "../handler.js";

export function listModels(catalog: Catalog): Handler<"listModels"> {
  return async ({ context: { key } }) => {
    const models = catalog.list();
    return {
      body: { object: "list", data: key ? models.filter(({ id }) => mayCall(key, id)) : models },
    };
  };
}

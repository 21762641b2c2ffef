import type { Handler } from "../handler.js";
import { describeKey, type KeyHandlerServices, keyNotFound } from "../schemas/AccessKey.js";

export function retrieveKey(services: KeyHandlerServices): Handler<"retrieveKey"> {
  return async ({ parameters: { key: id } }) => {
    const key = await services.keys.find(id);
    if (key === undefined) throw keyNotFound(id);
    return { body: await describeKey(key, services) };
  };
}

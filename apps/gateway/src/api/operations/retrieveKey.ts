import type { Handler } from "../../execution/handler.js";
import { describeKey, findKey, type KeyHandlerServices, keyNotFound } from "../documents/AccessKey.js";

export function retrieveKey(services: KeyHandlerServices): Handler<"retrieveKey"> {
  return async ({ parameters: { key: id } }) => {
    const key = await findKey(id, services);
    if (key === undefined) throw keyNotFound(id);
    return { body: await describeKey(key, services) };
  };
}

import type { Handler } from "../handler.js";
import { describeKey, type KeyHandlerServices, keyNotFound } from "../schemas/AccessKey.js";

export function retrieveKey({ keys, now }: KeyHandlerServices): Handler<"retrieveKey"> {
  return async ({ parameters: { key: id } }) => {
    const key = await keys.find(id);
    if (key === undefined) throw keyNotFound(id);
    return { body: describeKey(key, now()) };
  };
}

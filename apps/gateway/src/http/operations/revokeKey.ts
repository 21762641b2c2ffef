import type { Handler } from "../handler.js";
import { describeKey, type KeyHandlerServices, keyNotFound } from "../schemas/AccessKey.js";

export function revokeKey({ keys, now }: KeyHandlerServices): Handler<"revokeKey"> {
  return async ({ parameters: { key: id } }) => {
    const key = await keys.revoke(id);
    if (key === undefined) throw keyNotFound(id);
    return { body: describeKey(key, now()) };
  };
}

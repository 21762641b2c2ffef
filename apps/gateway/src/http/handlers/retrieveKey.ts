import type { Handler } from "./handler.js";
import { describeKey, keyNotFound } from "./key-body.js";
import type { KeyHandlerNeeds } from "./key-handler-needs.js";

export function retrieveKey({ keys, now }: KeyHandlerNeeds): Handler<"retrieveKey"> {
  return async ({ parameters: { key: id } }) => {
    const key = await keys.find(id);
    if (key === undefined) throw keyNotFound(id);
    return { body: describeKey(key, now()) };
  };
}

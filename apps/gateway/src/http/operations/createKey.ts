import { type Handler, withoutNulls } from "../handler.js";
import { describeNewKey, type KeyHandlerServices, readChanges } from "../schemas/AccessKey.js";
import { changeLimits } from "../schemas/UsageLimits.js";

export function createKey({ keys, now }: KeyHandlerServices): Handler<"createKey"> {
  return async ({ body: { limits, ...body } }) => {
    const { key, text } = await keys.create({
      name: body.name,
      isDisabled: false,
      ...withoutNulls(readChanges(body, now())),
      limits: changeLimits({}, limits ?? null),
    });
    return { body: { ...describeNewKey(key, now()), value: text } };
  };
}

import type { Handler } from "./handler.js";
import { describeKey, readChanges } from "./key-body.js";
import type { KeyHandlerNeeds } from "./key-handler-needs.js";
import { changeLimits } from "./usage-limits.js";
import { withoutNulls } from "./without-nulls.js";

export function createKey({ keys, now }: KeyHandlerNeeds): Handler<"createKey"> {
  return async ({ body: { limits, ...body } }) => {
    const { key, text } = await keys.create({
      name: body.name,
      isDisabled: false,
      ...withoutNulls(readChanges(body, now())),
      limits: changeLimits({}, limits ?? null),
    });
    return { body: { ...describeKey(key, now()), value: text } };
  };
}

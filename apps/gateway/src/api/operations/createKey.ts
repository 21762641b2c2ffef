import { type Handler, withoutNulls } from "../../execution/handler.js";
import { describeNewKey, type KeyHandlerServices, readChanges } from "../documents/AccessKey.js";
import { changeLimits } from "../documents/UsageLimits.js";

export function createKey({ keys, now, auditKey }: KeyHandlerServices): Handler<"createKey"> {
  return async ({ body: { limits, ...body }, context }) => {
    const { key, text } = await keys.create({
      name: body.name,
      isDisabled: false,
      ...withoutNulls(readChanges(body, now())),
      limits: changeLimits({}, limits ?? null),
    });
    auditKey({ operation: "createKey", keyId: key.id, context });
    return { body: { ...describeNewKey(key, now()), value: text } };
  };
}

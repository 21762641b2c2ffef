import type { Handler } from "../../execution/handler.js";
import {
  changeable,
  describeKey,
  type KeyHandlerServices,
  readChanges,
  refuseFileKey,
} from "../documents/AccessKey.js";
import { changeLimits } from "../documents/UsageLimits.js";

export function changeKey(services: KeyHandlerServices): Handler<"changeKey"> {
  const { keys, fileKeys, now, auditKey } = services;
  return async ({ parameters: { key: id }, body: { limits, ...body }, context }) => {
    const changes = readChanges(body, now());
    refuseFileKey(id, fileKeys);
    const before = changeable(await keys.find(id), id);
    // The limits are stored as one value: of two concurrent changes, the later one replaces all limits.
    const changed = await keys.change(id, {
      ...changes,
      ...(limits === undefined ? {} : { limits: changeLimits(before.limits, limits) }),
    });
    const key = changeable(changed, id);
    auditKey({ operation: "changeKey", keyId: id, context });
    return { body: await describeKey({ source: "database", key }, services) };
  };
}

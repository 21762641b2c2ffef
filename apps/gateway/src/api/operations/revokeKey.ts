import type { Handler } from "../../execution/handler.js";
import { describeKey, type KeyHandlerServices, keyNotFound, refuseFileKey } from "../documents/AccessKey.js";

export function revokeKey(services: KeyHandlerServices): Handler<"revokeKey"> {
  return async ({ parameters: { key: id }, context }) => {
    refuseFileKey(id, services.fileKeys);
    const key = await services.keys.revoke(id);
    if (key === undefined) throw keyNotFound(id);
    services.auditKey({ operation: "revokeKey", keyId: id, context });
    return { body: await describeKey({ source: "database", key }, services) };
  };
}

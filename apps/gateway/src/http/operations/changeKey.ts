import { errorOf } from "../../errors.js";
import type { StoredKey } from "../../keys/key-store.js";
import type { Handler } from "../handler.js";
import {
  describeKey,
  type KeyHandlerServices,
  keyNotFound,
  readChanges,
  refuseFileKey,
} from "../schemas/AccessKey.js";
import { changeLimits } from "../schemas/UsageLimits.js";

export function changeKey(services: KeyHandlerServices): Handler<"changeKey"> {
  const { keys, fileKeys, now } = services;
  return async ({ parameters: { key: id }, body: { limits, ...body } }) => {
    const changes = readChanges(body, now());
    refuseFileKey(id, fileKeys);
    const before = changeable(await keys.find(id), id);
    // The limits are stored as one value: of two concurrent changes, the later one replaces all limits.
    const changed = await keys.change(id, {
      ...changes,
      ...(limits === undefined ? {} : { limits: changeLimits(before.limits, limits) }),
    });
    return { body: await describeKey({ source: "database", key: changeable(changed, id) }, services) };
  };
}

function changeable(key: StoredKey | undefined, id: string): StoredKey {
  if (key === undefined) throw keyNotFound(id);
  if (key.revokedAt === undefined) return key;
  throw errorOf("key_revoked", { key: id }, { param: "key" });
}

import { GatewayError } from "../../errors.js";
import type { StoredKey } from "../../keys/key-store.js";
import type { Handler } from "../handler.js";
import { describeKey, type KeyHandlerNeeds, keyNotFound, readChanges } from "../schemas/AccessKey.js";
import { changeLimits } from "../schemas/UsageLimits.js";

export function changeKey({ keys, now }: KeyHandlerNeeds): Handler<"changeKey"> {
  return async ({ parameters: { key: id }, body: { limits, ...body } }) => {
    const changes = readChanges(body, now());
    const before = usable(await keys.find(id), id);
    // The limits are kept together; of two who change them at once the later one has the last word on all.
    const changed = await keys.change(id, {
      ...changes,
      ...(limits === undefined ? {} : { limits: changeLimits(before.limits, limits) }),
    });
    return { body: describeKey(usable(changed, id), now()) };
  };
}

function usable(key: StoredKey | undefined, id: string): StoredKey {
  if (key === undefined) throw keyNotFound(id);
  if (key.revokedAt === undefined) return key;
  throw new GatewayError("key_revoked", `The key \`${id}\` was revoked; it cannot be changed any more.`, {
    param: "key",
  });
}

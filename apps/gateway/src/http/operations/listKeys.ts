import type { Handler } from "../handler.js";
import { describeKey, type KeyHandlerServices } from "../schemas/AccessKey.js";

export function listKeys({ keys, now }: KeyHandlerServices): Handler<"listKeys"> {
  return async ({ query: { limit = 100, cursor } }) => {
    const { items, nextCursor } = await keys.list({ limit, ...(cursor === undefined ? {} : { cursor }) });
    const at = now();
    return {
      body: {
        object: "list",
        data: items.map((key) => describeKey(key, at)),
        next_cursor: nextCursor ?? null,
      },
    };
  };
}

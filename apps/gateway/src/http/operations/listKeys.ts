import type { Handler } from "../handler.js";
import { describeKeys, type KeyHandlerServices } from "../schemas/AccessKey.js";

export function listKeys(services: KeyHandlerServices): Handler<"listKeys"> {
  return async ({ query: { limit = 100, cursor } }) => {
    const { items, nextCursor } = await services.keys.list({
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    return {
      body: {
        object: "list",
        data: await describeKeys(items, services),
        next_cursor: nextCursor ?? null,
      },
    };
  };
}

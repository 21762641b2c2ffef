import { errorOf } from "@model-gateway/domain/errors";
import type { Handler } from "../../../execution/handler.js";
import { kindOf } from "../../../files/file-store.js";
import { describeFile, type FileHandlerServices, fileViewerOf } from "../../documents/FileObject.js";

/** As the spec says. */
const limitDefault = 10_000;

export function listFiles({ files }: FileHandlerServices): Handler<"listFiles"> {
  return async ({ query, context }) => {
    const { purpose, order = "desc", limit = limitDefault, after } = query;
    if (after !== undefined && kindOf(after) !== "file")
      throw errorOf("invalid_value", { param: "after", reason: "pass the `last_id` of a page of this list" });
    const { items, hasMore } = await files.list({ purpose, order, limit, after }, fileViewerOf(context));
    return {
      body: {
        object: "list",
        data: items.map(describeFile),
        first_id: items[0]?.id ?? null,
        last_id: items.at(-1)?.id ?? null,
        has_more: hasMore,
      },
    };
  };
}

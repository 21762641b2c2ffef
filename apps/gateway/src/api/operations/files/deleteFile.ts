import type { Handler } from "../../../execution/handler.js";
import { type FileHandlerServices, fileViewerOf } from "../../documents/FileObject.js";

export function deleteFile({ files }: FileHandlerServices): Handler<"deleteFile"> {
  return async ({ parameters: { file: id }, context }) => {
    await files.delete(id, fileViewerOf(context));
    return { body: { id, object: "file", deleted: true } };
  };
}

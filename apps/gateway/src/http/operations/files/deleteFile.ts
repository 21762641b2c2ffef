import type { Handler } from "../../handler.js";
import { type FileHandlerServices, fileOwnerOf } from "../../schemas/FileObject.js";

export function deleteFile({ files }: FileHandlerServices): Handler<"deleteFile"> {
  return async ({ parameters: { file: id }, context }) => {
    await files.delete(id, fileOwnerOf(context));
    return { body: { id, object: "file", deleted: true } };
  };
}

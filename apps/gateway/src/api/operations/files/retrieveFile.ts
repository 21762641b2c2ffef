import type { Handler } from "../../../execution/handler.js";
import { describeFile, type FileHandlerServices, fileViewerOf } from "../../documents/FileObject.js";

export function retrieveFile({ files }: FileHandlerServices): Handler<"retrieveFile"> {
  return async ({ parameters: { file: id }, context }) => ({
    body: describeFile(await files.retrieve(id, fileViewerOf(context))),
  });
}

import { errorOf } from "@model-gateway/domain/errors";
import type { Handler } from "../../../execution/handler.js";
import { describeFile } from "../../documents/FileObject.js";

/** The bytes have arrived with the form. They become a file here. */
export function uploadFile(): Handler<"uploadFile"> {
  return async ({ body: { purpose, expires_after: expiry }, file }) => {
    if (file === undefined) throw errorOf("missing_required_parameter", { param: "file" });
    const { filename, upload } = file;
    const expiresAt = expiry && upload.createdAt + expiry.seconds * 1000;
    return { body: describeFile(await upload.finish({ filename, purpose, expiresAt })) };
  };
}

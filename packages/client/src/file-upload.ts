import type { components } from "./spec.js";

/** A file to store. */
export interface FileUpload extends Omit<SpecForm, "file"> {
  /** Its name ends in `.jsonl`. A `Blob` without a name is sent as `requests.jsonl`. */
  readonly file: Blob;
}

type SpecForm = components["schemas"]["UploadFileForm"];

/** The fields come before the file, so that a bad one is known early. */
export function serializeUpload({ file, purpose, expires_after: expiry }: FileUpload): FormData {
  const parts = new FormData();
  parts.append("purpose", purpose);
  if (expiry !== undefined) {
    parts.append("expires_after[anchor]", expiry.anchor);
    parts.append("expires_after[seconds]", String(expiry.seconds));
  }
  parts.append("file", file, file instanceof File ? file.name : "requests.jsonl");
  return parts;
}

import type { Schemas } from "@model-gateway/domain/operations";
import { type Viewer, viewerOf } from "@model-gateway/domain/record-owner";
import type { RequestContext } from "../../execution/request-context.js";
import type { FileRecord } from "../../files/file-index.js";
import type { FileService } from "../../files/file-service.js";

export interface FileHandlerServices {
  /** Files of callers. */
  readonly files: FileService;
}

/** The admin key and the sessions of operators use the files of all keys. */
export function fileViewerOf({ key, session }: Pick<RequestContext, "key" | "session">): Viewer {
  return key === undefined || session?.kind === "operator" ? "operator" : viewerOf(key);
}

export function describeFile(record: FileRecord): Schemas["FileObject"] {
  const { id, bytes, createdAt, expiresAt, filename, purpose } = record;
  return {
    id,
    object: "file",
    bytes,
    created_at: Math.floor(createdAt / 1000),
    expires_at: Math.floor(expiresAt / 1000),
    filename,
    purpose,
    status: "processed",
  };
}

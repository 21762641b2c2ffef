import type { Client } from "openapi-fetch";
import { serializeUpload } from "./file-upload.js";
import { iterateList } from "./iterate-list.js";
import type { PlainClient } from "./plain-client.js";
import { asBlob, asText } from "./request-options.js";
import { readBlob, readDocument } from "./responses/read-response.js";
import type { paths } from "./spec.js";

type FileOperationId =
  | "uploadFile"
  | "listFiles"
  | "iterateFiles"
  | "retrieveFile"
  | "retrieveFileContent"
  | "deleteFile";

/** The operations on files. `http` sends the caller's key, or the admin key if there is no other. */
export function createFileOperations(http: Client<paths>): Pick<PlainClient, FileOperationId> {
  const listFiles: PlainClient["listFiles"] = async (query = {}, options) =>
    readDocument("listFiles", await http.GET("/v1/files", { params: { query }, ...asText(options) }));
  return {
    uploadFile: async (upload, options) => {
      const request = { body: upload, bodySerializer: serializeUpload, ...asText(options) };
      return readDocument("uploadFile", await http.POST("/v1/files", request));
    },

    listFiles,

    iterateFiles: (query = {}, options) =>
      iterateList(async (cursor) => {
        const page = await listFiles(cursor === undefined ? query : { ...query, after: cursor }, options);
        if (!page.ok) return page;
        const { data, has_more: hasMore, last_id: last } = page.data;
        return { ...page, data: { data, next_cursor: hasMore ? last : null } };
      }, query.after),

    retrieveFile: async (file, options) => {
      const request = { params: { path: { file } }, ...asText(options) };
      return readDocument("retrieveFile", await http.GET("/v1/files/{file}", request));
    },

    retrieveFileContent: async (file, options) => {
      const request = { params: { path: { file } }, ...asBlob(options) };
      return readBlob(await http.GET("/v1/files/{file}/content", request));
    },

    deleteFile: async (file, options) => {
      const request = { params: { path: { file } }, ...asText(options) };
      return readDocument("deleteFile", await http.DELETE("/v1/files/{file}", request));
    },
  };
}

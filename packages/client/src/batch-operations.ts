import type { Client } from "openapi-fetch";
import { iterateList } from "./iterate-list.js";
import type { PlainClient } from "./plain-client.js";
import { asText } from "./request-options.js";
import { readDocument } from "./responses/read-response.js";
import type { paths } from "./spec.js";

type BatchOperationId = "createBatch" | "listBatches" | "iterateBatches" | "retrieveBatch" | "cancelBatch";
type AdminBatchOperationId = "listAllBatches" | "retrieveAnyBatch" | "cancelAnyBatch";

/** The operations on the batches of the caller's key. `http` sends that key. */
export function createBatchOperations(http: Client<paths>): Pick<PlainClient, BatchOperationId> {
  const listBatches: PlainClient["listBatches"] = async (query = {}, options) =>
    readDocument("listBatches", await http.GET("/v1/batches", { params: { query }, ...asText(options) }));
  return {
    createBatch: async (body, options) =>
      readDocument("createBatch", await http.POST("/v1/batches", { body, ...asText(options) })),

    listBatches,

    iterateBatches: (query = {}, options) =>
      iterateList(async (after) => {
        const page = await listBatches(after === undefined ? query : { ...query, after }, options);
        if (!page.ok) return page;
        const { data, has_more: hasMore, last_id: last } = page.data;
        return { ...page, data: { data, next_cursor: hasMore ? last : null } };
      }, query.after),

    retrieveBatch: async (batch, options) => {
      const request = { params: { path: { batch } }, ...asText(options) };
      return readDocument("retrieveBatch", await http.GET("/v1/batches/{batch}", request));
    },

    cancelBatch: async (batch, options) => {
      const request = { params: { path: { batch } }, ...asText(options) };
      return readDocument("cancelBatch", await http.POST("/v1/batches/{batch}/cancel", request));
    },
  };
}

/** The operations on the batches of all keys. `http` sends the admin key. */
export function createAdminBatchOperations(http: Client<paths>): Pick<PlainClient, AdminBatchOperationId> {
  return {
    listAllBatches: async (query = {}, options) => {
      const request = { params: { query }, ...asText(options) };
      return readDocument("listAllBatches", await http.GET("/admin/v1/batches", request));
    },

    retrieveAnyBatch: async (batch, options) => {
      const request = { params: { path: { batch } }, ...asText(options) };
      return readDocument("retrieveAnyBatch", await http.GET("/admin/v1/batches/{batch}", request));
    },

    cancelAnyBatch: async (batch, options) => {
      const request = { params: { path: { batch } }, ...asText(options) };
      return readDocument("cancelAnyBatch", await http.POST("/admin/v1/batches/{batch}/cancel", request));
    },
  };
}

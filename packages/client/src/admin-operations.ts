import type { Client } from "openapi-fetch";
import type { GatewayClient } from "./gateway-client.js";
import type { QueryOf } from "./operations.js";
import { asText, type CallOptions } from "./request-options.js";
import { readDocument, readText } from "./responses/read-response.js";
import type { paths } from "./spec.js";

type AdminOperationId =
  | "listKeys"
  | "createKey"
  | "retrieveKey"
  | "changeKey"
  | "revokeKey"
  | "retrieveUsage"
  | "retrieveUsageTable"
  | "listRequests"
  | "listRequestsTable"
  | "listAdminModels"
  | "listUpstreams"
  | "readMetrics";

/** The operations of the admin API. `http` sends the admin key. */
export function createAdminOperations(http: Client<paths>): Pick<GatewayClient, AdminOperationId> {
  const fetchUsage = (query: QueryOf<"retrieveUsage"> = {}, options?: CallOptions) =>
    http.GET("/admin/v1/usage", { params: { query }, querySerializer: listsWithCommas, ...asText(options) });
  const fetchRequests = (query: QueryOf<"listRequests"> = {}, options?: CallOptions) =>
    http.GET("/admin/v1/requests", { params: { query }, ...asText(options) });
  return {
    listKeys: async (query = {}, options) =>
      readDocument("listKeys", await http.GET("/admin/v1/keys", { params: { query }, ...asText(options) })),

    createKey: async (body, options) =>
      readDocument("createKey", await http.POST("/admin/v1/keys", { body, ...asText(options) })),

    retrieveKey: async (key, options) => {
      const request = { params: { path: { key } }, ...asText(options) };
      return readDocument("retrieveKey", await http.GET("/admin/v1/keys/{key}", request));
    },

    changeKey: async (key, body, options) => {
      const request = { params: { path: { key } }, body, ...asText(options) };
      return readDocument("changeKey", await http.PATCH("/admin/v1/keys/{key}", request));
    },

    revokeKey: async (key, options) => {
      const request = { params: { path: { key } }, ...asText(options) };
      return readDocument("revokeKey", await http.DELETE("/admin/v1/keys/{key}", request));
    },

    retrieveUsage: async (query, options) => readDocument("retrieveUsage", await fetchUsage(query, options)),

    retrieveUsageTable: async (query, options) =>
      readText("text/csv", await fetchUsage(query, asTable(options))),

    listRequests: async (query, options) => readDocument("listRequests", await fetchRequests(query, options)),

    listRequestsTable: async (query, options) =>
      readText("text/csv", await fetchRequests(query, asTable(options))),

    listAdminModels: async (options) =>
      readDocument("listAdminModels", await http.GET("/admin/v1/models", asText(options))),

    listUpstreams: async (options) =>
      readDocument("listUpstreams", await http.GET("/admin/v1/upstreams", asText(options))),

    readMetrics: async (options) => readText("text/plain", await http.GET("/metrics", asText(options))),
  };
}

/** The spec defines `group_by` as one parameter with commas, not as a repeated parameter. */
const listsWithCommas = { array: { style: "form", explode: false } } as const;

function asTable(options: CallOptions | undefined): CallOptions {
  return { ...options, headers: { accept: "text/csv", ...options?.headers } };
}

import type { Client } from "openapi-fetch";
import type { GatewayClient } from "./gateway-client.js";
import type { CallOptions, QueryOf } from "./operations.js";
import { readAnswer } from "./read-answer.js";
import { readText } from "./read-text.js";
import type { paths } from "./spec.js";
import { asText } from "./transport.js";

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

/** The operations that need the admin key, which `http` sends. */
export function createAdminOperations(http: Client<paths>): Pick<GatewayClient, AdminOperationId> {
  const askUsage = (query: QueryOf<"retrieveUsage"> = {}, options?: CallOptions) =>
    http.GET("/admin/v1/usage", { params: { query }, querySerializer: listsWithCommas, ...asText(options) });
  const askRequests = (query: QueryOf<"listRequests"> = {}, options?: CallOptions) =>
    http.GET("/admin/v1/requests", { params: { query }, ...asText(options) });
  return {
    listKeys: async (query = {}, options) =>
      readAnswer("listKeys", await http.GET("/admin/v1/keys", { params: { query }, ...asText(options) })),

    createKey: async (body, options) =>
      readAnswer("createKey", await http.POST("/admin/v1/keys", { body, ...asText(options) })),

    retrieveKey: async (key, options) => {
      const request = { params: { path: { key } }, ...asText(options) };
      return readAnswer("retrieveKey", await http.GET("/admin/v1/keys/{key}", request));
    },

    changeKey: async (key, body, options) => {
      const request = { params: { path: { key } }, body, ...asText(options) };
      return readAnswer("changeKey", await http.PATCH("/admin/v1/keys/{key}", request));
    },

    revokeKey: async (key, options) => {
      const request = { params: { path: { key } }, ...asText(options) };
      return readAnswer("revokeKey", await http.DELETE("/admin/v1/keys/{key}", request));
    },

    retrieveUsage: async (query, options) => readAnswer("retrieveUsage", await askUsage(query, options)),

    retrieveUsageTable: async (query, options) =>
      readText("text/csv", await askUsage(query, asTable(options))),

    listRequests: async (query, options) => readAnswer("listRequests", await askRequests(query, options)),

    listRequestsTable: async (query, options) =>
      readText("text/csv", await askRequests(query, asTable(options))),

    listAdminModels: async (options) =>
      readAnswer("listAdminModels", await http.GET("/admin/v1/models", asText(options))),

    listUpstreams: async (options) =>
      readAnswer("listUpstreams", await http.GET("/admin/v1/upstreams", asText(options))),

    readMetrics: async (options) => readText("text/plain", await http.GET("/metrics", asText(options))),
  };
}

/** The spec has `group_by` as one parameter with commas in it, not as several of one name. */
const listsWithCommas = { array: { style: "form", explode: false } } as const;

function asTable(options: CallOptions | undefined): CallOptions {
  return { ...options, headers: { accept: "text/csv", ...options?.headers } };
}

import type { Client } from "openapi-fetch";
import { readGatewayEvents } from "./gateway-events.js";
import { iterateList } from "./iterate-list.js";
import type { QueryOf } from "./operations.js";
import type { PlainClient } from "./plain-client.js";
import { asStream, asText, atCursor, type CallOptions, listsWithCommas } from "./request-options.js";
import { readDocument, readText } from "./responses/read-response.js";
import type { paths } from "./spec.js";

type KeyOperationId =
  | "listKeys"
  | "iterateKeys"
  | "listKeysTable"
  | "createKey"
  | "retrieveKey"
  | "changeKey"
  | "revokeKey"
  | "rotateKey";
type RecordOperationId =
  | "retrieveUsage"
  | "retrieveUsageTable"
  | "listRequests"
  | "iterateRequests"
  | "listRequestsTable"
  | "retrieveRequest";
type AdminOperationId =
  | KeyOperationId
  | RecordOperationId
  | "listAdminModels"
  | "listUpstreams"
  | "tryUpstream"
  | "listProviders"
  | "probeTarget"
  | "listAlerts"
  | "compareTargets"
  | "acceptSpace"
  | "retrieveConfiguration"
  | "changeConfiguration"
  | "streamEvents"
  | "readMetrics";

/** The operations of the admin API. `http` sends the admin key. */
export function createAdminOperations(http: Client<paths>): Pick<PlainClient, AdminOperationId> {
  return {
    ...createKeyOperations(http),
    ...createRecordOperations(http),

    listAdminModels: async (options) =>
      readDocument("listAdminModels", await http.GET("/admin/v1/models", asText(options))),

    listUpstreams: async (options) =>
      readDocument("listUpstreams", await http.GET("/admin/v1/upstreams", asText(options))),

    tryUpstream: async (body, options) =>
      readDocument("tryUpstream", await http.POST("/admin/v1/upstream-trials", { body, ...asText(options) })),

    listProviders: async (options) =>
      readDocument("listProviders", await http.GET("/admin/v1/providers", asText(options))),

    probeTarget: async (body, options) =>
      readDocument("probeTarget", await http.POST("/admin/v1/probes", { body, ...asText(options) })),

    listAlerts: async (options) =>
      readDocument("listAlerts", await http.GET("/admin/v1/alerts", asText(options))),

    compareTargets: async (body, options) => {
      const request = { body, ...asText(options) };
      return readDocument("compareTargets", await http.POST("/admin/v1/space-comparisons", request));
    },

    acceptSpace: async (body, options) =>
      readDocument("acceptSpace", await http.POST("/admin/v1/space-revisions", { body, ...asText(options) })),

    retrieveConfiguration: async (options) =>
      readDocument("retrieveConfiguration", await http.GET("/admin/v1/configuration", asText(options))),

    changeConfiguration: async (body, options) => {
      const request = { body, ...asText(options) };
      return readDocument("changeConfiguration", await http.POST("/admin/v1/configuration/changes", request));
    },

    streamEvents: async (query = {}, options) =>
      readGatewayEvents(await http.GET("/admin/v1/events", { params: { query }, ...asStream(options) })),

    readMetrics: async (options) => readText("text/plain", await http.GET("/metrics", asText(options))),
  };
}

function createKeyOperations(http: Client<paths>): Pick<PlainClient, KeyOperationId> {
  const fetchKeys = (query: QueryOf<"listKeys"> = {}, options?: CallOptions) =>
    http.GET("/admin/v1/keys", { params: { query }, ...asText(options) });
  const listKeys: PlainClient["listKeys"] = async (query, options) =>
    readDocument("listKeys", await fetchKeys(query, options));
  return {
    listKeys,

    iterateKeys: (query = {}, options) =>
      iterateList((cursor) => listKeys(atCursor(query, cursor), options), query.cursor),

    listKeysTable: async (query, options) => readText("text/csv", await fetchKeys(query, asTable(options))),

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

    rotateKey: async (key, body, options) => {
      const request = { params: { path: { key } }, body, ...asText(options) };
      return readDocument("rotateKey", await http.POST("/admin/v1/keys/{key}/secrets", request));
    },
  };
}

function createRecordOperations(http: Client<paths>): Pick<PlainClient, RecordOperationId> {
  const fetchUsage = (query: QueryOf<"retrieveUsage"> = {}, options?: CallOptions) =>
    http.GET("/admin/v1/usage", { params: { query }, querySerializer: listsWithCommas, ...asText(options) });
  const fetchRequests = (query: QueryOf<"listRequests"> = {}, options?: CallOptions) =>
    http.GET("/admin/v1/requests", { params: { query }, ...asText(options) });
  const listRequests: PlainClient["listRequests"] = async (query, options) =>
    readDocument("listRequests", await fetchRequests(query, options));
  return {
    retrieveUsage: async (query, options) => readDocument("retrieveUsage", await fetchUsage(query, options)),

    retrieveUsageTable: async (query, options) =>
      readText("text/csv", await fetchUsage(query, asTable(options))),

    listRequests,

    iterateRequests: (query = {}, options) =>
      iterateList((cursor) => listRequests(atCursor(query, cursor), options), query.cursor),

    listRequestsTable: async (query, options) =>
      readText("text/csv", await fetchRequests(query, asTable(options))),

    retrieveRequest: async (requestId, options) => {
      const request = { params: { path: { request_id: requestId } }, ...asText(options) };
      return readDocument("retrieveRequest", await http.GET("/admin/v1/requests/{request_id}", request));
    },
  };
}

function asTable(options: CallOptions | undefined): CallOptions {
  return { ...options, headers: { accept: "text/csv", ...options?.headers } };
}

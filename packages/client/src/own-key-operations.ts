import type { Client } from "openapi-fetch";
import { iterateList } from "./iterate-list.js";
import type { PlainClient } from "./plain-client.js";
import { asText, atCursor, listsWithCommas } from "./request-options.js";
import { readDocument } from "./responses/read-response.js";
import type { paths } from "./spec.js";

type OwnKeyOperationId =
  | "retrieveOwnKey"
  | "listOwnRequests"
  | "iterateOwnRequests"
  | "retrieveOwnRequest"
  | "retrieveOwnUsage";

/** The operations on the caller's own key. `http` sends that key. */
export function createOwnKeyOperations(http: Client<paths>): Pick<PlainClient, OwnKeyOperationId> {
  const listOwnRequests: PlainClient["listOwnRequests"] = async (query = {}, options) =>
    readDocument(
      "listOwnRequests",
      await http.GET("/v1/key/requests", { params: { query }, ...asText(options) }),
    );
  return {
    retrieveOwnKey: async (options) =>
      readDocument("retrieveOwnKey", await http.GET("/v1/key", asText(options))),

    listOwnRequests,

    iterateOwnRequests: (query = {}, options) =>
      iterateList((cursor) => listOwnRequests(atCursor(query, cursor), options), query.cursor),

    retrieveOwnRequest: async (requestId, options) => {
      const request = { params: { path: { request_id: requestId } }, ...asText(options) };
      return readDocument("retrieveOwnRequest", await http.GET("/v1/key/requests/{request_id}", request));
    },

    retrieveOwnUsage: async (query = {}, options) => {
      const request = { params: { query }, querySerializer: listsWithCommas, ...asText(options) };
      return readDocument("retrieveOwnUsage", await http.GET("/v1/key/usage", request));
    },
  };
}

import type { Client } from "openapi-fetch";
import type { PlainClient } from "./plain-client.js";
import { asText } from "./request-options.js";
import { readDocument } from "./responses/read-response.js";
import type { paths } from "./spec.js";

type SessionOperationId = "createSession" | "createSignInCode" | "retrieveSession" | "endSession";

/** The operations on sessions. `http` sends the admin key, or else the key of a caller. */
export function createSessionOperations(http: Client<paths>): Pick<PlainClient, SessionOperationId> {
  return {
    createSession: async (options) =>
      readDocument("createSession", await http.POST("/admin/v1/sessions", asText(options))),

    createSignInCode: async (options) =>
      readDocument("createSignInCode", await http.POST("/admin/v1/sign-in-codes", asText(options))),

    retrieveSession: async (options) =>
      readDocument("retrieveSession", await http.GET("/admin/v1/sessions/current", asText(options))),

    endSession: async (options) =>
      readDocument("endSession", await http.DELETE("/admin/v1/sessions/current", asText(options))),
  };
}

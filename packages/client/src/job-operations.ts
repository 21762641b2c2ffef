import type { Client } from "openapi-fetch";
import { prepareEdit, serializeEdit } from "./images/image-edit.js";
import { iterateList } from "./iterate-list.js";
import type { PlainClient } from "./plain-client.js";
import { asText, atCursor, type CallOptions, type JobOptions } from "./request-options.js";
import { readDocument } from "./responses/read-response.js";
import type { paths } from "./spec.js";

type JobOperationId =
  | "createImageJob"
  | "createImageEditJob"
  | "listJobs"
  | "iterateJobs"
  | "retrieveJob"
  | "cancelJob";

/** The operations on the caller's jobs. `http` sends the key that they belong to. */
export function createJobOperations(http: Client<paths>): Pick<PlainClient, JobOperationId> {
  const listJobs: PlainClient["listJobs"] = async (query = {}, options) =>
    readDocument("listJobs", await http.GET("/v1/jobs", { params: { query }, ...asText(options) }));
  return {
    createImageJob: async (body, options) =>
      readDocument("retrieveJob", await http.POST("/v1/images/generations", { body, ...asJob(options) })),

    createImageEditJob: async (edit, options) => {
      const request = { body: await prepareEdit(edit), bodySerializer: serializeEdit, ...asJob(options) };
      return readDocument("retrieveJob", await http.POST("/v1/images/edits", request));
    },

    listJobs,

    iterateJobs: (query = {}, options) =>
      iterateList((cursor) => listJobs(atCursor(query, cursor), options), query.cursor),

    retrieveJob: async (job, options) => {
      const request = { params: { path: { job } }, ...asText(withWait(options)) };
      return readDocument("retrieveJob", await http.GET("/v1/jobs/{job}", request));
    },

    cancelJob: async (job, options) => {
      const request = { params: { path: { job } }, ...asText(options) };
      return readDocument("cancelJob", await http.POST("/v1/jobs/{job}/cancel", request));
    },
  };
}

type AnyJobOperationId = "listAllJobs" | "iterateAllJobs" | "retrieveAnyJob" | "cancelAnyJob";

/** The operations on the jobs of all keys. `http` sends the admin key. */
export function createAnyJobOperations(http: Client<paths>): Pick<PlainClient, AnyJobOperationId> {
  const listAllJobs: PlainClient["listAllJobs"] = async (query = {}, options) =>
    readDocument("listAllJobs", await http.GET("/admin/v1/jobs", { params: { query }, ...asText(options) }));
  return {
    listAllJobs,

    iterateAllJobs: (query = {}, options) =>
      iterateList((cursor) => listAllJobs(atCursor(query, cursor), options), query.cursor),

    retrieveAnyJob: async (job, options) => {
      const request = { params: { path: { job } }, ...asText(options) };
      return readDocument("retrieveAnyJob", await http.GET("/admin/v1/jobs/{job}", request));
    },

    cancelAnyJob: async (job, options) => {
      const request = { params: { path: { job } }, ...asText(options) };
      return readDocument("cancelAnyJob", await http.POST("/admin/v1/jobs/{job}/cancel", request));
    },
  };
}

function asJob(options: CallOptions | undefined) {
  return asText({ ...options, headers: { ...options?.headers, prefer: "respond-async" } });
}

function withWait(options: JobOptions | undefined): CallOptions | undefined {
  const { waitSeconds } = options ?? {};
  if (waitSeconds === undefined) return options;
  return { ...options, headers: { ...options?.headers, prefer: `wait=${waitSeconds}` } };
}

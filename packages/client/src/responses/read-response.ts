import type { DocumentId, FailureOf, ResponseData } from "../operations.js";
import type { components } from "../spec.js";
import { readFault, unexpectedResponse } from "./gateway-fault.js";
import { isRecord, parseJson } from "./json.js";
import { type Exchange, type Failure, fail, type Result, type Success, succeed } from "./result.js";

/** Reads the document of a response. A 200 with anything else is a failure. */
export function readDocument<K extends DocumentId>(
  operationId: K,
  exchange: Exchange,
): Result<ResponseData<K>> {
  const { data, error, response } = exchange;
  if (!response.ok) return fail(response, readFault(error, response));
  const document = typeof data === "string" ? parseJson(data) : undefined;
  if (!isDocument(operationId, document)) return fail(response, unexpectedResponse(response, data));
  return succeed(response, document);
}

/** A key that distinguishes an operation's document from another server's JSON. */
const distinctiveKeys: { readonly [K in DocumentId]: keyof ResponseData<K> } = {
  createEmbedding: "data",
  createEmbeddingLegacy: "data",
  createImage: "data",
  createImageEdit: "data",
  createContentProvenanceCheck: "results",
  uploadFile: "bytes",
  listFiles: "has_more",
  retrieveFile: "bytes",
  deleteFile: "deleted",
  listModels: "data",
  retrieveModel: "id",
  checkHealth: "status",
  checkReadiness: "models",
  createBatch: "request_counts",
  listBatches: "has_more",
  retrieveBatch: "request_counts",
  cancelBatch: "request_counts",
  listAllBatches: "has_more",
  retrieveAnyBatch: "key_name",
  cancelAnyBatch: "key_name",
  listKeys: "next_cursor",
  createKey: "value",
  retrieveKey: "redacted_value",
  changeKey: "redacted_value",
  revokeKey: "redacted_value",
  rotateKey: "value",
  listJobs: "next_cursor",
  retrieveJob: "request_id",
  cancelJob: "request_id",
  listAllJobs: "next_cursor",
  retrieveAnyJob: "request_id",
  cancelAnyJob: "request_id",
  retrieveOwnKey: "limits_remaining",
  listOwnRequests: "next_cursor",
  retrieveOwnRequest: "duration_ms",
  retrieveOwnUsage: "next_cursor",
  retrieveUsage: "next_cursor",
  listRequests: "next_cursor",
  retrieveRequest: "duration_ms",
  listAdminModels: "next_cursor",
  listUpstreams: "next_cursor",
  tryUpstream: "dimensions",
  listProviders: "next_cursor",
  probeTarget: "ok",
  listAlerts: "configuration_refusal",
  compareTargets: "verdict",
  acceptSpace: "previous_id",
  retrieveConfiguration: "text",
  changeConfiguration: "diff",
  createSession: "value",
  createSignInCode: "value",
  retrieveSession: "kind",
  endSession: "ended",
};

function isDocument<K extends DocumentId>(operationId: K, document: unknown): document is ResponseData<K> {
  return isRecord(document) && Object.hasOwn(document, distinctiveKeys[operationId]);
}

/** Reads a text of the given type. A 200 with anything else is a failure. */
export function readText(contentType: string, { data, error, response }: Exchange): Result<string> {
  if (!response.ok) return fail(response, readFault(error, response));
  const isOfType = response.headers.get("content-type")?.split(";")[0]?.trim() === contentType;
  if (!isOfType || typeof data !== "string") return fail(response, unexpectedResponse(response, data));
  return succeed(response, data);
}

/** Reads the bytes of an image. A 200 with anything else is a failure. */
export async function readImage(response: Response): Promise<Result<Blob>> {
  if (!response.ok) {
    const text = await response.text();
    return fail(response, readFault(parseJson(text) ?? text, response));
  }
  if (!response.headers.get("content-type")?.startsWith("image/")) {
    await response.body?.cancel();
    return fail(response, unexpectedResponse(response, undefined));
  }
  return succeed(response, await response.blob());
}

/** Reads the bytes of a file. A 200 with anything else is a failure. */
export function readBlob({ data, error, response }: Exchange): Result<Blob> {
  if (!response.ok) return fail(response, readFault(error, response));
  const isFile = response.headers.get("content-type")?.startsWith("application/octet-stream") === true;
  if (!isFile || !(data instanceof Blob)) return fail(response, unexpectedResponse(response, undefined));
  return succeed(response, data);
}

export type Readiness = components["schemas"]["Readiness"];

/** The gateway cannot serve requests now. */
export type NotReady<Failed extends Failure = FailureOf<"checkReadiness">> = Failed & {
  /** Why, and how many models can serve. Null if a proxy in between responded. */
  readonly readiness: Readiness | null;
};

/** The 503 of this probe has the body of its 200, not an error body. */
export function readReadiness(exchange: Exchange): Success<Readiness> | NotReady<Failure> {
  const result = readDocument("checkReadiness", exchange);
  if (result.ok) return result;
  if (!isReadiness(exchange.error)) return { ...result, readiness: null };
  const message = `The gateway cannot serve requests now: it is ${exchange.error.status}.`;
  const error = { ...result.error, message, type: "service_unavailable_error", code: "not_ready" };
  return { ...result, error, readiness: exchange.error };
}

function isReadiness(body: unknown): body is Readiness {
  return isRecord(body) && typeof body.status === "string" && isRecord(body.models);
}

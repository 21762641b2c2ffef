import { readFault, unexpectedAnswer } from "./gateway-fault.js";
import { isRecord } from "./is-record.js";
import type { Answer, DocumentId } from "./operations.js";
import { parseJson } from "./parse-json.js";
import { fail, type Result, succeed } from "./result.js";

/** What openapi-fetch hands over: `data` is text, because it is asked to leave the parsing to us. */
export interface Exchange {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** Reads the document that an operation answers with. A 200 that holds something else is a failure. */
export function readAnswer<K extends DocumentId>(operationId: K, exchange: Exchange): Result<Answer<K>> {
  const { data, error, response } = exchange;
  if (!response.ok) return fail(response, readFault(error, response));
  const answer = typeof data === "string" ? parseJson(data) : undefined;
  if (!isAnswer(operationId, answer)) return fail(response, unexpectedAnswer(response, data));
  return succeed(response, answer);
}

/** A key that tells the answer of an operation from the JSON of some other server. */
const tellingKeys: { readonly [K in DocumentId]: keyof Answer<K> } = {
  createEmbedding: "data",
  createEmbeddingLegacy: "data",
  createImage: "data",
  createImageEdit: "data",
  listModels: "data",
  retrieveModel: "id",
  checkHealth: "status",
  checkReadiness: "models",
  listKeys: "next_cursor",
  createKey: "value",
  retrieveKey: "redacted_value",
  changeKey: "redacted_value",
  revokeKey: "redacted_value",
  retrieveUsage: "next_cursor",
  listRequests: "next_cursor",
  listAdminModels: "next_cursor",
  listUpstreams: "next_cursor",
};

function isAnswer<K extends DocumentId>(operationId: K, answer: unknown): answer is Answer<K> {
  return isRecord(answer) && Object.hasOwn(answer, tellingKeys[operationId]);
}

import type { OperationId } from "@model-gateway/domain/operations";
import { expect } from "vitest";

/**
 * The output of an operation's samples: curl prints the response, the JavaScript prints text or writes an image.
 * Without a response to print, curl writes the image.
 */
export interface SampleResult {
  readonly response?: object;
  /** curl's output, if it is not JSON. */
  readonly text?: string;
  readonly printed: string;
  /** The Python output, if it differs from the JavaScript. A sample that follows from the spec prints the response. */
  readonly python?: string;
  readonly written?: string;
}

const vector = expect.toSatisfy((value: unknown) => Array.isArray(value) && value.length === 384);
const image = { b64_json: expect.stringMatching(/^iVBORw0KGgo/) };

/** The output of each operation's samples. */
export const results: Record<OperationId, SampleResult> = {
  checkHealth: {
    response: { status: "ok" },
    printed: "200 { status: 'ok' }\n",
    python: '200 {"status":"ok"}\n',
  },
  checkReadiness: {
    response: { status: "ready" },
    printed: expect.stringMatching(/^200 \{ status: 'ready'/),
    python: expect.stringMatching(/^200 \{"status":"ready"/),
  },
  createEmbedding: {
    response: { data: [{ embedding: vector }, { embedding: vector }], model: "gte-small" },
    printed: "[ 384, 384 ]\n",
    python: "[384, 384]\n",
  },
  createEmbeddingLegacy: {
    response: { data: [{ embedding: vector }], model: "gte-small" },
    printed: "384\n",
  },
  createImage: { response: { data: [image], size: "1024x1024" }, printed: "", written: "fox.png" },
  createImageEdit: { response: { data: [image] }, printed: "", written: "fox-with-rocket.png" },
  listJobs: {
    response: { object: "list", next_cursor: null },
    printed: expect.stringContaining("local-sketch completed\n"),
    python: expect.stringContaining("'status': 'completed'"),
  },
  retrieveJob: {
    response: { status: "completed", response: { data: [image] } },
    printed: "completed\n",
    written: "fox.png",
  },
  cancelJob: {
    response: { status: "completed" },
    printed: "local-sketch completed\n",
    python: "completed\n",
  },
  listAllJobs: {
    response: { object: "list", next_cursor: null },
    printed: expect.stringContaining("config:tester local-sketch completed\n"),
  },
  retrieveAnyJob: {
    response: { status: "completed" },
    printed: "config:tester local-sketch completed\n",
  },
  cancelAnyJob: {
    response: { status: "completed" },
    printed: "config:tester local-sketch completed\n",
  },
  createAsyncImage: { response: { status: "pending" }, printed: "202 pending\n" },
  createAsyncImageEdit: { response: { status: "pending" }, printed: "202 pending\n" },
  retrieveAsyncImage: {
    response: { status: "completed", status_code: 200, result: { data: [image] } },
    printed: "200 completed\n",
  },
  retrieveAsyncImageEdit: {
    response: { status: "completed", status_code: 200, result: { data: [image] } },
    printed: "200 completed\n",
  },
  createContentProvenanceCheck: {
    response: { results: [{ type: "c2pa", outcome: "not_detected", validation_state: "not_present" }] },
    printed: "c2pa not_detected\n",
  },
  createAzureDeploymentEmbedding: {
    response: { data: [{ embedding: vector }], model: "gte-small" },
    printed: "384\n",
  },
  createAzureDeploymentImage: { response: { data: [image] }, printed: "", written: "fox.png" },
  createAzureDeploymentImageEdit: {
    response: { data: [image] },
    printed: "",
    written: "fox-with-rocket.png",
  },
  createAzureEmbedding: {
    response: { data: [{ embedding: vector }], model: "gte-small" },
    printed: "384\n",
  },
  createAzureImage: { response: { data: [image] }, printed: "", written: "fox.png" },
  createAzureImageEdit: { response: { data: [image] }, printed: "", written: "fox-with-rocket.png" },
  listAzureModels: { response: { object: "list" }, printed: "gte-small\nall-MiniLM-L6-v2\nlocal-sketch\n" },
  listAzureDeploymentModels: {
    response: { object: "list" },
    printed: "gte-small\nall-MiniLM-L6-v2\nlocal-sketch\n",
  },
  createCohereEmbedding: {
    response: { embeddings: { float: [vector, vector] }, response_type: "embeddings_by_type" },
    printed: "[ 384, 384 ]\n",
    python: "[384, 384]\n",
  },
  createVoyageEmbedding: {
    response: { data: [{ embedding: vector }], model: "gte-small" },
    printed: "384\n",
  },
  createOllamaEmbedding: {
    response: { embeddings: [vector, vector], model: "gte-small" },
    printed: "[ 384, 384 ]\n",
    python: "[384, 384]\n",
  },
  createOllamaEmbeddingLegacy: { response: { embedding: vector }, printed: "384\n" },
  listOllamaModels: {
    response: { models: [{ name: "gte-small:latest" }, {}] },
    printed: "gte-small:latest\nall-MiniLM-L6-v2:latest\n",
  },
  listRunningOllamaModels: {
    response: { models: [{ name: "gte-small:latest" }, {}] },
    printed: "gte-small:latest\nall-MiniLM-L6-v2:latest\n",
  },
  retrieveOllamaModel: { response: { capabilities: ["embedding"] }, printed: "embedding\n" },
  retrieveOllamaVersion: {
    response: { version: expect.any(String) },
    printed: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  },
  uploadFile: {
    response: { object: "file", filename: "requests.jsonl", purpose: "batch", status: "processed" },
    printed: "requests.jsonl 100\n",
  },
  listFiles: {
    response: { object: "list", data: expect.any(Array), has_more: false },
    printed: expect.stringMatching(/^(requests\.jsonl 100\n)+$/),
  },
  retrieveFile: {
    response: { object: "file", filename: "requests.jsonl", bytes: 100 },
    printed: "requests.jsonl 100\n",
  },
  retrieveFileContent: { text: expect.stringContaining('"custom_id":"one"'), printed: "one\n" },
  deleteFile: { response: { object: "file", deleted: true }, printed: "true\n", python: "True\n" },
  retrieveImageFile: { printed: "", written: "fox.png" },
  listModels: { response: { object: "list" }, printed: "gte-small\nall-MiniLM-L6-v2\nlocal-sketch\n" },
  retrieveModel: {
    response: { id: "gte-small" },
    printed: expect.stringContaining("id: 'gte-small'"),
    python: expect.stringContaining("id='gte-small'"),
  },
  listKeys: {
    response: { object: "list" },
    printed: expect.stringMatching(/^sample (active|revoked)\n/m),
  },
  createKey: {
    response: { name: "search-service", limits: { requests_per_minute: 600 } },
    printed: expect.stringMatching(/^mg_[0-9a-z]{38}\n$/),
  },
  retrieveKey: {
    response: { object: "key", name: "sample" },
    printed: "sample active\n",
  },
  changeKey: {
    response: { limits: { requests_per_minute: 1200 }, models: null },
    printed: "1200 null\n",
  },
  createBatch: {
    response: {
      object: "batch",
      status: "validating",
      request_counts: { total: 0, completed: 0, failed: 0 },
    },
    printed: "validating\n",
  },
  listBatches: {
    response: { object: "list", data: expect.any(Array), has_more: expect.any(Boolean) },
    printed: expect.stringMatching(/^(batch_[0-9a-f]{24} \w+\n)+$/),
  },
  retrieveBatch: {
    response: { object: "batch", endpoint: "/v1/embeddings" },
    printed: expect.stringMatching(/^\w+ \d\n$/),
  },
  cancelBatch: { response: { object: "batch", status: "cancelling" }, printed: "cancelling\n" },
  listAllBatches: {
    response: { object: "list", data: expect.any(Array), has_more: expect.any(Boolean) },
    printed: expect.stringMatching(/^(tester \w+\n)+$/),
  },
  retrieveAnyBatch: {
    response: { object: "batch", key_name: "tester" },
    printed: expect.stringMatching(/^tester \w+\n$/),
  },
  cancelAnyBatch: { response: { object: "batch", status: "cancelling" }, printed: "cancelling\n" },
  rotateKey: {
    response: { name: "sample", old_secrets: expect.any(Array) },
    printed: expect.stringMatching(/^mg_[0-9a-z]{38}\n$/),
  },
  revokeKey: { response: { status: "revoked" }, printed: "sample revoked\n" },
  retrieveOwnKey: {
    response: { object: "own_key", id: "config:tester" },
    printed: "tester null\n",
    python: "tester\n",
  },
  listOwnRequests: {
    response: { data: [{ id: "req_sample", status: 429 }] },
    printed: "req_sample rate_limit_exceeded\n",
    python: expect.stringContaining("'id': 'req_sample'"),
  },
  retrieveOwnRequest: {
    response: { object: "request", id: "req_sample" },
    printed: "gte-small 429\n",
    python: expect.stringContaining("'id': 'req_sample'"),
  },
  retrieveOwnUsage: {
    response: { object: "list", data: expect.any(Array) },
    printed: expect.stringMatching(/^gte-small \d+$/m),
    python: expect.stringContaining("'model': 'gte-small'"),
  },
  retrieveUsage: {
    response: { object: "list", data: [{ key_id: "config:tester" }] },
    printed: expect.stringMatching(/^tester \d+ /),
    python: expect.stringContaining("'key_id': 'config:tester'"),
  },
  listRequests: {
    response: { data: [{ id: "req_sample", status: 429 }] },
    printed: "req_sample tester rate_limit_exceeded\n",
    python: expect.stringContaining("'id': 'req_sample'"),
  },
  retrieveRequest: {
    response: { object: "request", id: "req_sample" },
    printed: "gte-small 429 1\n",
  },
  listAdminModels: {
    response: { object: "list", data: [{ id: "gte-small" }, {}, {}] },
    printed: "gte-small fastest 1\nall-MiniLM-L6-v2 fastest 1\nlocal-sketch fastest 1\n",
  },
  listUpstreams: {
    response: { object: "list", data: [{ name: "local" }] },
    // Models that earlier samples have called are healthy.
    printed: expect.stringMatching(
      /^local gte-small \w+\nlocal all-MiniLM-L6-v2 \w+\nlocal local-sketch (healthy|unknown)\n$/,
    ),
  },
  createSession: {
    response: { object: "session", kind: "operator", value: expect.stringMatching(/^mg_session_/) },
    printed: expect.stringMatching(/^operator mg_session_[0-9a-z]{38}\n$/),
  },
  createSignInCode: {
    response: { object: "sign_in_code", value: expect.stringMatching(/^mg_code_/) },
    printed: expect.stringMatching(/^http:\S+\/console\/#code=mg_code_[0-9a-z]{38}\n$/),
  },
  retrieveSession: {
    response: {
      object: "session",
      kind: "operator",
      models: ["gte-small", "all-MiniLM-L6-v2", "local-sketch"],
    },
    printed: "operator 3\n",
  },
  endSession: { response: { object: "session", ended: true }, printed: "true\n", python: "True\n" },
  probeTarget: {
    response: { object: "probe", model: "gte-small", ok: true, error: null },
    printed: "true healthy\n",
  },
  listAlerts: {
    response: { object: "alerts", targets: [], keys: [], configuration_refusal: null },
    printed: "0 0\n",
  },
  compareTargets: {
    response: {
      object: "space.comparison",
      model: "gte-small",
      outdated: false,
      verdict: "same",
      targets: [
        { upstream: "local", verdict: "reference" },
        { upstream: "second", verdict: "same", cosine_min: expect.closeTo(1) },
      ],
    },
    printed: "same 2\n",
  },
  acceptSpace: {
    response: {
      object: "space.revision",
      models: ["gte-small"],
      space: { revision: expect.stringMatching(/^accepted-\d+$/) },
    },
    printed: "gte-small@384 [ 'gte-small' ]\n",
  },
  retrieveConfiguration: {
    response: { object: "configuration", format: "yaml", last_refusal: null },
    printed: expect.stringContaining("gte-small:"),
  },
  changeConfiguration: {
    response: { object: "configuration.change", applied: false, not_applied_reason: "dry_run" },
    printed: expect.stringContaining("-  all-MiniLM-L6-v2:"),
  },
  listProviders: {
    response: { object: "list", next_cursor: null },
    printed: expect.stringContaining("openai"),
  },
  tryUpstream: {
    response: { object: "upstream.trial", ok: true, dimensions: 384, error: null },
    printed: "true 384\n",
  },
  streamEvents: {
    text: expect.stringMatching(/^event: stream\.started\ndata: /),
    printed: "stream.started\n",
  },
  readMetrics: { text: expect.stringMatching(/^# /), printed: expect.stringMatching(/^# /) },
};

import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway, storageFaultCase } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { withoutKeyCases } from "../own/own-cases.js";
import { batchesOf, line } from "./batch-cases.js";

const context = adminGateway(
  (yaml) => `${yaml}\nbatches: { keyBatchesMax: 2, fileBytesMax: 2000 }\nfiles: { keyBytesMax: 200000 }`,
);
const { upload, create, createFor } = batchesOf(context);
const json = { input_file_id: "file-1", endpoint: "/v1/embeddings", completion_window: "24h" };
const post = { method: "POST", json };
const without = withoutKeyCases(context, "/v1/batches", post);
const refused = (change: object) => () =>
  context.send("/v1/batches", { ...post, key: testKey, json: { ...json, ...change } });
const unknownFile = "file-00000000000000000000000000000000";

contract("createBatch", {
  ...without,
  200: [
    {
      name: "a batch whose file is being checked",
      send: async () => {
        const { value: key } = await context.createKey();
        const file = await upload(line("any-model"), key);
        const before = Math.floor(Date.now() / 1000);
        const response = await createFor(file, { key, metadata: { corpus: "handbook" } });
        const body = await bodyOf(response);
        expect(body).toMatchObject({
          object: "batch",
          status: "validating",
          input_file_id: file,
          endpoint: "/v1/embeddings",
          completion_window: "24h",
          request_counts: { total: 0, completed: 0, failed: 0 },
          errors: null,
          output_file_id: null,
          metadata: { corpus: "handbook" },
        });
        expect(body.created_at).toBeGreaterThanOrEqual(before);
        expect(body.expires_at).toBe(body.created_at + 86_400);
        return response;
      },
    },
    {
      name: "by the session of a caller, with an expiry of its output",
      send: async () => {
        const { value } = await context.createKey();
        const file = await upload(line("any-model"), value);
        const session = await context.createSession(value);
        const output_expires_after = { anchor: "created_at", seconds: 3600 };
        return createFor(file, { key: session.value, output_expires_after });
      },
    },
  ],
  400: [
    ...without[400],
    {
      name: "no file",
      send: refused({ input_file_id: undefined }),
      expect: saysError("missing_required_parameter", "input_file_id"),
    },
    {
      name: "an empty id",
      send: refused({ input_file_id: "" }),
      expect: saysError("empty_string", "input_file_id"),
    },
    {
      name: "an endpoint of another kind",
      send: refused({ endpoint: "/v1/chat/completions" }),
      expect: saysError("invalid_value", "endpoint"),
    },
    {
      name: "another completion window",
      send: refused({ completion_window: "1h" }),
      expect: saysError("invalid_value", "completion_window"),
    },
    {
      name: "an unknown parameter",
      send: refused({ priority: "high" }),
      expect: saysError("unknown_parameter", "priority"),
    },
    {
      name: "metadata that is not text",
      send: refused({ metadata: { a: 1 } }),
      expect: saysError("invalid_type", "metadata.a"),
    },
    {
      name: "metadata with a long text",
      send: refused({ metadata: { a: "x".repeat(513) } }),
      expect: saysError("string_above_max_length", "metadata.a"),
    },
    {
      name: "an output that expires too soon",
      send: refused({ output_expires_after: { anchor: "created_at", seconds: 60 } }),
      expect: saysError("integer_below_min_value", "output_expires_after.seconds"),
    },
    {
      name: "an output that expires too late",
      send: refused({ output_expires_after: { anchor: "created_at", seconds: 3_000_000 } }),
      expect: saysError("integer_above_max_value", "output_expires_after.seconds"),
    },
    {
      name: "a body that is not JSON",
      send: () =>
        context.send("/v1/batches", {
          method: "POST",
          key: testKey,
          body: "{",
          headers: { "content-type": "application/json" },
        }),
      expect: saysError("invalid_json"),
    },
    {
      name: "a file that is too large",
      send: async () => createFor(await upload(`${line("any-model")}${" ".repeat(3000)}`)),
      expect: saysError("invalid_value", "input_file_id"),
    },
  ],
  403: [
    {
      name: "results that would exceed the quota of the key's files",
      send: async () => {
        const { value: key } = await context.createKey();
        const many = line("any-model").replace('"A text."', JSON.stringify(Array(20).fill("a")));
        return createFor(await upload(many, key), { key });
      },
      expect: (body, response) => {
        saysError("file_quota_exceeded", "input_file_id")(body, response);
        expect(body.error.message).toMatch(/may have 67\d{4} bytes\. .* would exceed 200000 bytes/);
      },
    },
  ],
  404: [
    {
      name: "an unknown file",
      send: () => createFor(unknownFile),
      expect: saysError("file_not_found", "input_file_id"),
    },
    {
      name: "a file of another key, which is the same",
      send: async () => {
        const { value: key } = await context.createKey();
        const response = await createFor(await upload(line("any-model")), { key });
        const { error } = await bodyOf(response);
        const { error: unknown } = await bodyOf(await createFor(unknownFile, { key }));
        expect(error.message.replace(/file-\w+/, unknownFile)).toBe(unknown.message);
        return response;
      },
      expect: saysError("file_not_found", "input_file_id"),
    },
  ],
  413: [
    {
      name: "a body that no caller would write",
      send: refused({ metadata: { a: "x".repeat(70_000) } }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "no content type",
      send: () => context.send("/v1/batches", { method: "POST", key: testKey }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  429: [
    {
      name: "too many batches that have not ended",
      send: async () => {
        const { value: key } = await context.createKey();
        await create(key);
        await create(key);
        return createFor(await upload(line("any-model"), key), { key });
      },
      expect: (body, response) => {
        saysError("rate_limit_exceeded")(body, response);
        expect(response.headers.get("retry-after")).toBe("60");
      },
    },
    {
      name: "a budget that is used up",
      send: async () => {
        const { id, value: key } = await context.createKey({ budget: { usd: 1, per: "month" } });
        await context.addRows({ keyId: id, at: Date.now(), costNanos: 2e9 });
        return createFor(await upload(line("any-model"), key), { key });
      },
      expect: saysError("insufficient_quota"),
    },
  ],
  500: [storageFaultCase(context, "faulty", () => createFor(unknownFile))],
  503: [storageFaultCase(context, "unavailable", () => createFor(unknownFile))],
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createKeyText } from "@model-gateway/domain/key-text";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { testAdminKey } from "../../../gateway/test-gateway.js";
import { contract, saysError } from "../contract.js";
import { fileGateway } from "./file-gateway.js";

const context = fileGateway();
/** A gateway whose files are in a bucket on a port that is closed. */
let withoutBucket: InProcessGateway;
beforeAll(async () => {
  withoutBucket = await startGateway(`
images: { store: s3, endpoint: "http://127.0.0.1:1", bucket: images, region: here-1, accessKeyId: id, secretAccessKey: secret, linkSecret: "a secret of more than 32 letters, shared" }
upstreams: {}
models: {}
`);
});
afterAll(() => withoutBucket.stop());
const { upload } = context;
const purpose = "batch";
const file = { content: '{"custom_id":"one"}\n', filename: "input.jsonl" };
const stored = () => readdirSync(join(context.gateway.dataDir, "files"));
const withNewKey = async (parts: Parameters<typeof upload>[0]) =>
  upload(parts, (await context.createKey()).value);

const refused = (code: string, param: string | null, message?: string) => ({
  expect: (body: { error: { message: string } }, response: Response) => {
    saysError(code, param)(body, response);
    if (message !== undefined) expect(body.error.message).toBe(message);
  },
});

contract("uploadFile", {
  200: [
    {
      name: "the stored file, which expires after 30 days",
      send: () => withNewKey({ purpose, file }),
      expect: (body) => {
        expect(body).toEqual({
          id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
          object: "file",
          bytes: 20,
          created_at: expect.closeTo(Date.now() / 1000, -2),
          expires_at: body.created_at + 30 * 86_400,
          filename: "input.jsonl",
          purpose: "batch",
          status: "processed",
        });
        expect(stored()).toContain(body.id);
      },
    },
    {
      name: "a file before its fields, with an expiry and a name in another script",
      send: () =>
        withNewKey({
          file: { ...file, filename: "Größe 文件.JSONL" },
          "expires_after[anchor]": "created_at",
          "expires_after[seconds]": "3600",
          purpose,
        }),
      expect: (body) => {
        expect(body.expires_at).toBe(body.created_at + 3600);
        expect(body.filename).toBe("Größe 文件.JSONL");
      },
    },
    {
      name: "an empty file, which the batch will refuse",
      send: () => withNewKey({ purpose, file: { content: "", filename: "a.jsonl" } }),
      expect: (body) => expect(body.bytes).toBe(0),
    },
    {
      name: "a file as large as the limit",
      send: () => withNewKey({ purpose, file: { content: "a".repeat(1000), filename: "a.jsonl" } }),
      expect: (body) => expect(body.bytes).toBe(1000),
    },
  ],
  400: [
    { name: "no file", send: () => upload({ purpose }), ...refused("missing_required_parameter", "file") },
    { name: "no purpose", send: () => upload({ file }), ...refused("missing_required_parameter", "purpose") },
    {
      name: "another purpose",
      send: () => upload({ file, purpose: "fine-tune" }),
      ...refused("invalid_value", "purpose"),
    },
    {
      name: "a file for another purpose, with another name",
      send: () => upload({ purpose: "assistants", file: { ...file, filename: "input.pdf" } }),
      ...refused("invalid_value", "purpose"),
    },
    {
      name: "the purpose of results",
      send: () => upload({ file, purpose: "batch_output" }),
      ...refused("invalid_value", "purpose"),
    },
    {
      name: "a file of another type",
      send: () => upload({ purpose, file: { ...file, filename: "input.csv" } }),
      ...refused("invalid_value", "file", "Invalid file format for Batch API. Must be .jsonl"),
    },
    {
      name: "a name that is too long",
      send: () => upload({ purpose, file: { ...file, filename: `${"a".repeat(300)}.jsonl` } }),
      ...refused("invalid_value", "file"),
    },
    {
      name: "text in the place of the file",
      send: () => upload({ purpose, file: "not a file" }),
      ...refused("invalid_type", "file"),
    },
    {
      name: "a file in the place of the purpose",
      send: () => upload({ purpose: file }),
      ...refused("invalid_type", "purpose"),
    },
    {
      name: "two files",
      send: () => upload({ purpose, file: [file, file] }),
      ...refused("array_above_max_length", "file", "The form has more than one file."),
    },
    {
      name: "two purposes",
      send: () => upload({ purpose: [purpose, purpose], file }),
      ...refused("duplicate_parameter", "purpose"),
    },
    {
      name: "an unknown field",
      send: () => upload({ purpose, file, colour: "red" }),
      ...refused("unknown_parameter", "colour"),
    },
    {
      name: "an unknown file",
      send: () => upload({ purpose, image: file }),
      ...refused("unknown_parameter", "image"),
    },
    {
      name: "an expiry below an hour",
      send: () =>
        upload({ purpose, file, "expires_after[anchor]": "created_at", "expires_after[seconds]": "3599" }),
      ...refused("integer_below_min_value", "expires_after.seconds"),
    },
    {
      name: "an expiry beyond 30 days",
      send: () =>
        upload({ purpose, file, "expires_after[anchor]": "created_at", "expires_after[seconds]": "2592001" }),
      ...refused("integer_above_max_value", "expires_after.seconds"),
    },
    {
      name: "an expiry that is not a number",
      send: () =>
        upload({ purpose, file, "expires_after[anchor]": "created_at", "expires_after[seconds]": "soon" }),
      ...refused("invalid_type", "expires_after.seconds"),
    },
    {
      name: "a form that is none",
      send: () =>
        context.gateway.send("/v1/files", {
          method: "POST",
          headers: { "content-type": "multipart/form-data; boundary=x" },
          body: "not a form",
        }),
      ...refused("invalid_form", null),
    },
  ],
  401: [
    {
      name: "no key",
      send: () => context.send("/v1/files", { method: "POST", headers: { authorization: "" } }),
      expect: saysError("missing_api_key"),
    },
    {
      name: "an unknown key",
      send: () => upload({ purpose, file }, createKeyText("mg_")),
      expect: saysError("invalid_api_key"),
    },
    {
      name: "the admin key, which owns no files",
      send: () => upload({ purpose, file }, testAdminKey),
      expect: saysError("invalid_api_key"),
    },
  ],
  403: [
    {
      name: "more files than the key may have",
      send: async () => {
        const { value } = await context.createKey();
        for (let count = 0; count < 3; count += 1) await context.store("", value);
        return upload({ purpose, file }, value);
      },
      ...refused(
        "file_quota_exceeded",
        "file",
        "This key may store 3 files. Delete some, and upload the file again.",
      ),
    },
    {
      name: "more bytes than the key may have",
      send: async () => {
        const { value } = await context.createKey();
        for (let count = 0; count < 2; count += 1) await context.store("a".repeat(999), value);
        return upload({ purpose, file }, value);
      },
      ...refused(
        "file_quota_exceeded",
        "file",
        "This key may store 2000 bytes of files. Delete some, and upload the file again.",
      ),
    },
  ],
  413: [
    {
      name: "a file over the limit",
      send: () => withNewKey({ purpose, file: { content: "a".repeat(1001), filename: "a.jsonl" } }),
      ...refused("content_too_large", "file"),
    },
    {
      name: "a form over all limits",
      send: () => withNewKey({ purpose, file: { content: "a".repeat(20_000_000), filename: "a.jsonl" } }),
      ...refused("content_too_large", null),
    },
  ],
  415: [
    {
      name: "JSON",
      send: () => context.gateway.sendJson("/v1/files", { purpose }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  500: [
    {
      name: "a bug in the database",
      send: () => context.storage.during("faulty", () => upload({ purpose, file })),
      ...refused("internal_error", null),
    },
  ],
  503: [
    {
      name: "a database that is down",
      send: () => context.storage.during("unavailable", () => upload({ purpose, file })),
      ...refused("storage_unavailable", null),
    },
    {
      name: "a bucket that cannot be reached",
      send: () => {
        const body = new FormData();
        body.append("purpose", purpose);
        body.append("file", new Blob([file.content]), file.filename);
        return withoutBucket.send("/v1/files", { method: "POST", body });
      },
      expect: saysError("file_store_unavailable"),
    },
  ],
});

test("refused forms leave no bytes", async () => {
  await expect.poll(() => stored().filter((name) => name.endsWith(".part"))).toEqual([]);
});

import { createSigner, signImage } from "@model-gateway/content-credentials/test/sign-image";
import { expect } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { contract, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";
import { sendBytes } from "./send-bytes.js";

const context = contractGateway("image");
const path = "/v1/content_provenance_checks";
const signed = signImage(tinyPng, await createSigner(), { format: "png" });
const changed = Buffer.from(signed);
changed[changed.length - 20] = (changed.at(-20) ?? 0) ^ 1;

type Part = readonly [name: string, value: string | Buffer];
const send = (parts: readonly Part[], init: RequestInit = {}) => {
  const form = new FormData();
  for (const [name, value] of parts)
    typeof value === "string"
      ? form.append(name, value)
      : form.append(name, new Blob([new Uint8Array(value)]), "upload");
  return context.gateway.send(path, { method: "POST", body: form, ...init });
};
const form =
  (...parts: Part[]) =>
  () =>
    send(parts);

const nothing = { issuer: null, model: null, generated_at: null, checked_by: "gateway", not_verified: [] };
const limits = { requests_per_minute: 1, tokens_per_day: 1000, images_per_day: 10 };

contract("createContentProvenanceCheck", {
  200: [
    {
      name: "a signed image is valid, and the response says what that leaves open",
      send: form(["file", signed]),
      expect: (body) =>
        expect(body).toEqual({
          object: "content_provenance_check",
          created_at: expect.any(Number),
          results: [
            {
              type: "c2pa",
              outcome: "detected",
              validation_state: "valid",
              issuer: "Test Images Inc.",
              model: "test-image-1",
              generated_at: "2026-11-01T10:20:30.000Z",
              checked_by: "gateway",
              failure_code: null,
              not_verified: ["signer_trust", "signing_time", "revocation", "ingredients"],
            },
          ],
          not_checked: [{ type: "synthid", reason: "No upstream of this gateway checks it." }],
        }),
    },
    {
      name: "an image that was changed is invalid",
      send: form(["file", changed]),
      expect: ({ results }) =>
        expect(results).toEqual([
          {
            ...nothing,
            type: "c2pa",
            outcome: "not_detected",
            validation_state: "invalid",
            failure_code: "assertion.dataHash.mismatch",
          },
        ]),
    },
    {
      name: "an image without a manifest",
      send: form(["file", tinyPng]),
      expect: ({ results }) =>
        expect(results).toEqual([
          {
            ...nothing,
            type: "c2pa",
            outcome: "not_detected",
            validation_state: "not_present",
            failure_code: null,
          },
        ]),
    },
    {
      name: "it counts as a request of its key",
      send: async () => send([["file", tinyPng]], await context.limited(limits)),
      expect: (_body, response) => expect(response.headers.get("x-ratelimit-remaining-requests")).toBe("0"),
    },
  ],
  400: [
    {
      name: "a parameter that does not exist",
      send: form(["file", tinyPng], ["model", "any"]),
      expect: saysError("unknown_parameter", "model"),
    },
    {
      name: "a text instead of a file",
      send: form(["file", "text"]),
      expect: saysError("invalid_type", "file"),
    },
    {
      name: "two files",
      send: form(["file", tinyPng], ["file", tinyPng]),
      expect: saysError("array_above_max_length", "file"),
    },
    {
      name: "a file under another name",
      send: form(["image", tinyPng]),
      expect: saysError("unknown_parameter", "image"),
    },
    {
      name: "a file that is not an image",
      send: form(["file", Buffer.from("ID3 sound")]),
      expect: saysError("unsupported_file_mimetype", "file"),
    },
    {
      name: "a form without parts",
      send: () =>
        context.gateway.send(path, {
          method: "POST",
          headers: { "content-type": "multipart/form-data; boundary=a" },
          body: "--a--\r\n",
        }),
      expect: saysError("missing_required_parameter", "file"),
    },
    {
      name: "a form without a boundary",
      send: () =>
        context.gateway.send(path, {
          method: "POST",
          headers: { "content-type": "multipart/form-data" },
          body: "a",
        }),
      expect: saysError("invalid_form"),
    },
    {
      name: "a request without a host",
      send: () => sendBytes(context.gateway.url, `POST ${path} HTTP/1.1\r\n\r\n`),
      expect: saysError("invalid_http"),
    },
  ],
  401: [
    {
      name: "a wrong key",
      send: () => send([["file", tinyPng]], { headers: { authorization: "Bearer wrong" } }),
      expect: saysError("invalid_api_key"),
    },
  ],
  413: [
    {
      name: "a file over the limit",
      send: form(["file", Buffer.alloc(100_001)]),
      expect: saysError("content_too_large", "file"),
    },
  ],
  415: [
    {
      name: "JSON",
      send: () => context.gateway.sendJson(path, {}),
      expect: saysError("unsupported_content_type"),
    },
  ],
  429: [
    {
      name: "a key over its limit of requests",
      send: async () => {
        const key = await context.limited(limits);
        await (await send([["file", tinyPng]], key)).arrayBuffer();
        return send([["file", tinyPng]], key);
      },
      expect: saysError("rate_limit_exceeded"),
    },
  ],
  500: [
    {
      name: "a bug",
      send: () => context.sendWithoutStorage(path, "faulty", "POST"),
      expect: saysError("internal_error"),
    },
  ],
  503: [
    {
      name: "a database that is down",
      send: () => context.sendWithoutStorage(path, "unavailable", "POST"),
      expect: saysError("storage_unavailable"),
    },
  ],
});

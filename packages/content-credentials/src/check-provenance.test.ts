import { GatewayError } from "@model-gateway/domain/errors";
import { imageInMemory } from "@model-gateway/domain/image-input";
import type { ProvenanceReply } from "@model-gateway/domain/provenance";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { type AskUpstream, ProvenanceChecks } from "./check-provenance.js";
import { createSigner, type SignOptions, signImage } from "./test/sign-image.js";

let plain: Buffer;
let sign: (options?: Omit<SignOptions, "format">) => Buffer;
beforeAll(async () => {
  const signer = await createSigner();
  plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  sign = (options = {}) => signImage(plain, signer, { format: "png", ...options });
});

const caller = { caller: "key_1", signal: new AbortController().signal };
const noUpstream = "No upstream of this gateway checks it.";
const unseen: ProvenanceReply = {
  c2pa: {
    outcome: "not_detected",
    validationState: "not_present",
    issuer: null,
    model: null,
    generatedAt: null,
  },
  synthid: { outcome: "detected", model: "imagen", generatedAt: "2026-01-01T00:00:00Z" },
};

function check(content: Buffer, askUpstream?: AskUpstream, onFailure = (_failure: GatewayError) => {}) {
  const checks = new ProvenanceChecks({ ...(askUpstream && { askUpstream }), onFailure, now: () => 5999 });
  return checks.check(imageInMemory(content, "png"), caller);
}

const signed = {
  type: "c2pa",
  outcome: "detected",
  validation_state: "valid",
  issuer: "Test Images Inc.",
  model: "test-image-1",
  generated_at: "2026-11-01T10:20:30.000Z",
  checked_by: "gateway",
  failure_code: null,
  not_verified: ["signer_trust", "signing_time", "revocation", "ingredients"],
};
const unsigned = {
  type: "c2pa",
  outcome: "not_detected",
  validation_state: "not_present",
  issuer: null,
  model: null,
  generated_at: null,
  checked_by: "gateway",
  failure_code: null,
  not_verified: [],
};
const unchecked = (type: string, reason: string) => ({ type, reason });

test("without an upstream, the content credentials are checked here, and the watermark is not", async () => {
  expect(await check(sign())).toEqual({
    object: "content_provenance_check",
    created_at: 5,
    results: [signed],
    not_checked: [unchecked("synthid", noUpstream)],
  });
  expect((await check(plain)).results).toEqual([unsigned]);
});

test("damaged credentials are not detected, and their fault is named", async () => {
  const content = sign();
  content[content.length - 6] = (content[content.length - 6] ?? 0) ^ 1;

  expect((await check(content)).results).toEqual([
    { ...unsigned, validation_state: "invalid", failure_code: "assertion.dataHash.mismatch" },
  ]);
});

test("credentials of a form that is not known are neither detected nor missing", async () => {
  expect(await check(sign({ binding: "c2pa.hash.boxes" }))).toMatchObject({
    results: [],
    not_checked: [
      unchecked("c2pa", expect.stringContaining("c2pa.hash.boxes")),
      unchecked("synthid", noUpstream),
    ],
  });
});

test("bytes that the signer left out are among what was not verified", async () => {
  const { length } = sign({ excludes: { start: 0, length: 1 } });
  const withTail = sign({ excludes: { start: length - 4, length: 4 } });
  expect((await check(withTail)).results).toMatchObject([
    { outcome: "detected", not_verified: [...signed.not_verified, "excluded_bytes"] },
  ]);
});

test("an upstream adds the watermark, and its own credentials where it has detected some", async () => {
  expect(await check(sign(), async () => unseen)).toMatchObject({
    results: [
      signed,
      { type: "synthid", outcome: "detected", model: "imagen", generated_at: "2026-01-01T00:00:00Z" },
    ],
    not_checked: [],
  });
  const c2pa = {
    outcome: "detected",
    validationState: "trusted",
    issuer: "I",
    model: "M",
    generatedAt: "G",
  } as const;
  expect(await check(plain, async () => ({ c2pa }))).toMatchObject({
    results: [
      {
        type: "c2pa",
        outcome: "detected",
        validation_state: "trusted",
        issuer: "I",
        model: "M",
        generated_at: "G",
        checked_by: "upstream",
        failure_code: null,
        not_verified: [],
      },
    ],
    not_checked: [unchecked("synthid", "The upstream has not checked it.")],
  });
});

test("an upstream that fails does not fail the check, and any other fault does", async () => {
  const failure = new GatewayError("upstream_error", "It failed.");
  const seen: GatewayError[] = [];

  const result = await check(
    sign(),
    () => Promise.reject(failure),
    (one) => void seen.push(one),
  );

  expect(result).toMatchObject({
    results: [signed],
    not_checked: [unchecked("synthid", "The upstream that checks it has failed.")],
  });
  expect(seen).toEqual([failure]);
  await expect(check(plain, () => Promise.reject(new TypeError("a fault")))).rejects.toThrow("a fault");
});

import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AwsRequest, encodeQuery, encodeUriPart, Signer, sha256Hex } from "./aws-signature.js";

const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const emptySha256 = sha256Hex("");

describe("the published S3 examples", () => {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  const signer = new Signer({ ...credentials, region: "us-east-1", service: "s3" });
  const now = Date.parse("2013-05-24T00:00:00Z");
  const base = { host: "examplebucket.s3.amazonaws.com", query: {}, headers: {}, payloadSha256: emptySha256 };
  const examples: [string, AwsRequest, string][] = [
    [
      "an object by range",
      { ...base, method: "GET", path: "/test.txt", headers: { range: "bytes=0-9" } },
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "an upload",
      {
        ...base,
        method: "PUT",
        path: "/test%24file.text",
        headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
        payloadSha256: sha256Hex("Welcome to Amazon S3."),
      },
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    [
      "a list",
      { ...base, method: "GET", path: "/", query: { prefix: "J", "max-keys": "2" } },
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
  ];

  test.each(examples)("%s", (_name, request, signature) => {
    const { authorization } = signer.sign(request, now);

    expect(authorization?.split("Signature=")[1]).toBe(signature);
  });
});

describe.each(["s3", "another"])("the service %s", (service) => {
  const text = fc.string({ unit: "binary", maxLength: 20 });
  const headerName = fc.stringMatching(/^x-[a-z]{1,8}$/);
  const headerValue = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
  const requests = fc.record({
    method: fc.constantFrom("GET", "PUT", "DELETE", "POST"),
    parts: fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 12 }), { maxLength: 4 }),
    query: fc.dictionary(fc.string({ unit: "binary", minLength: 1, maxLength: 8 }), text, { maxKeys: 4 }),
    headers: fc.dictionary(headerName, headerValue, { maxKeys: 4 }),
    body: text,
    sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9+/=]{1,40}$/), { nil: undefined }),
    now: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  });

  test("any request is signed as AWS's own library signs it", async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, parts, query, headers, body, sessionToken, now }) => {
        const own = { ...credentials, ...(sessionToken !== undefined && { sessionToken }) };
        const path = `/${parts.map(encodeUriPart).join("/")}`;
        const reference = new SignatureV4({
          credentials: own,
          region: "eu-central-1",
          service,
          sha256: Sha256,
          uriEscapePath: service !== "s3",
          applyChecksum: true,
        });

        const signed = new Signer({ ...own, region: "eu-central-1", service }).sign(
          { method, host: "host.example:9000", path, query, headers, payloadSha256: sha256Hex(body) },
          now,
        );

        const expected = await reference.sign(
          {
            method,
            protocol: "https:",
            hostname: "host.example",
            path,
            query,
            headers: { ...headers, host: "host.example:9000" },
            body,
          },
          { signingDate: new Date(now) },
        );
        expect({ ...signed, host: "host.example:9000" }).toEqual(expected.headers);
      }),
      { numRuns: 200 },
    );
  });
});

test("a signer follows the day", () => {
  const options = { ...credentials, region: "us-east-1", service: "s3" };
  const request = { method: "GET", host: "h", path: "/", query: {}, headers: {}, payloadSha256: emptySha256 };
  const midnight = Date.parse("2026-11-16T00:00:00Z");
  const signer = new Signer(options);
  signer.sign(request, midnight - 1);

  const next = signer.sign(request, midnight);

  expect(next).toEqual(new Signer(options).sign(request, midnight));
});

test("a query is sent in the order in which it is signed", () => {
  expect(encodeQuery({ prefix: "a/b c", "max-keys": "2", "list-type": "2" })).toBe(
    "list-type=2&max-keys=2&prefix=a%2Fb%20c",
  );
});

/** The hash that AWS's library needs. */
class Sha256 {
  readonly #hash;

  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = key === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(key));
  }
  update(content: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(content));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

function bytesOf(content: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof content === "string") return Buffer.from(content);
  if (content instanceof ArrayBuffer) return Buffer.from(content);
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

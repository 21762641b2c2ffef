import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ImageFormat } from "@model-gateway/domain/image-profile";
import pino from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import {
  createSignedLinks,
  openLinkSecret,
  type SignedLinks,
} from "../../../src/images/delivery/signed-links.js";
import { openDiskImageStore } from "../../../src/storage/images/disk-image-store.js";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { contract, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";

const context = contractGateway("image");
const size = tinyPng.length;
const hourMs = 3_600_000;
const unknownFile = `${"a".repeat(32)}.png`;

const linkSecret = "a secret of more than 32 letters, shared";
/** A gateway whose images are in a bucket on a port that is closed. */
let withoutBucket: InProcessGateway;
beforeAll(async () => {
  withoutBucket = await startGateway(`
images: { store: s3, endpoint: "http://127.0.0.1:1", bucket: images, region: here-1, accessKeyId: id, secretAccessKey: secret, linkSecret: "${linkSecret}" }
upstreams: {}
models: {}
`);
});
afterAll(() => withoutBucket.stop());

contract("retrieveImageFile", {
  200: [
    {
      name: "the image, with all that a browser should know of it, and no key is needed",
      send: get(() => keep("png")),
      expect: (body, response) => {
        expect(body).toEqual(tinyPng);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          "content-type": "image/png",
          "content-length": String(size),
          "accept-ranges": "bytes",
          etag: expect.stringMatching(/^"[0-9a-f]{32}\.png"$/),
          "cache-control": expect.stringMatching(/^private, max-age=3(600|59\d), immutable$/),
          "x-content-type-options": "nosniff",
          "content-disposition": expect.stringMatching(/^inline; filename="[0-9a-f]{32}\.png"$/),
          "content-security-policy": "default-src 'none'; sandbox",
        });
        expect(response.headers.get("content-range")).toBeNull();
      },
    },
    { name: "a JPEG", send: get(() => keep("jpeg")), expect: hasType("image/jpeg") },
    {
      name: "an animation",
      send: get(() => keep("gif")),
      expect: (_body, response) => {
        expect(response.headers.get("content-type")).toBe("image/gif");
        expect(response.headers.get("content-disposition")).toMatch(/^inline; filename="[0-9a-f]{32}\.gif"$/);
      },
    },
    {
      name: "a vector image, which a browser saves and does not open",
      send: get(() => keep("svg")),
      expect: (_body, response) =>
        expect(Object.fromEntries(response.headers)).toMatchObject({
          "content-type": "image/svg+xml",
          "x-content-type-options": "nosniff",
          "content-disposition": expect.stringMatching(/^attachment; filename="[0-9a-f]{32}\.svg"$/),
          "content-security-policy": "default-src 'none'; sandbox",
        }),
    },
    { name: "a WebP", send: get(() => keep("webp")), expect: hasType("image/webp") },
    {
      name: "its head alone",
      send: get(() => keep("png"), { method: "HEAD" }),
      expect: (body, response) => {
        expect(body).toEqual(Buffer.alloc(0));
        expect(response.headers.get("content-length")).toBe(String(size));
      },
    },
    ...["bytes=0-1,3-4", "bytes=5-2", "pages=1-2", "nonsense"].map((range) => ({
      name: `all of it where the range is ${range}`,
      send: get(() => keep("png"), { headers: { range } }),
      expect: (body: Buffer) => expect(body).toEqual(tinyPng),
    })),
    {
      name: "all of it where the caller has another version",
      send: get(() => keep("png"), { headers: { "if-none-match": '"some-version"' } }),
      expect: (body) => expect(body).toEqual(tinyPng),
    },
    {
      name: "all of it where a part of another version is wanted",
      send: get(() => keep("png"), { headers: { range: "bytes=0-3", "if-range": '"some-version"' } }),
      expect: (body) => expect(body).toEqual(tinyPng),
    },
  ],
  206: [
    {
      name: "a part of the version that the caller has",
      send: async () => {
        const link = await keep("png");
        return context.gateway.send(link, { headers: { range: "bytes=0-7", "if-range": tagOf(link) } });
      },
      expect: isPart(0, 7),
    },
    { name: "the first bytes", send: part("bytes=0-7"), expect: isPart(0, 7) },
    { name: "from a byte to the end", send: part("bytes=8-"), expect: isPart(8, size - 1) },
    { name: "the last bytes", send: part("bytes=-4"), expect: isPart(size - 4, size - 1) },
    {
      name: "up to the end, where more is asked for",
      send: part("bytes=8-99999"),
      expect: isPart(8, size - 1),
    },
  ],
  304: [
    {
      name: "the version that the caller has",
      send: async () => {
        const link = await keep("png");
        return context.gateway.send(link, { headers: { "if-none-match": `W/"other", ${tagOf(link)}` } });
      },
      expect: (body) => expect(body).toEqual(Buffer.alloc(0)),
    },
  ],
  400: [
    {
      name: "a name that no link has",
      send: get(async () => `/v1/images/files/${"a".repeat(200)}.png`),
      expect: saysError("string_above_max_length", "file"),
    },
  ],
  403: [
    {
      name: "a changed signature",
      send: get(async () => (await keep("png")).replace(/signature=.{4}/, "signature=AAAA")),
      expect: saysError("invalid_signature"),
    },
    {
      name: "a later expiry",
      send: get(async () => (await keep("png")).replace(/expires=\d/, "expires=9")),
      expect: saysError("invalid_signature"),
    },
    {
      name: "the signature of another file",
      send: get(async () => {
        const [one, other] = [await keep("png"), await keep("png")];
        return `${one.split("?")[0]}?${other.split("?")[1]}`;
      }),
      expect: saysError("invalid_signature"),
    },
    {
      name: "no signature, where the image is there",
      send: get(async () => (await keep("png")).split("?")[0] ?? ""),
      expect: saysError("invalid_signature"),
    },
    {
      name: "no signature, where it is not, in the same words",
      send: get(async () => "/v1/images/files/nothing"),
      expect: saysError("invalid_signature"),
    },
    {
      name: "an expiry of the past with a forged signature",
      send: get(async () => `/v1/images/files/${unknownFile}?expires=1&signature=${"A".repeat(43)}`),
      expect: saysError("invalid_signature"),
    },
  ],
  410: [
    {
      name: "an expired link",
      send: get(async () => keep("png", { now: () => Date.now() - 2 * hourMs })),
      expect: saysError("link_expired"),
    },
    {
      name: "an image that is gone",
      send: get(async () => (await links()).sign(unknownFile).path),
      expect: saysError("link_expired"),
    },
    {
      name: "a path out of the folder, though it is signed",
      send: get(async () => (await links()).sign("../link-secret").path.replace("../", "..%2F")),
      expect: saysError("link_expired"),
    },
  ],
  416: [
    {
      name: "a range behind the end",
      send: part(`bytes=${size}-`),
      expect: (body, response) => {
        saysError("range_not_satisfiable")(body, response);
        expect(response.headers.get("content-range")).toBe(`bytes */${size}`);
        expect(response.headers.get("cache-control")).toBeNull();
      },
    },
    { name: "none of the last bytes", send: part("bytes=-0"), expect: saysError("range_not_satisfiable") },
  ],
  500: [
    {
      name: "a file that cannot be opened",
      send: get(async () => {
        const file = `${"b".repeat(32)}.png`;
        await symlink(file, join(context.gateway.dataDir, "images", file));
        return (await links()).sign(file).path;
      }),
      expect: (body, response) => {
        saysError("internal_error")(body, response);
        expect(response.headers.get("cache-control")).toBeNull();
      },
    },
  ],
  503: [
    {
      name: "a bucket that cannot be reached",
      send: async () => {
        const file = `${"f".repeat(32)}.png`;
        const signed = createSignedLinks({ secret: Buffer.from(linkSecret), ttlMs: hourMs, now: Date.now });
        return fetch(`${withoutBucket.url}${signed.sign(file).path}`);
      },
      expect: (body, response) => {
        saysError("image_store_unavailable")(body, response);
        expect(response.headers.get("retry-after")).toBe("1");
        expect(response.headers.get("cache-control")).toBeNull();
      },
    },
  ],
});

/** Asks as a browser does: with the link and nothing else. */
function get(path: () => Promise<string>, init?: RequestInit): () => Promise<Response> {
  return async () => fetch(`${context.gateway.url}${await path()}`, init);
}

function part(range: string): () => Promise<Response> {
  return get(() => keep("png"), { headers: { range } });
}

function isPart(start: number, end: number) {
  return (body: Buffer, response: Response) => {
    expect(body).toEqual(tinyPng.subarray(start, end + 1));
    expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end}/${size}`);
    expect(response.headers.get("content-length")).toBe(String(end - start + 1));
  };
}

function hasType(type: string) {
  return (_body: Buffer, response: Response) => expect(response.headers.get("content-type")).toBe(type);
}

/** Puts an image where the gateway keeps its own, and gives the path of a link to it. */
async function keep(format: ImageFormat, { now }: Clock = { now: Date.now }): Promise<string> {
  const { dataDir } = context.gateway;
  const self = { id: 0, isAlive: () => true };
  const log = pino({ level: "silent" });
  const store = await openDiskImageStore({
    dataDir,
    bytesMax: 1_000_000,
    secret: await openLinkSecret(dataDir),
    ttlMs: 2 * hourMs,
    now,
    self,
    log,
  });
  const file = await store.put(tinyPng, format, "key_a");
  await store.close();
  return (await links({ now })).sign(file).path;
}

async function links({ now }: Clock = { now: Date.now }): Promise<SignedLinks> {
  return createSignedLinks({ secret: await openLinkSecret(context.gateway.dataDir), ttlMs: hourMs, now });
}

interface Clock {
  readonly now: () => number;
}

/** The tag of the image behind a link. */
function tagOf(link: string): string {
  return `"${new URL(link, "http://gateway").pathname.split("/").at(-1)}"`;
}

import { imageInMemory } from "@model-gateway/domain/image-input";
import type { RasterFormat } from "@model-gateway/domain/image-profile";
import fc from "fast-check";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { checkManifest } from "./check-manifest.js";
import { storeType } from "./find-manifests.js";
import { hostileStores } from "./test/hostile-stores.js";
import {
  buildStore,
  createSigner,
  embed,
  type Signer,
  type SignOptions,
  signImage,
  superbox,
} from "./test/sign-image.js";

const formats = ["png", "jpeg", "webp"] as const;
let signer: Signer;
const images = new Map<RasterFormat, Buffer>();
beforeAll(async () => {
  signer = await createSigner();
  for (const format of formats) {
    const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } });
    images.set(format, await image.toFormat(format).toBuffer());
  }
});

function signed(options: SignOptions): Buffer {
  return signImage(images.get(options.format) ?? Buffer.alloc(0), signer, options);
}

const check = (content: Buffer, format: RasterFormat = "png") =>
  checkManifest(imageInMemory(content, format));

const valid = {
  state: "valid",
  issuer: "Test Images Inc.",
  model: "test-image-1",
  generatedAt: "2026-11-01T10:20:30.000Z",
  hasOtherExclusions: false,
};

describe.each(formats)("a %s", (format) => {
  test("that is not signed has no manifest", async () => {
    expect(await check(images.get(format) ?? Buffer.alloc(0), format)).toEqual({ state: "absent" });
  });

  test.each([
    ["of the present version", {}],
    ["of the first version", { version: 1 }],
    ["that takes several segments", { thumbnailBytes: 150_000 }],
  ] as const)("with a manifest %s is valid", async (_name, options) => {
    expect(await check(signed({ format, ...options }), format)).toEqual(valid);
  });

  test("whose last byte was changed does not belong to its manifest", async () => {
    const content = signed({ format });
    const at = format === "webp" ? 40 : content.length - 6;
    content[at] = (content[at] ?? 0) ^ 1;

    expect(await check(content, format)).toEqual({ state: "invalid", code: "assertion.dataHash.mismatch" });
  });
});

test("a signature with RSA is verified", async () => {
  const content = signImage(images.get("png") ?? Buffer.alloc(0), await createSigner("ps256"), {
    format: "png",
  });

  expect(await check(content)).toEqual(valid);
});

test.each([
  ["a longer text after the image was signed", "tEXt", "assertion.dataHash.mismatch"],
  ["a second store", "caBX", "manifest.multipleStores"],
] as const)("%s makes it invalid", async (_name, type, code) => {
  const content = signed({ format: "png" });
  const chunk = Buffer.from(`00000001${Buffer.from(type).toString("hex")}4100000000`, "hex");
  const end = content.length - 12;
  const changed = Buffer.concat([content.subarray(0, end), chunk, content.subarray(end)]);

  expect(await check(changed)).toEqual({ state: "invalid", code });
});

/** Changes a text in the manifest by its last letter. */
function corrupt(content: Buffer, text: string): Buffer {
  const changed = Buffer.from(content);
  const at = changed.indexOf(text) + text.length - 1;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test.each([
  ["an assertion", "test-image-1", "assertion.hashedURI.mismatch"],
  ["the claim", "xmp:iid:a8b1c2d3", "claimSignature.mismatch"],
  ["the certificate", "Test Images Inc.", "claimSignature.mismatch"],
  ["the label of the claim", "c2pa.claim.v2", "claim.missing"],
  ["the label of the signature", "\x03c2pa.signature", "claimSignature.missing"],
  ["a reference", "c2pa.assertions/c2pa.actions.v2", "assertion.missing"],
  ["the length of a box", "jumb", "manifest.structure.invalid"],
] as const)("a change of %s is noticed", async (_name, text, code) => {
  const content = signed({ format: "png" });
  const changed = corrupt(content, text);

  expect(await check(changed)).toEqual({ state: "invalid", code });
});

test("an assertion that the claim does not name makes the manifest invalid", async () => {
  const content = signed({ format: "png", undeclared: ["org.example.extra"] });

  expect(await check(content)).toEqual({ state: "invalid", code: "assertion.undeclared" });
});

test("a manifest that is bound in another way is not checked, and not called valid or invalid", async () => {
  expect(await check(signed({ format: "png", binding: "c2pa.hash.boxes" }))).toEqual({
    state: "unchecked",
    reason: "The manifest is bound to the image by c2pa.hash.boxes, which is not supported.",
  });
  expect(await check(signed({ format: "png", binding: "org.example.hash" }))).toEqual({
    state: "invalid",
    code: "claim.hardBindings.missing",
  });
});

test("a claim may name its assertions by the whole path, in two lists, and each with its hash algorithm", async () => {
  const byPath = signed({
    format: "png",
    changeReference: ({ url, hash }, manifest) => ({
      url: url.replace("#jumbf=", `#jumbf=/c2pa/${manifest}/`),
      hash,
    }),
  });
  const inTwoLists = signed({
    format: "png",
    changeClaim: ({ created_assertions: references, ...claim }) => {
      const [binding, ...others] = references as object[];
      return { ...claim, created_assertions: [binding], gathered_assertions: others };
    },
  });
  const ofTheirOwn = signed({
    format: "png",
    changeReference: (reference) => ({ ...reference, alg: "sha256" }),
    changeClaim: (claim) => ({ ...claim, alg: "sha512" }),
  });
  const byDefault = signed({ format: "png", changeClaim: ({ alg: _alg, ...claim }) => claim });

  for (const content of [byPath, inTwoLists, ofTheirOwn, byDefault])
    expect(await check(content)).toEqual(valid);
});

const urlTo = (path: string) => ({ changeReference: ({ hash }: { hash: Buffer }) => ({ url: path, hash }) });
test.each<readonly [string, Omit<SignOptions, "format">, string]>([
  [
    "an assertion of another manifest",
    urlTo("self#jumbf=/c2pa/urn:c2pa:other/c2pa.assertions/a"),
    "assertion.outsideManifest",
  ],
  [
    "an assertion of another store",
    urlTo("self#jumbf=/other/urn/c2pa.assertions/a"),
    "assertion.outsideManifest",
  ],
  [
    "a path that begins with a name",
    urlTo("self#jumbf=a/c2pa/urn/c2pa.assertions/a"),
    "assertion.outsideManifest",
  ],
  ["a data box", urlTo("self#jumbf=c2pa.databoxes/a"), "assertion.outsideManifest"],
  ["an assertion without a label", urlTo("self#jumbf=c2pa.assertions/"), "assertion.outsideManifest"],
  ["a box of an assertion", urlTo("self#jumbf=c2pa.assertions/a/b"), "assertion.outsideManifest"],
  ["an assertion elsewhere", urlTo("https://images.example/c2pa.assertions/a"), "assertion.outsideManifest"],
  ["an assertion by a path alone", urlTo("c2pa.assertions/c2pa.actions.v2"), "assertion.outsideManifest"],
  ["a very long path", urlTo(`self#jumbf=c2pa.assertions/${"a".repeat(2000)}`), "claim.malformed"],
  ["an assertion without its hash", { changeReference: ({ url }) => ({ url }) }, "claim.malformed"],
  [
    "an assertion twice",
    { changeClaim: (claim) => ({ ...claim, gathered_assertions: claim.created_assertions }) },
    "claim.malformed",
  ],
  ["nothing", { changeClaim: (claim) => ({ ...claim, created_assertions: [] }) }, "claim.malformed"],
  ["texts", { changeClaim: (claim) => ({ ...claim, created_assertions: ["a"] }) }, "claim.malformed"],
  ["no list", { changeClaim: (claim) => ({ ...claim, created_assertions: "a" }) }, "claim.malformed"],
  [
    "hashes of an unknown kind",
    { changeClaim: (claim) => ({ ...claim, alg: "md5" }) },
    "algorithm.unsupported",
  ],
])("a claim that names %s makes the manifest invalid", async (_name, options, code) => {
  expect(await check(signed({ format: "png", ...options }))).toEqual({ state: "invalid", code });
});

test.each<readonly [string, Omit<SignOptions, "format">, string]>([
  ["two claims", { parts: [superbox("c2cl", "c2pa.claim", [])] }, "claim.multiple"],
  ["two assertions of one label", { undeclared: ["c2pa.actions.v2"] }, "manifest.structure.invalid"],
  ["two bindings", { assertions: [["c2pa.hash.boxes", {}]] }, "assertion.multipleHardBindings"],
])("a manifest with %s is invalid", async (_name, options, code) => {
  expect(await check(signed({ format: "png", ...options }))).toEqual({ state: "invalid", code });
});

test("the certificate may be in the open headers, by its name, and without a list", async () => {
  const places: NonNullable<SignOptions["headersOf"]>[] = [
    (certificate) => [[["x5chain", [certificate]]], {}],
    (certificate) => [[[33, certificate]], {}],
    (certificate) => [[], { x5chain: [certificate, Buffer.alloc(3)] }],
  ];

  for (const headersOf of places) expect(await check(signed({ format: "png", headersOf }))).toEqual(valid);
});

test.each<readonly [string, NonNullable<SignOptions["headersOf"]>]>([
  ["no certificate", () => [[], {}]],
  ["an empty list of them", () => [[[33, []]], {}]],
  ["bytes that are none", () => [[[33, [Buffer.from("no certificate")]]], {}]],
])("a signature with %s is invalid", async (_name, headersOf) => {
  expect(await check(signed({ format: "png", headersOf }))).toEqual({
    state: "invalid",
    code: "signingCredential.invalid",
  });
});

test("a certificate that is too large is not parsed", async () => {
  const headersOf = () => [[[33, [Buffer.alloc(16 * 1024 + 1)]]], {}] as const;

  expect(await check(signed({ format: "png", headersOf }))).toMatchObject({
    state: "unchecked",
    reason: expect.stringContaining("more than 16384 bytes"),
  });
});

test("a signature of an algorithm that does not fit its key, or that is not allowed, is invalid", async () => {
  const as = (algorithm: number) =>
    check(signImage(images.get("png") ?? Buffer.alloc(0), { ...signer, algorithm }, { format: "png" }));

  expect(await as(-37)).toEqual({ state: "invalid", code: "claimSignature.mismatch" });
  expect(await as(-35)).toEqual({ state: "invalid", code: "claimSignature.mismatch" });
  expect(await as(-99)).toEqual({ state: "invalid", code: "algorithm.unsupported" });
});

test("a signer without an organisation goes by its name", async () => {
  const named = await createSigner("es256", { organisation: null });
  const content = signImage(images.get("png") ?? Buffer.alloc(0), named, { format: "png" });

  expect(await check(content)).toEqual({ ...valid, issuer: "Test signer" });
});

test.each([
  ["a text as its software", { softwareAgent: "test-image-2" }, { model: "test-image-2" }],
  ["a long name", { softwareAgent: "a".repeat(300) }, { model: "a".repeat(256) }],
  ["no software", { softwareAgent: null }, { model: null }],
  ["no time", { when: "yesterday" }, { generatedAt: null }],
  ["a very long time", { when: `2026-11-01T10:20:30.${"0".repeat(60)}Z` }, { generatedAt: null }],
  ["another action", { action: "c2pa.opened" }, { model: null, generatedAt: null }],
])("a valid manifest whose action has %s says so", async (_name, created, facts) => {
  expect(await check(signed({ format: "png", created }))).toEqual({ ...valid, ...facts });
});

test("the action that created the image may be in the first version of its list", async () => {
  const created = { action: "c2pa.created", softwareAgent: "test-image-1", when: "2026-11-01T10:20:30Z" };
  const content = signed({
    format: "png",
    created: { action: "c2pa.edited" },
    assertions: [["c2pa.actions", { actions: [created] }]],
  });

  expect(await check(content)).toEqual(valid);
});

test("an update manifest is not checked", async () => {
  const store = buildStore(signer, { format: "png" });
  store.write("c2um", store.indexOf("c2ma"));
  const { file } = embed(images.get("png") ?? Buffer.alloc(0), store, "png");

  expect(await check(file)).toMatchObject({ state: "unchecked" });
});

test("bytes that the signer has left out are reported", async () => {
  const length = embed(
    images.get("png") ?? Buffer.alloc(0),
    buildStore(signer, { format: "png", excludes: { start: 0, length: 1 } }),
    "png",
  ).length;
  const content = signed({ format: "png", excludes: { start: 33 + length + 8, length: 4 } });
  const changed = Buffer.from(content);
  changed[33 + length + 9] = 255;

  expect(await check(content)).toEqual({ ...valid, hasOtherExclusions: true });
  expect(await check(changed)).toEqual({ ...valid, hasOtherExclusions: true });
});

test("exclusions that are not in order are refused", async () => {
  const content = signed({ format: "png", excludes: { start: 20, length: 14 } });

  expect(await check(content)).toEqual({ state: "invalid", code: "assertion.dataHash.malformed" });
});

test.each(formats)("bytes of a %s beside the manifest cannot be left out in its name", async (format) => {
  const content = signed({ format, wider: 4 });

  expect(await check(content, format)).toEqual({ state: "invalid", code: "assertion.dataHash.mismatch" });
});

test("another signer's manifest does not fit", async () => {
  const content = signed({ format: "png" });
  const other = await createSigner();
  const { certificate } = other;
  const at = content.indexOf(signer.certificate);
  // Of the same length or not, it is another key.
  certificate.copy(content, at, 0, Math.min(certificate.length, signer.certificate.length));

  expect(await check(content)).toMatchObject({ state: "invalid" });
});

test.each(formats)(
  "no damage makes the manifest of a %s say something else, and none is an error",
  async (format) => {
    const content = signed({ format });
    const at = fc.integer({ min: 12, max: content.length - 1 });
    const changes = fc.array(fc.tuple(at, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 });
    const copies = fc.array(fc.tuple(at, at, fc.integer({ min: 1, max: 300 })), { maxLength: 1 });
    await fc.assert(
      fc.asyncProperty(changes, copies, async (changedBytes, copiedBytes) => {
        const changed = Buffer.from(content);
        for (const [place, bits] of changedBytes) changed[place] = (changed[place] ?? 0) ^ bits;
        for (const [to, from, length] of copiedBytes) changed.copy(changed, to, from, from + length);

        const result = await check(changed, format);

        // Some bytes say nothing, such as those that fill up. A change of any other is noticed.
        if (result.state === "valid") expect(result).toEqual(valid);
      }),
      { numRuns: 300 },
    );
  },
);

test.each([
  ["an empty store", Buffer.alloc(0)],
  ["zeros", Buffer.alloc(4096)],
  [
    "boxes in boxes",
    Buffer.concat(Array.from({ length: 3000 }, (_, depth) => box("jumb", 8 * (3000 - depth)))),
  ],
] as const)("%s is invalid", async (_name, store) => {
  const { file } = embed(images.get("png") ?? Buffer.alloc(0), store, "png");

  expect(await check(file)).toEqual({ state: "invalid", code: "manifest.structure.invalid" });
});

test.each(hostileStores())("%s is not read to its end", async (_name, make, reason) => {
  const { file } = embed(images.get("png") ?? Buffer.alloc(0), make(), "png");

  expect(await check(file)).toEqual({ state: "unchecked", reason });
});

test("a store in thousands of segments is not put together", async () => {
  const image = images.get("jpeg") ?? Buffer.alloc(0);
  const described = box("jumd", 24);
  const segments = Array.from({ length: 2000 }, (_, index) => {
    const head = Buffer.from("ffeb00004a50000000000000000000106a756d62", "hex");
    const content = index === 0 ? Buffer.concat([described, storeType]) : Buffer.alloc(8);
    head.writeUInt16BE(18 + content.length, 2);
    head.writeUInt32BE(index + 1, 8);
    return Buffer.concat([head, content]);
  });
  const content = Buffer.concat([image.subarray(0, 2), ...segments, image.subarray(2)]);

  expect(await check(content, "jpeg")).toEqual({
    state: "unchecked",
    reason: "The manifest has more than 1000 parts.",
  });
});

function box(type: string, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write(type, 4);
  return head;
}

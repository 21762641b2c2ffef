import { expect, test } from "vitest";
import { faultsOf, load, minimal } from "../test/load-text.js";

const secrets = { S3_ID: "AKIA", S3_SECRET: "very-secret", LINK_SECRET: "x".repeat(32) };
const bucket = `store: s3, endpoint: "https://s3.example/", bucket: gateway-images, region: eu-central-1, accessKeyId: "\${S3_ID}", secretAccessKey: "\${S3_SECRET}"`;

test("images are on disk by default", () => {
  const expected = { linkTtlMs: 3_600_000, storeBytesMax: 1024 * 1024 * 1024 };

  expect(load(minimal).images).toEqual(expected);
  expect(load(`images: { store: disk }\n${minimal}`).images).toEqual(expected);
});

test("images may be in a bucket, with links that last longer", () => {
  const config = load(
    `images: { ${bucket}, linkTtl: 2h, linkSecret: "\${LINK_SECRET}" }\n${minimal}`,
    secrets,
  );

  expect(config.images).toEqual({
    linkTtlMs: 7_200_000,
    storeBytesMax: 1024 * 1024 * 1024,
    linkSecret: secrets.LINK_SECRET,
    s3: {
      endpoint: "https://s3.example",
      bucket: "gateway-images",
      region: "eu-central-1",
      credentials: { accessKeyId: "AKIA", secretAccessKey: "very-secret" },
      prefix: "model-gateway",
      addressing: "path",
    },
  });
  expect(config.warnings).toEqual([]);
});

test("a bucket may have a prefix, another addressing and temporary credentials", () => {
  const config = load(
    `images: { ${bucket}, prefix: team/gateway, addressing: virtual-hosted, sessionToken: "\${TOKEN}" }\n${minimal}`,
    { ...secrets, TOKEN: "temporary", DATABASE_URL: "postgres://localhost/gateway" },
  );

  expect(config.images.s3).toMatchObject({
    prefix: "team/gateway",
    addressing: "virtual-hosted",
    credentials: { sessionToken: "temporary" },
  });
});

test("a bucket may do without an access key, and not with half of one or with two sources", () => {
  const keyless = bucket.replace(/, accessKeyId.*/, "");
  const role = "arn:aws:iam::123456789012:role/images";
  const shared = { ...secrets, DATABASE_URL: "postgres://localhost/gateway" };
  const text = `images: { ${keyless}, profile: work, role: { arn: "${role}", externalId: e-1 } }\n${minimal}`;

  expect(load(text, shared).images.s3?.credentials).toEqual({
    profile: "work",
    role: { arn: role, externalId: "e-1" },
  });
  expect(faultsOf(`images: { ${keyless}, accessKeyId: AKIA, profile: work }\n${minimal}`, shared)).toEqual([
    "gateway.yaml:1:9  images.secretAccessKey: is missing; an access key has both parts",
    expect.stringMatching(/images\.profile: is used instead of accessKeyId; remove one of the two$/),
  ]);
  expect(faultsOf(`images: { ${keyless}, role: { arn: me } }\n${minimal}`, shared)).toEqual([
    expect.stringMatching(/images\.role\.arn: must be the ARN of a role$/),
  ]);
});

test("a bucket needs a secret for links that replicas share", () => {
  const text = `images: { ${bucket} }\n${minimal}`;

  expect(faultsOf(text, secrets)).toEqual([
    "gateway.yaml:1:9  images.linkSecret: is required with store: s3, because replicas sign links with the same secret; set linkSecret, or databaseUrl, where the gateway then keeps one",
  ]);
  expect(load(text, { ...secrets, DATABASE_URL: "postgres://localhost/gateway" }).images.s3).toBeDefined();
  expect(load(`databaseUrl: postgres://localhost/gateway\n${text}`, secrets).images.s3).toBeDefined();
});

test("every fault of a bucket names its field, and quotes no value", () => {
  const faults = faultsOf(
    `images:
  store: s3
  endpoint: https://user:hidden@s3.example/path
  bucket: Not_A_Bucket
  region: "two words"
  secretAccessKey: ""
  prefix: /leading
  addressing: host
  linkSecret: too-short
${minimal}`,
  );

  expect(faults).toEqual([
    "gateway.yaml:3:13  images.endpoint: must be a host without a path, a query or a password, such as https://s3.example",
    "gateway.yaml:4:11  images.bucket: must be the name of a bucket: 3 to 63 of a-z, 0-9, - and .",
    "gateway.yaml:5:11  images.region: must be the name of a region, such as eu-central-1",
    "gateway.yaml:6:20  images.secretAccessKey: must have at least 1 character",
    "gateway.yaml:7:11  images.prefix: must be letters, digits, _ . - and / between them",
    "gateway.yaml:8:15  images.addressing: must be one of: path, virtual-hosted",
    "gateway.yaml:9:15  images.linkSecret: must have at least 32 characters",
  ]);
});

test("another kind of store, and bucket keys without a bucket, are refused by name", () => {
  expect(faultsOf(`images: { store: gcs }\n${minimal}`)).toEqual([
    "gateway.yaml:1:18  images.store: must be one of: disk, s3",
  ]);
  expect(faultsOf(`images: { bucket: gateway-images }\n${minimal}`)).toEqual([
    "gateway.yaml:1:19  images.bucket: is not a known key; known keys: store, linkTtl, storeBytesMax, linkSecret, credentials, provenanceUpstream, labelUnsigned",
  ]);
});

test("a secret in the file as plain text is a warning", () => {
  const config = load(
    `images: { ${bucket.replace("${S3_SECRET}", "in-the-file")}, sessionToken: as-well, linkSecret: "\${LINK_SECRET}" }\n${minimal}`,
    secrets,
  );

  expect(config.warnings).toEqual([
    "images.secretAccessKey is in the configuration file as plain text. Use ${NAME} instead.",
    "images.sessionToken is in the configuration file as plain text. Use ${NAME} instead.",
  ]);
});

test("content credentials: converted by default, kept by all models or by one", () => {
  const text = `
upstreams: { local: { provider: local } }
models:
  usual: { type: image, targets: [{ upstream: local, model: local-sketch }] }
  keeps: { type: image, credentials: keep, targets: [{ upstream: local, model: local-sketch }] }
  converts: { type: image, credentials: convert, targets: [{ upstream: local, model: local-sketch }] }`;
  const keepsOf = (more: string) =>
    [...load(`${more}${text}`).models.values()].map(
      (model) => model.type === "image" && model.profile.keepsCredentials,
    );

  expect(keepsOf("")).toEqual([undefined, true, undefined]);
  expect(keepsOf("images: { credentials: keep }")).toEqual([true, true, undefined]);
  expect(faultsOf(`images: { credentials: drop }${text}`)).toEqual([
    "gateway.yaml:1:24  images.credentials: must be one of: keep, convert",
  ]);
});

test("images without credentials are labelled if that is asked for, with a provider or without", () => {
  expect(load(minimal).labelUnsigned).toBeUndefined();
  expect(load(`images: { labelUnsigned: true }\n${minimal}`).labelUnsigned).toEqual({});
  expect(load(`images: { labelUnsigned: { provider: Example } }\n${minimal}`).labelUnsigned).toEqual({
    provider: "Example",
  });
});

test("the upstream of provenance checks exists, and can make them", () => {
  const upstreams = `
upstreams:
  ours: { provider: openai, apiKey: "\${KEY}" }
  local: { provider: local }
models: {}`;
  const environment = { KEY: "any-key" };

  expect(load(`images: { provenanceUpstream: ours }${upstreams}`, environment).provenanceUpstream).toBe(
    "ours",
  );
  expect(faultsOf(`images: { provenanceUpstream: local }${upstreams}`, environment)).toEqual([
    "gateway.yaml:1:31  images.provenanceUpstream: the provider local checks no provenance; these do: openai, openai-compatible, azure",
  ]);
  expect(faultsOf(`images: { provenanceUpstream: other }${upstreams}`, environment)).toEqual([
    'gateway.yaml:1:31  images.provenanceUpstream: there is no upstream "other"; add it under upstreams',
  ]);
});

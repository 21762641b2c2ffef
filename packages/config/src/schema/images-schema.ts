import { contentCredentialsSettings } from "@model-gateway/domain/content-credentials";
import { duration } from "@model-gateway/domain/settings";
import {
  awsCredentialSettings,
  checkAwsCredentials,
} from "@model-gateway/providers/http/credentials/aws/settings";
import { unlessFaulty } from "@model-gateway/providers/http/settings";
import { z } from "zod";

const links = {
  linkTtl: duration
    .default("1h")
    .describe("How long a link to an image is valid, such as 90s, 15m, 24h or 7d."),
  storeBytesMax: z
    .int()
    // The ten images of one response must fit together, or a link would fail before it is read.
    .min(256 * 1024 * 1024)
    .default(1024 * 1024 * 1024)
    .describe(
      "Disk for images behind links, in bytes. Beyond it, the key that holds the most loses its oldest. With store: s3, disk for images that wait for their upload; the bucket has no limit.",
    ),
  linkSecret: z
    .string()
    .min(32)
    .optional()
    .describe(
      "The secret that signs links. Replicas must share it. Take it from the environment: ${NAME}. Default: created once and kept in dataDir, or with store: s3 in the database.",
    ),
};

const credentials = {
  credentials: z
    .enum(contentCredentialsSettings)
    .default("convert")
    .describe(
      "Content credentials (C2PA) of images. keep: a request that would need a conversion, which removes them, is refused. convert: it is served, and the response says that they were removed. A model may have its own value.",
    ),
  provenanceUpstream: z
    .string()
    .min(1)
    .optional()
    .describe(
      "The upstream that receives the images of /v1/content_provenance_checks, for what the gateway cannot check itself. Its provider must have the operation. Default: none; images stay here.",
    ),
  labelUnsigned: z
    .union([
      z.boolean(),
      z.strictObject({
        provider: z
          .string()
          .min(1)
          .max(200)
          .describe("The name of the provider. Default: that of the upstream's provider."),
      }),
    ])
    .default(false)
    .describe(
      "Writes into each png, jpeg and webp without content credentials that it was generated (IPTC trainedAlgorithmicMedia), with the provider, the model, the time and an id. A signed image is never changed.",
    ),
};

const bucket = {
  endpoint: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL, such as https://s3.example" })
    .refine(isOrigin, "must be a host without a path, a query or a password, such as https://s3.example")
    .describe("The address of the S3-compatible store, without the bucket."),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket: 3 to 63 of a-z, 0-9, - and .")
    .describe("The name of the bucket. It must exist."),
  region: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a region, such as eu-central-1")
    .describe("The region of the bucket. Stores that have no regions accept us-east-1 or auto."),
  ...awsCredentialSettings,
  prefix: z
    .string()
    .max(256)
    .regex(/^([A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*)?$/, "must be letters, digits, _ . - and / between them")
    .default("model-gateway")
    .describe("The prefix of all object keys. Gateways that share a bucket need different prefixes."),
  addressing: z
    .enum(["path", "virtual-hosted"])
    .default("path")
    .describe("Where the name of the bucket is in a URL: in the path, or before the host."),
};

/** Images: their content credentials, and the storage of those behind links, on disk or in a bucket. */
export const imagesSchema = z
  .discriminatedUnion("store", [
    z.strictObject({
      store: z.literal("disk").optional().describe("Where images are stored: disk, the default, or s3."),
      ...links,
      ...credentials,
    }),
    z
      .strictObject({
        store: z.literal("s3").describe("Where images are stored: disk, the default, or s3."),
        ...bucket,
        ...links,
        ...credentials,
      })
      .superRefine(
        (settings, context) =>
          checkAwsCredentials(settings, (path, message) =>
            context.addIssue({ code: "custom", path: [path], message }),
          ),
        unlessFaulty(...Object.keys(awsCredentialSettings)),
      ),
  ])
  .prefault({})
  .describe("Links to images, and content credentials.");

function isOrigin(text: string): boolean {
  const { pathname, search, hash, username, password } = new URL(text);
  return pathname === "/" && `${search}${hash}${username}${password}` === "";
}

import { z } from "zod";
import { upstreamSchema } from "../providers/registry.js";
import { imagesSchema } from "./images-schema.js";
import { modelSchema } from "./model-schema.js";
import { duration, keySchema, milliseconds, name, positive, webhookSchema } from "./schema-parts.js";

/** The configuration file as an operator writes it. Editors show the descriptions, through the JSON Schema. */

const limits = z
  .strictObject({
    jsonBytesMax: positive.default(32 * 1024 * 1024).describe("The largest JSON body, in bytes."),
    fileBytesMax: positive.default(50 * 1024 * 1024).describe("The largest image in a form, in bytes."),
    bodiesBytesMax: positive
      .min(64 * 1024 * 1024)
      .default(512 * 1024 * 1024)
      .describe(
        "Memory of one process for the bodies of requests and replies in flight, in bytes. Large requests wait for it, and are refused after a while.",
      ),
    cacheBytesMax: positive.default(64 * 1024 * 1024).describe("Memory for cached vectors, in bytes."),
    idempotencyBytesMax: positive
      .default(512 * 1024 * 1024)
      .describe("Disk for responses that are stored for their Idempotency-Key, in bytes."),
    ledgerBytesMax: positive
      .min(1024 * 1024)
      .default(256 * 1024 * 1024)
      .describe("Disk for ledger rows that the database does not have yet, in bytes."),
    diskReserveBytes: positive
      .default(64 * 1024 * 1024)
      .describe(
        "With less disk space than this, in bytes, the gateway takes no files and stores no images, so that the ledger and the database can still be written.",
      ),
    stopMs: positive
      .default(25_000)
      .describe(
        "How long a stop may take after SIGTERM, in milliseconds. Requests in flight may take 80 % of it.",
      ),
    stopDelayMs: z
      .int()
      .min(0)
      .default(500)
      .describe(
        "How long new connections are served after SIGTERM, in milliseconds, while /readyz already returns 503. At most half of stopMs.",
      ),
  })
  .prefault({})
  .describe("The resources that the gateway may use.");

const retention = z
  .strictObject({
    requests: duration
      // A row that is sent to the database twice, after a crash, must find itself there.
      .refine((text) => milliseconds(text) >= 86_400_000, "must be at least 1d")
      .optional()
      .describe("How long single requests are kept in the ledger, such as 90d. Default: forever."),
  })
  .optional()
  .describe("When old data is deleted. Usage by hour and day is always kept.");

export const configSchema = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("The address to listen on. HOST overrides it."),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(8080)
    .describe("The port to listen on. 0 takes any free port. PORT overrides it."),
  tls: z
    .strictObject({
      cert: z
        .string()
        .min(1)
        .describe("The gateway's certificate, followed by its chain: the path of a PEM file, or PEM text."),
      key: z
        .string()
        .min(1)
        .describe("The private key of cert: the path of a PEM file, or PEM text from ${NAME}."),
    })
    .optional()
    .describe("Serves https instead of http. Changed files are read again while the gateway runs."),
  workers: positive
    .max(64)
    .default(1)
    .describe(
      "The number of processes that serve requests. More than one needs databaseUrl and redisUrl. WORKERS overrides it.",
    ),
  dataDir: z
    .string()
    .min(1)
    .default("./data")
    .describe("The folder for the gateway's files. DATA_DIR overrides it."),
  logLevel: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("The lowest level that is logged. LOG_LEVEL overrides it."),
  exposeUpstream: z
    .boolean()
    .default(true)
    .describe(
      "Whether responses name the upstream and count the attempts, in x-gateway-upstream and x-gateway-attempts.",
    ),
  publicUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL, such as https://gateway.example" })
    .optional()
    .describe(
      "The start of links to images. PUBLIC_URL overrides it. Default: the host in the caller's request.",
    ),
  redisUrl: z
    .url({ protocol: /^rediss?$/, error: "must be a redis or rediss URL, such as redis://localhost:6379" })
    .optional()
    .describe(
      "A Redis in which replicas share cached vectors, rate limits, budgets and what they learn of targets. REDIS_URL overrides it.",
    ),
  databaseUrl: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: "must be a postgres URL, such as postgres://user@localhost/gateway",
    })
    .optional()
    .describe(
      "A PostgreSQL in which replicas share keys and the ledger. DATABASE_URL overrides it. Default: a SQLite file in dataDir.",
    ),
  adminKey: z
    .string()
    .min(16)
    .optional()
    .describe(
      "The key of the admin API. GATEWAY_ADMIN_KEY overrides it. Default: created on the first start and printed once.",
    ),
  keySecret: z
    .string()
    .min(32)
    .optional()
    .describe(
      "The HMAC secret for the digests of keys. It cannot be changed later. GATEWAY_KEY_SECRET overrides it. Default: created once and kept in the database.",
    ),
  keys: z
    .array(keySchema)
    .default([])
    .describe("The callers' keys. Without one, each start creates a key and prints it."),
  upstreams: z.record(name, upstreamSchema).describe("The services that models run on, by name."),
  models: z.record(name, modelSchema).describe("The models that callers may use, by id."),
  limits,
  images: imagesSchema,
  retention,
  webhooks: z
    .array(webhookSchema)
    .max(20)
    .default([])
    .describe("URLs that are told when budgets run out and when targets change their state."),
});

export type ConfigFile = z.output<typeof configSchema>;

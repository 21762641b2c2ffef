import { z } from "zod";
import { modelSchema } from "./model-schema.js";
import { duration, keySchema, name, positive } from "./schema-parts.js";

/** The configuration file as an operator writes it. Descriptions end up in the JSON Schema that editors show. */

const remote = {
  apiKey: z
    .string()
    .min(1)
    .optional()
    .describe("Sent to the upstream as a bearer token. Take it from the environment: ${NAME}."),
  timeoutMs: positive
    .max(3_600_000)
    .optional()
    .describe("The longest a request may take. Default: 60000 for embeddings, 300000 for images."),
};
const links = {
  allowPrivateUrls: z
    .boolean()
    .default(false)
    .describe("Whether links to images in its answers may be http and on a private network."),
};
const baseUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

const upstream = z.discriminatedUnion("provider", [
  z.strictObject({
    provider: z.literal("openai"),
    baseUrl: baseUrl.default("https://api.openai.com/v1"),
    ...remote,
    ...links,
  }),
  z.strictObject({
    provider: z.literal("openai-compatible"),
    baseUrl: baseUrl.describe("The address below which /embeddings and /images/... are found."),
    ...remote,
    ...links,
  }),
  z.strictObject({
    provider: z.literal("local"),
    modelFolders: z
      .record(name, z.string().min(1))
      .default({})
      .describe("More embedding models: a name, and a folder that holds model.onnx and tokenizer.json."),
  }),
]);

const limits = z
  .strictObject({
    jsonBytesMax: positive.default(32 * 1024 * 1024).describe("The largest JSON body."),
    fileBytesMax: positive.default(50 * 1024 * 1024).describe("The largest image in a form."),
    cacheBytesMax: positive.default(64 * 1024 * 1024).describe("How much memory cached vectors may take."),
    idempotencyBytesMax: positive
      .default(512 * 1024 * 1024)
      .describe("How much of the disk answers that are kept for their Idempotency-Key may take."),
    ledgerBytesMax: positive
      .min(1024 * 1024)
      .default(256 * 1024 * 1024)
      .describe("How much of the disk rows of the ledger may take that the database has not got yet."),
    stopMs: positive.default(30_000).describe("How long requests under way may take after SIGTERM."),
  })
  .prefault({});

const images = z
  .strictObject({
    linkTtl: duration.default("1h").describe("How long a link to an image works: 90s, 15m, 24h, 7d."),
    storeBytesMax: z
      .int()
      // Ten large images must have room together, or a link would be dead before it is read.
      .min(256 * 1024 * 1024)
      .default(1024 * 1024 * 1024)
      .describe("How much of the disk images behind links may take. The oldest make room for new ones."),
    linkSecret: z
      .string()
      .min(32)
      .optional()
      .describe(
        "Signs links; replicas must share it. Take it from the environment: ${NAME}. Default: made once and kept in dataDir.",
      ),
  })
  .prefault({});

export const configSchema = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("The address to listen on. HOST overrides it."),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(8080)
    .describe("The port to listen on; 0 takes any. PORT overrides it."),
  workers: positive
    .max(64)
    .default(1)
    .describe(
      "How many processes serve requests. More than one need databaseUrl and redisUrl. WORKERS overrides it.",
    ),
  dataDir: z.string().min(1).default("./data").describe("Where files are kept. DATA_DIR overrides it."),
  logLevel: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("LOG_LEVEL overrides it."),
  exposeUpstream: z
    .boolean()
    .default(true)
    .describe("Whether answers say in x-gateway-upstream and x-gateway-attempts who was asked."),
  publicUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe(
      "The address that links to images begin with. PUBLIC_URL overrides it. Default: the Host of the request.",
    ),
  redisUrl: z
    .url({ protocol: /^rediss?$/, error: "must be a redis or rediss URL" })
    .optional()
    .describe("Shares cached vectors between replicas. REDIS_URL overrides it."),
  databaseUrl: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres URL" })
    .optional()
    .describe(
      "A PostgreSQL in which replicas share keys and the ledger. DATABASE_URL overrides it. Default: a SQLite file in dataDir.",
    ),
  adminKey: z
    .string()
    .min(16)
    .optional()
    .describe(
      "Opens the admin API. GATEWAY_ADMIN_KEY overrides it. Default: made on the first start and printed once.",
    ),
  keySecret: z
    .string()
    .min(32)
    .optional()
    .describe(
      "What keys are digested with; it cannot be changed later. GATEWAY_KEY_SECRET overrides it. Default: made once and kept in the database.",
    ),
  keys: z
    .array(keySchema)
    .default([])
    .describe("Who may call. With none, a key is made for each run and printed."),
  upstreams: z.record(name, upstream).describe("The services that models run on, by name."),
  models: z.record(name, modelSchema).describe("What callers may ask for, by id."),
  limits,
  images,
});

export type ConfigFile = z.output<typeof configSchema>;

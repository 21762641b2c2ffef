import { headerTokenRule, isHeaderToken } from "@model-gateway/domain/header-token";
import { type ModelOperation, modelPaths } from "@model-gateway/domain/operations";
import { duration, milliseconds, name, positive } from "@model-gateway/domain/settings";
import { upstreamSchema } from "@model-gateway/providers/registry";
import { z } from "zod";
import { defaultDataDir } from "../data-dir.js";
import { modelSchema } from "../kinds/kinds.js";
import { batchesSchema } from "./batches-schema.js";
import { filesSchema } from "./files-schema.js";
import { imagesSchema } from "./images-schema.js";
import { jobsSchema } from "./jobs-schema.js";
import { keySchema, operatorSchema, proxyRange, webhookSchema } from "./schema-parts.js";
import { secretsSchema } from "./secrets-schema.js";

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
    uploadsBytesMax: positive
      .default(128 * 1024 * 1024)
      .describe(
        "Memory of one process for the files of forms in flight, in bytes. Files that find no room in it go to disk.",
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
        "With less disk space than this, in bytes, the gateway writes no files of forms and stores no images, so that the ledger and the database can still be written.",
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
    stallMs: positive
      .min(1000)
      .max(86_400_000)
      .default(30_000)
      .describe(
        "How long the event loop may be blocked, in milliseconds. Then its stack is logged, and the gateway does what onStall says.",
      ),
  })
  .prefault({})
  .describe("The resources that the gateway may use.");

const cache = z
  .strictObject({
    disk: z
      .strictObject({
        bytesMax: positive
          .min(16 * 1024 * 1024)
          .describe(
            "Disk for cached vectors and their log of changes, in bytes. The oldest vectors are deleted first.",
          ),
      })
      .optional()
      .describe(
        "Keeps cached vectors in dataDir, so that they survive a restart, for the ttl of their model. Default: off.",
      ),
    partitionBy: z
      .enum(["owner", "key"])
      .optional()
      .describe(
        "Keeps cached vectors and upstream calls separate for each key owner, or for each key. Default: all callers share them.",
      ),
  })
  .default({})
  .describe(
    "Where vectors are cached, beside memory and Redis, and who shares them. Which ones: cache of each model.",
  );

const drift = z
  .strictObject({
    every: duration
      .refine(
        (text) => milliseconds(text) >= 60_000 && milliseconds(text) <= 7 * 86_400_000,
        "must be 1m to 7d",
      )
      .default("24h")
      .describe("How often each target is checked, beside the start and every reload."),
    action: z
      .enum(["report", "exclude"])
      .default("report")
      .describe(
        "The effect on a target whose vectors have changed. report: it is only reported. exclude: it also gets no requests until its vectors are accepted.",
      ),
    cosineMin: z
      .number()
      .min(0)
      .max(1)
      .default(0.999)
      .describe("The lowest cosine to the recorded vectors that counts as unchanged."),
  })
  .optional()
  .describe(
    "Embeds a small fixed set of texts, some 300 tokens, at each target of an embedding model, and compares the vectors with the recorded ones. Default: off.",
  );

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

const defaultModels = Object.fromEntries(
  Object.entries(modelPaths).map(([operation, path]) => [
    operation,
    name.optional().describe(`The default model of POST ${path}.`),
  ]),
) as Record<ModelOperation, z.ZodOptional<typeof name>>;

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
  secrets: secretsSchema,
  trustedProxies: z
    .array(proxyRange)
    .max(100)
    .default([])
    .describe(
      "The reverse proxies and load balancers in front of the gateway, as addresses or CIDR ranges. The client address that they send in X-Forwarded-For counts for the log and for wrong keys. TRUSTED_PROXIES overrides it, with commas between them. Default: none.",
    ),
  workers: positive
    .max(64)
    .default(1)
    .describe(
      "The number of processes that serve requests. More than one needs databaseUrl and redisUrl. WORKERS overrides it.",
    ),
  dataDir: z
    .string()
    .min(1)
    .default(defaultDataDir)
    .describe("The folder for the gateway's files. DATA_DIR overrides it."),
  logLevel: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("The lowest level that is logged. LOG_LEVEL overrides it."),
  onStall: z
    .enum(["log", "exit"])
    .default("log")
    .describe(
      "The reaction of a one-process gateway when its event loop is blocked for limits.stallMs. log: it logs the stack. exit: it also exits with code 70, to be restarted. ON_STALL overrides it.",
    ),
  console: z
    .union(
      [
        z.boolean(),
        z.strictObject({
          configure: z
            .boolean()
            .default(true)
            .describe(
              "Whether the console and the admin API may change the upstreams and models in this file.",
            ),
        }),
      ],
      { error: "must be true, false, or { configure: false }" },
    )
    .default(true)
    .describe(
      "Whether the web console is served, at /console/, and whether it may change this file: { configure: false } forbids that.",
    ),
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
      "The address at which callers reach the gateway: the start of links to images, and of the text for the owner of a new key. PUBLIC_URL overrides it. Default: the host in the caller's request.",
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
  databaseConnectionsMax: z
    .int()
    .min(2)
    .max(1000)
    .default(10)
    .describe(
      "Connections of each process to PostgreSQL at most, besides one that watches it. DATABASE_CONNECTIONS_MAX overrides it.",
    ),
  adminKey: z
    .string()
    .min(16)
    .refine(isHeaderToken, headerTokenRule)
    .optional()
    .describe(
      "The key of the admin API. GATEWAY_ADMIN_KEY overrides it. Default: created on the first start and printed once.",
    ),
  operators: z
    .array(operatorSchema)
    .max(100)
    .default([])
    .describe("People and programs that operate the gateway, each with a key and a role of its own."),
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
    .describe(
      "The callers' keys. The admin API and the command `keys create` create others, which the database keeps.",
    ),
  upstreams: z.record(name, upstreamSchema).describe("The services that models run on, by name."),
  models: z
    .record(name, modelSchema)
    .describe("The models that callers may use, by id. An id with a * serves every id that fits."),
  defaults: z
    .strictObject(defaultModels)
    .default({})
    .describe(
      "The models of requests that name none, by operation. Without a default such a request is refused.",
    ),
  limits,
  cache,
  images: imagesSchema,
  files: filesSchema,
  batches: batchesSchema,
  jobs: jobsSchema,
  retention,
  drift,
  webhooks: z
    .array(webhookSchema)
    .max(20)
    .default([])
    .describe(
      "URLs that receive an event when a budget runs out, a target changes its state, or a job or a batch ends.",
    ),
});

export type ConfigFile = z.output<typeof configSchema>;

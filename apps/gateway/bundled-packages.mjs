/**
 * The packages whose code is inside `dist/`: resolving some 1,500 files takes longer than the rest of a start, and most of
 * their files are other forms of the same code. Published packages do not depend on them, and carry their licences
 * instead (decision 0085). Packages with binaries, and the clients of databases, stay where they were installed.
 */
export const bundledPackages = [
  "@opentelemetry/api",
  "@opentelemetry/otlp-exporter-base",
  "@opentelemetry/otlp-transformer",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-metrics",
  "@opentelemetry/sdk-trace",
  "diff",
  "express",
  "express-openapi-validator",
  "fastest-levenshtein",
  "kysely",
  "lru-cache",
  "multer",
  "pino",
  "undici",
  "yaml",
  "zod",
];

/** The folders of the packages of this repository that are parts of the gateway, and are not published. */
export const ownFolders = [
  "apps/cli",
  "packages/catalogue",
  "packages/config",
  "packages/content-credentials",
  "packages/data-folder",
  "packages/domain",
  "packages/object-store",
  "packages/providers",
  "packages/runtime",
  "packages/scheduling",
  "packages/tokens",
];

/** Their names. */
export const ownPackages = ownFolders.map((folder) => `@model-gateway/${folder.replace(/^.*\//, "")}`);

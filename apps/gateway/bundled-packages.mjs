/**
 * The packages whose code is inside `dist/`: resolving some 1,500 files takes longer than the rest of a start. Published
 * packages do not depend on them, and carry their licences instead (decision 0085). Packages with binaries, and large
 * ones that are rarely needed, stay where they were installed.
 */
export const bundledPackages = [
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

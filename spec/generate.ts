/** Bundles the document into one JSON file and writes its TypeScript types. Run by `pnpm generate` and by the build. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";

const bundle = "generated/openapi.json";
const types = "generated/types.d.ts";

execFileSync("redocly", ["bundle", "gateway", "--config", "redocly.yaml", "--output", bundle], {
  stdio: "inherit",
});

const blob = ts.factory.createTypeReferenceNode("Blob");
// The gateway sends webhooks and serves no operation for them. Their bodies are schemas like any other.
const { webhooks: _webhooks, ...document } = JSON.parse(await readFile(bundle, "utf8"));
const nodes = await openapiTypescript(document, {
  // A file part of a form is a Blob in every fetch; a string type would accept text instead of an image.
  transform: (schema) => (schema.format === "binary" ? blob : undefined),
});
await writeFile(
  types,
  `// Written by \`pnpm generate\` from openapi.yaml. Do not edit.\n\n${astToString(nodes)}`,
);

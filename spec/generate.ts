/**
 * Bundles the document into one JSON file, adds the samples, and writes the part that describes requests, a collection for
 * API clients, the methods of the TypeScript client, and the TypeScript types. Run by `pnpm generate` and by the build.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
import { clientMethods } from "./client-methods.js";
import { clientMethodList, clientMethodTable, clientMethodTypes } from "./client-module.js";
import { createCollection } from "./collection.js";
import { nameMethods } from "./method-examples.js";
import { type BundledDocument, requestDocument } from "./request-document.js";
import { adminOperation, curlSample, pythonSample } from "./samples.js";

const bundle = "generated/openapi.json";
const requests = "generated/requests.json";
const collection = "generated/postman_collection.json";
const client = "generated/client-methods";
const types = "generated/types.d.ts";

execFileSync("redocly", ["bundle", "gateway", "--config", "redocly.yaml", "--output", bundle], {
  stdio: "inherit",
});

const bundled = JSON.parse(await readFile(bundle, "utf8"));
Object.assign(bundled, nameMethods(bundled));
addSamples(bundled);
await writeFile(bundle, JSON.stringify(bundled, null, 2));
await writeFile(requests, JSON.stringify(requestDocument(bundled), null, 1));
await writeFile(collection, JSON.stringify(createCollection(bundled), null, 1));
const methods = clientMethods(bundled);
await writeFile(`${client}.js`, clientMethodTable(methods));
await writeFile(`${client}.d.ts`, clientMethodTypes(methods));
await writeFile(`${client}.md`, clientMethodList(methods, bundled.tags));

const blob = ts.factory.createTypeReferenceNode("Blob");
// The gateway sends webhooks and serves no operation for them. Their bodies are schemas like any other.
const { webhooks: _webhooks, ...document } = bundled;
const nodes = await openapiTypescript(document, {
  // A file part of a form is a Blob in every fetch; a string type would accept text instead of an image.
  transform: (schema) => (schema.format === "binary" ? blob : undefined),
});
await writeFile(
  types,
  `// Written by \`pnpm generate\` from openapi.yaml. Do not edit.\n\n${astToString(nodes)}${errorCodes(bundled)}`,
);

/**
 * The samples of an operation are in `samples/<operationId>`. They are programs, which a reference in the document could
 * not lead to: it may only lead to YAML and JSON. Those of an admin operation in curl and Python follow from the document,
 * unless they are there.
 */
function addSamples(document: BundledDocument): void {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const { operationId } = operation as { readonly operationId?: string };
      if (operationId === undefined) continue;
      const admin = adminOperation(document, method, path);
      const source = (file: string, write?: typeof curlSample) => {
        const place = `samples/${operationId}/${file}`;
        return admin && write && !existsSync(place) ? write(admin) : readFileSync(place, "utf8");
      };
      Object.assign(operation as object, {
        "x-codeSamples": [
          { lang: "Shell", label: "curl", source: source("curl.sh", curlSample) },
          { lang: "JavaScript", source: source("javascript.mjs") },
          { lang: "Python", source: source("python.py", pythonSample) },
        ],
      });
    }
}

interface Bundle {
  readonly paths: Readonly<Record<string, Readonly<Record<string, BundledOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Coded>> };
}

interface Coded {
  readonly "x-error-codes"?: readonly string[];
}

interface BundledOperation extends Coded {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
}

/** The type `errorCodes`: the codes of each operation by status. An operation's own codes are all for its 400. */
function errorCodes({ paths, components }: Bundle): string {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const entries = operations.flatMap(({ operationId, responses, "x-error-codes": own = [] }) => {
    if (operationId === undefined) return [];
    const statuses = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    const lines = statuses.map(([status, { $ref }]) => {
      const listed = components.responses[$ref.split("/").at(-1) ?? ""]?.["x-error-codes"] ?? [];
      const codes = [...new Set(status === "400" ? [...listed, ...own] : listed)];
      return `        ${status}: ${codes.map((code) => JSON.stringify(code)).join(" | ") || "never"};\n`;
    });
    return [`    ${operationId}: {\n${lines.join("")}    };\n`];
  });
  return `/** The error codes of each operation, by status. */\nexport interface errorCodes {\n${entries.join("")}}\n`;
}

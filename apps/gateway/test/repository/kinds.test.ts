import { readFileSync } from "node:fs";
import { modelPaths, modelTypes } from "@model-gateway/domain/operations";
import { expect, test } from "vitest";
import { listHouse, pathInHouse, withoutTests } from "./imports.js";

/** Folders that belong to one kind, or to one operation. The folder with the work of a new kind is added here. */
const ownFolders =
  /^(models\/kinds|embeddings|images|spaces|packages\/(providers|content-credentials|tokens|config\/src\/kinds)|api\/operations)\//;

/**
 * The other files that name a model type or one of its operations, each with its reason. Everything else asks
 * `kindOf(model)`. A file that no longer names one must be removed from this list.
 */
const allowed: Readonly<Record<string, string>> = {
  "packages/domain/src/operations.ts":
    "the list of types and the table of operations: where a new kind begins",
  "packages/catalogue/src/catalogue-file.ts": "the words for inputs and for units of prices",
  "packages/catalogue/src/rates.ts": "the price of each type as a list of rates",
  "apps/cli/src/command-table.ts": "the commands with the option --image",
  "apps/cli/src/option-table.ts": "the option --image",
  "apps/cli/src/connect.ts": "the settings of other programs name a model of each type",
  "apps/cli/src/reembed/request.ts": "sends texts to embedding models",
  "apps/cli/src/try.ts": "sends one request of each operation",
  "packages/domain/src/content-input.ts": "the nouns: the parts of an input, which are texts and images",
  "packages/domain/src/model-facts.ts": "the nouns: the facts of each model, and its modalities",
  "packages/domain/src/model.ts": "the nouns: the fields of each model",
  "packages/domain/src/requests.ts": "the nouns: the request of each operation",
  "packages/domain/src/image-profile.ts": "the nouns: what an image upstream accepts",
  "app/modules/request-rules.ts": "compiles the schemas of the most frequent operation at the start",
  "app/modules/batches.ts": "passes the operation of a batch on, by its type",
  "batches/batch.ts": "the operation of each path that a batch may call",
  "http/request/edit-form.ts": "the form of createImageEdit has a field of this name",
  "http/request/read-form.ts": "names that field in an error",
  "api/documents/OllamaModel.ts": "Ollama's name for the capability of embedding models",
  "jobs/job.ts": "jobs run the operations of image models",
  "jobs/job-inputs.ts": "the role of an input image: the image itself, or its mask",
  "apps/cli/src/import/bifrost/providers.ts": "which model types of each Bifrost provider are imported",
  "apps/cli/src/import/litellm/model-kinds.ts":
    "LiteLLM's words for each type, a table that the compiler checks",
  "apps/cli/src/import/litellm/providers.ts": "which model types of each LiteLLM provider are imported",
  "apps/cli/src/import/litellm/settings.ts": "reads LiteLLM's names of calls",
};

test("only these files outside a kind's own folders know a model type or one of its operations", () => {
  const operations = Object.keys(modelPaths).join("|");
  const named = new RegExp(`["'\`](${modelTypes.join("|")})["'\`]|\\b(${operations})\\b`);
  const core = withoutTests(listHouse()).filter((file) => !ownFolders.test(file));

  const naming = core.filter((file) => named.test(readFileSync(pathInHouse(file), "utf8")));

  expect(
    naming.sort(),
    "ask kindOf(model) instead; list the folder of a new kind in ownFolders, any other file in allowed, with its reason",
  ).toEqual(Object.keys(allowed).sort());
});

test("nothing outside a kind compares a model's type", () => {
  const pattern = new RegExp(`\\btype\\s*[!=]==\\s*["'\`](${modelTypes.join("|")})["'\`]`);
  const comparing = withoutTests(listHouse()).filter(
    (file) => !ownFolders.test(file) && pattern.test(readFileSync(pathInHouse(file), "utf8")),
  );

  expect(comparing, "ask kindOf(model) instead").toEqual([]);
});

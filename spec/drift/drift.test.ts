import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareFacts, type Differences } from "./facts.js";
import { OfficialTypes } from "./official-facts.js";
import { type Schema, type Schemas, schemaFacts } from "./schema-facts.js";

const schemas: Schemas = JSON.parse(
  readFileSync(new URL("../generated/openapi.json", import.meta.url), "utf8"),
).components.schemas;
const official = new OfficialTypes([
  "batches",
  "content-provenance-checks",
  "embeddings",
  "files",
  "images",
  "models",
  "shared",
]);

/** Our schemas, and the types that the official clients have for the same. */
const pairs = {
  CreateEmbeddingRequest: ["embeddings", "EmbeddingCreateParams"],
  CreateEmbeddingLegacyRequest: ["embeddings", "EmbeddingCreateParams"],
  CreateEmbeddingResponse: ["embeddings", "CreateEmbeddingResponse"],
  CreateImageRequest: ["images", "ImageGenerateParamsBase"],
  CreateImageEditForm: ["images", "ImageEditParamsBase"],
  CreateImageEditRequest: ["images", "ImageEditParamsBase"],
  ImagesResponse: ["images", "ImagesResponse"],
  ImageGenerationPartialImageEvent: ["images", "ImageGenPartialImageEvent"],
  ImageGenerationCompletedEvent: ["images", "ImageGenCompletedEvent"],
  ImageEditPartialImageEvent: ["images", "ImageEditPartialImageEvent"],
  ImageEditCompletedEvent: ["images", "ImageEditCompletedEvent"],
  CreateContentProvenanceCheckForm: ["content-provenance-checks", "ContentProvenanceCheckCreateParams"],
  ContentProvenanceCheck: ["content-provenance-checks", "ContentProvenanceCheck"],
  UploadFileForm: ["files", "FileCreateParams"],
  FileObject: ["files", "FileObject"],
  DeletedFile: ["files", "FileDeleted"],
  CreateBatchRequest: ["batches", "BatchCreateParams"],
  Batch: ["batches", "Batch"],
  Model: ["models", "Model"],
  Error: ["shared", "ErrorObject"],
} as const;
type PairName = keyof typeof pairs;

function differences(name: PairName, given: Schemas = schemas): Differences {
  const [resource, type] = pairs[name];
  const found = compareFacts(schemaFacts(name, given), official.facts(resource, type));
  if (/Request$|Form$/.test(name)) return found;
  // A response that always has a property fits a type in which it is optional.
  return { ...found, invented: found.invented.filter((fact) => !fact.endsWith("/required")) };
}

interface Difference {
  readonly fact: string;
  readonly reason: string;
}

const inputType: Difference = {
  fact: "input_type",
  reason: "Embedding models that distinguish queries from documents need it.",
};
const imageControls: readonly Difference[] = ["negative_prompt", "seed"].map((fact) => ({
  fact,
  reason: "Image models of other makers have it. A model without it refuses it by name.",
}));

const cachedTokens: readonly Difference[] = ["cached_tokens", "cached_tokens_details"].map((fact) => ({
  fact: `usage/input_tokens_details/${fact}`,
  reason: "Cached tokens have a price of their own, and upstreams report them.",
}));

const optionalNulls = (...names: string[]): Difference[] =>
  names.map((name) => ({ fact: `${name}/null`, reason: "A parameter that is null counts as absent." }));

function otherPurposes(...purposes: string[]): Difference[] {
  return purposes.map((purpose) => ({
    fact: `purpose/values/${purpose}`,
    reason: "The gateway stores the files of batches.",
  }));
}

const embeddingOptions: Difference[] = [
  ...optionalNulls("dimensions", "encoding_format"),
  ...["binary", "int8", "ubinary", "uint8"].map((value) => ({
    fact: `encoding_format/values/${value}`,
    reason: "Clients of Mixedbread name the type of the numbers here.",
  })),
  { fact: "input/items/is/object", reason: "Inputs with images." },
  { fact: "input/items/content", reason: "Inputs with images, in OpenRouter's form." },
  ...["messages", "continue_final_message", "add_special_tokens"].map((fact) => ({
    fact,
    reason: "Clients of vLLM, such as Dify, send a conversation in the place of `input`.",
  })),
  inputType,
  {
    fact: "output_dtype",
    reason: "Vector databases search bits and small integers. Voyage AI and Mistral AI have the parameter.",
  },
  { fact: "output_dimension", reason: "Clients of Voyage AI and Mistral AI name the width so." },
  { fact: "truncation", reason: "Clients of Voyage AI send it by themselves." },
  ...optionalNulls("user"),
];

const optionalInput: Difference = { fact: "input/required", reason: "`messages` may be in its place." };

/** The differences that are meant. Any other one, and one that is no longer there, fails the test below. */
const deliberate: Partial<Record<PairName, { missing?: Difference[]; invented?: Difference[] }>> = {
  CreateEmbeddingRequest: {
    missing: [optionalInput],
    invented: embeddingOptions,
  },
  CreateEmbeddingLegacyRequest: {
    missing: [optionalInput, { fact: "model/required", reason: "It is in the path." }],
    invented: embeddingOptions,
  },
  CreateEmbeddingResponse: {
    invented: [
      { fact: "data/items/embedding/is/string", reason: "The text of base64, which the package decodes." },
      { fact: "id", reason: "Clients of Mistral AI need it." },
      { fact: "usage/prompt_tokens_details", reason: "Models with images, under OpenRouter's name." },
    ],
  },
  CreateImageRequest: { invented: [...imageControls, ...optionalNulls("user")] },
  CreateImageEditForm: {
    invented: [
      { fact: "moderation", reason: "Clients also send it in a form. The gateway forwards it as JSON." },
      ...imageControls,
      ...optionalNulls("user"),
    ],
  },
  // The package has a type for the form alone. The JSON form is described in the official reference.
  CreateImageEditRequest: {
    missing: [
      { fact: "image", reason: "JSON has a list of references instead, `images`." },
      ...["markup/is/file", "mask/is/file"].map((fact) => ({
        fact,
        reason: "JSON has a reference instead.",
      })),
    ],
    invented: [
      { fact: "images", reason: "The references that replace `image`." },
      ...["markup/image_url", "markup/is/object", "mask/image_url", "mask/is/object"].map((fact) => ({
        fact,
        reason: "A reference that replaces the file.",
      })),
      { fact: "moderation", reason: "Only the JSON form has it." },
      ...imageControls,
      ...optionalNulls("user"),
    ],
  },
  ImagesResponse: { invented: [...cachedTokens] },
  ImageGenerationCompletedEvent: {
    invented: [
      ...cachedTokens,
      { fact: "usage/output_tokens_details", reason: "One usage for responses and events." },
    ],
  },
  ImageEditCompletedEvent: {
    invented: [
      ...cachedTokens,
      { fact: "usage/output_tokens_details", reason: "One usage for responses and events." },
    ],
  },
  ContentProvenanceCheck: {
    invented: [
      "not_checked",
      "results/items/checked_by",
      "results/items/failure_code",
      "results/items/not_verified",
    ].map((fact) => ({
      fact,
      reason: "The gateway checks a part itself, and says which.",
    })),
  },
  UploadFileForm: { missing: otherPurposes("assistants", "evals", "fine-tune", "user_data", "vision") },
  FileObject: {
    missing: [
      ...otherPurposes(
        "assistants",
        "assistants_output",
        "fine-tune",
        "fine-tune-results",
        "user_data",
        "vision",
      ),
      ...["error", "uploaded"].map((value) => ({
        fact: `status/values/${value}`,
        reason: "A file is listed once it is stored whole.",
      })),
      { fact: "status_details", reason: "It is deprecated, and about fine-tuning." },
    ],
  },
  CreateBatchRequest: {
    missing: ["chat/completions", "completions", "moderations", "responses", "videos"].map((path) => ({
      fact: `endpoint/values//v1/${path}`,
      reason: "The gateway has no such path.",
    })),
  },
  Batch: {
    invented: [
      ...[
        "cancelled_at",
        "cancelling_at",
        "completed_at",
        "error_file_id",
        "errors",
        "expired_at",
        "failed_at",
        "finalizing_at",
        "in_progress_at",
        "model",
        "output_file_id",
      ].map((name) => ({
        fact: `${name}/null`,
        reason: "OpenAI sends null too, where its types have nothing.",
      })),
      { fact: "cost_usd", reason: "The cost of the lines." },
      ...["endpoint/values", "errors/object/values"].map((fact) => ({
        fact,
        reason: "The only values that there are.",
      })),
      { fact: "unpriced_requests", reason: "Lines that the cost leaves out." },
    ],
  },
  Model: {
    invented: [
      "aliases",
      "description",
      "discovered",
      "embedding",
      "facts",
      "failing_since",
      "image",
      "is_pattern",
      "operations",
      "pass_through",
      "pricing",
      "status",
      "status_reason",
      "type",
    ].map((fact) => ({ fact, reason: "The model's capabilities, and whether it works now." })),
  },
  Error: {
    missing: [
      { fact: "code/null", reason: "Every error has a code." },
      { fact: "misalignment", reason: "No operation of this gateway has it." },
    ],
    invented: [{ fact: "code/values", reason: "Programs decide by the code, so every code is listed." }],
  },
};

test.each(Object.keys(pairs) as PairName[])(
  "%s is the official type, except for intended differences",
  (name) => {
    const { missing = [], invented = [] } = deliberate[name] ?? {};

    expect(differences(name), "list an intended difference in deliberate, with its reason").toEqual({
      missing: missing.map(({ fact }) => fact).sort(),
      invented: invented.map(({ fact }) => fact).sort(),
    });
  },
);

/** The differences that are not meant. */
function unintended(
  name: PairName,
  given: Schemas,
): { readonly missing: string[]; readonly invented: string[] } {
  const { missing = [], invented = [] } = deliberate[name] ?? {};
  const found = differences(name, given);
  return {
    missing: found.missing.filter((fact) => !missing.some((one) => one.fact === fact)),
    invented: found.invented.filter((fact) => !invented.some((one) => one.fact === fact)),
  };
}

/** The spec with another schema in the place of one. */
function changed(name: string, change: (schema: Schema) => Schema): Schemas {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`The spec has no schema ${name}.`);
  return { ...schemas, [name]: change(schema) };
}

test("a removed property is found", () => {
  const without = changed(
    "CreateImageRequest",
    ({ properties: { svg: _svg, ...properties } = {}, ...rest }) => ({
      ...rest,
      properties,
    }),
  );

  expect(differences("CreateImageRequest", without).missing).toEqual(["svg"]);
});

test("an invented property is found, even behind a reference", () => {
  const added = changed("EmbeddingUsage", ({ properties, ...rest }) => ({
    ...rest,
    properties: { ...properties, seconds: { type: "number" } },
  }));

  expect(unintended("CreateEmbeddingResponse", added)).toEqual({
    missing: [],
    invented: ["usage/seconds"],
  });
});

test("a removed value and an invented one are found", () => {
  const other = changed("CreatedImageFormat", (schema) => ({
    ...schema,
    enum: ["png", "jpeg", "webp", "gif", "bmp"],
  }));

  expect(unintended("ImagesResponse", other)).toEqual({
    missing: ["output_format/values/svg"],
    invented: ["output_format/values/bmp"],
  });
});

test("a null that is no longer accepted is found", () => {
  const strict = changed("ImageModelId", (schema) => ({ ...schema, type: "string" }));

  expect(differences("CreateImageRequest", strict).missing).toEqual(["model/null"]);
});

test("another kind, and a property that is no longer required, are found", () => {
  const loose = changed("CreateEmbeddingRequest", (schema) => ({
    ...schema,
    required: [],
    properties: { ...schema.properties, user: { type: ["integer", "null"] } },
  }));

  expect(unintended("CreateEmbeddingRequest", loose)).toEqual({
    missing: ["model/required", "user/is/string"],
    invented: ["user/is/number"],
  });
});

test("an enum in place of a string is found, and the other way round", () => {
  const closed = changed("CreatedImageSize", (schema) => ({ ...schema, enum: ["1024x1024"] }));
  const open = changed("CreatedImageQuality", () => ({ type: "string" }));

  expect(unintended("ImagesResponse", closed).invented).toEqual(["size/values"]);
  expect(unintended("ImagesResponse", open).missing).toEqual(["quality/values"]);
});

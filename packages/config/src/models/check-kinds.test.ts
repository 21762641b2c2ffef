import { defaultInputImageLimits } from "@model-gateway/domain/content-input";
import { describe, expect, test } from "vitest";
import { faultsOf, load, minimal } from "../test/load-text.js";

/** An embedding model with one target that runs in the gateway's own process. */
const withTarget = (keys: string) => `
upstreams: { local: { provider: local } }
models:
  m: { type: embedding, targets: [{ upstream: local, model: gte-small, ${keys} }] }
`;

test.each([
  ["encoding: float", "encoding", "is fixed for the provider local; remove it"],
  ["dimensionsField: width", "dimensionsField", "is fixed for the provider local; remove it"],
  ["inputImages: true", "inputImages", "the provider local takes no images with this model; remove it"],
  ["dimensions: pass", "dimensions", "the provider local takes no width for this model; use emulate"],
])("a target's %s that its provider does not read is refused by name", (keys, key, message) => {
  expect(faultsOf(withTarget(keys))).toEqual([
    expect.stringMatching(new RegExp(`models\\.m\\.targets\\[0\\]\\.${key}: ${message}$`)),
  ]);
});

test("a target has the limits that its provider declares, and the operator's own before them", () => {
  const limits = (keys: string) => load(withTarget(keys)).models.get("m")?.targets[0];

  expect(limits("weight: 1")).toMatchObject({
    maxInputs: 2048,
    maxTokensPerRequest: 300_000,
    maxCharactersPerRequest: Number.POSITIVE_INFINITY,
    dimensions: "emulate",
    encoding: "none",
    takesUser: false,
    normalizes: false,
  });
  expect(limits("maxInputs: 8, maxTokensPerRequest: 100, maxCharactersPerRequest: 1000")).toMatchObject({
    maxInputs: 8,
    maxTokensPerRequest: 100,
    maxCharactersPerRequest: 1000,
  });
});

test("a target takes the images that the operator declares, and a model those of all its targets", () => {
  const models = (...images: readonly string[]) => `
upstreams: { gpu: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }
models:
  m:
    type: embedding
    targets:
${images.map((keys, index) => `      - { upstream: gpu, model: m, weight: ${index + 1}, space: one, inputImages: ${keys} }`).join("\n")}
`;
  const limitsOf = (...images: readonly string[]) => {
    const model = load(models(...images)).models.get("m");
    return model?.type === "embedding" ? model.inputImages : undefined;
  };

  expect(limitsOf("false")).toBeUndefined();
  expect(limitsOf("true")).toEqual(defaultInputImageLimits);
  expect(limitsOf("{ form: messages }")).toEqual({
    ...defaultInputImageLimits,
    form: "messages",
    maxInputs: 1,
  });
  expect(
    limitsOf(
      "false",
      "{ maxImagesPerInput: 2, imageTypes: [png, webp] }",
      "{ mixesParts: false, imageTypes: [jpeg, png] }",
    ),
  ).toEqual({ ...defaultInputImageLimits, maxImagesPerInput: 2, imageTypes: ["png"], mixesParts: false });
  expect(faultsOf(models("{ imageTypes: [png] }", "{ imageTypes: [jpeg] }"))).toEqual([
    expect.stringMatching(/has no image type in common with the first target/),
  ]);
});

describe("a limit above that of a request with place for one", () => {
  const bedrock = "{ provider: bedrock, region: us-east-1, apiKey: k }";
  const titan = { upstream: bedrock, keys: "", model: "amazon.titan-embed-text-v2:0" };
  const nova = {
    upstream: bedrock,
    keys: "inputType: document,",
    model: "amazon.nova-2-multimodal-embeddings-v1:0",
  };
  const cohere = { ...nova, model: "cohere.embed-v4:0" };
  const vllm = {
    upstream: '{ provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }',
    keys: "",
    model: "m",
  };
  const text = ({ upstream, keys, model }: typeof titan, target: string) => `
upstreams: { one: ${upstream} }
models:
  m: { type: embedding, ${keys} targets: [{ upstream: one, model: "${model}", ${target} }] }
`;

  test.each([
    [titan, "maxInputs: 8", "maxInputs: is 8, but the provider bedrock takes one input a call"],
    [
      nova,
      "inputImages: { maxInputs: 2 }",
      "inputImages.maxInputs: is 2, but the provider bedrock takes one input a call",
    ],
    [
      nova,
      "inputImages: { maxImagesPerInput: 3 }",
      "inputImages.maxImagesPerInput: is 3, but the provider bedrock takes one image an input",
    ],
    [
      nova,
      "inputImages: { maxImagesPerRequest: 4 }",
      "inputImages.maxImagesPerRequest: is 4, but the provider bedrock takes one image a call",
    ],
    [
      nova,
      "inputImages: { mixesParts: true }",
      "inputImages.mixesParts: is true, but the provider bedrock takes one text or one image an input",
    ],
    [
      vllm,
      "inputImages: { form: messages, maxInputs: 2 }",
      "inputImages.maxInputs: is 2, but the form messages takes one input a call",
    ],
  ])("is refused by name: %o %s", (model, target, fault) => {
    expect(faultsOf(text(model, target))).toEqual([
      expect.stringContaining(`models.m.targets[0].${fault} with this model; remove it`),
    ]);
  });

  test.each([
    [titan, "maxInputs: 1"],
    [nova, "inputImages: { maxInputs: 1, maxImageBytes: 1000, mixesParts: false }"],
    [cohere, "maxInputs: 128"],
    [vllm, "maxInputs: 2048, inputImages: { maxInputs: 64 }"],
  ])("is one alone: %o %s is accepted", (model, target) => {
    expect(faultsOf(text(model, target))).toEqual([]);
  });
});

test("a profile with masks for a target that takes none is refused by name", () => {
  const text = (model: string) => `
upstreams: { stability: { provider: stability, apiKey: "\${KEY}" } }
models:
  m: { type: image, profile: { mask: true }, targets: [{ upstream: stability, model: ${model} }] }
`;

  expect(faultsOf(text("core"), { KEY: "k" })).toEqual([
    expect.stringMatching(
      /models\.m\.profile\.mask: the provider stability takes no mask for the model core; remove it$/,
    ),
  ]);
  expect(faultsOf(text("inpaint"), { KEY: "k" })).toEqual([]);
});

test("a profile that leaves no operation is refused", () => {
  const text = (profile: string, model = "core") => `
upstreams: { stability: { provider: stability, apiKey: k } }
models:
  m: { type: image, profile: ${profile}, targets: [{ upstream: stability, model: ${model} }] }
`;
  const fault = [expect.stringContaining("models.m.profile: with onlyEdits needs edits")];

  expect(faultsOf(text("{ onlyEdits: true }"))).toEqual(fault);
  expect(faultsOf(text("{ onlyEdits: true, edits: false }", "inpaint"))).toEqual(fault);
  expect(faultsOf(text("{ edits: false }", "inpaint"))).toEqual(fault);
  expect(faultsOf(text("{ onlyEdits: true, edits: true }"))).toEqual([]);
});

test("the profile that targets with different defaults need is one that a file may name", () => {
  const text = (profile: string) => `
upstreams: { stability: { provider: stability, apiKey: k }, openai: { provider: openai, apiKey: k } }
models:
  m:
    type: image
    ${profile}
    targets: [{ upstream: stability, model: core }, { upstream: openai, model: gpt-image-2 }]
`;

  expect(faultsOf(text(""))).toEqual([
    expect.stringMatching(
      /models\.m: needs a profile, because its targets have different defaults; set profile to gpt-image or an object with the options that all of them accept$/,
    ),
  ]);
  expect(faultsOf(text("profile: gpt-image"))).toEqual([]);
  expect(faultsOf(text("profile: { sizes: [auto] }"))).toEqual([]);
});

/** An embedding model on Cohere, whose vectors depend on the input type. */
const onCohere = (keys: string) => `
upstreams: { cohere: { provider: cohere, apiKey: k } }
models: { m: { type: embedding, ${keys} targets: [{ upstream: cohere, model: embed-v4.0 }] } }
`;

test("a model whose provider needs an input type must have a default", () => {
  expect(faultsOf(onCohere(""))).toEqual([
    expect.stringContaining(
      "models.m.inputType: is required, because the provider cohere creates different vectors for queries and documents",
    ),
  ]);
  expect(faultsOf(onCohere("inputType: document,"))).toEqual([]);
});

test("a default input type that the provider does not have is refused with those that it has", () => {
  expect(faultsOf(onCohere("inputType: similarity,"))).toEqual([
    expect.stringContaining(
      "models.m.inputType: is not supported by all targets; use one of: query, document",
    ),
  ]);
  expect(faultsOf(minimal.replace("targets", "inputType: query, targets"))).toEqual([
    expect.stringContaining("models.m.inputType: is not supported by all targets; remove it"),
  ]);
});

test("a vocabulary on a model whose provider takes no token ids is refused", () => {
  expect(faultsOf(onCohere("inputType: query, tokenizer: cl100k_base,"))).toEqual([
    expect.stringContaining("models.m.tokenizer: the provider cohere takes no token ids"),
  ]);
});

test("a model of a type that the provider does not have is refused", () => {
  const text = `
upstreams: { cohere: { provider: cohere, apiKey: k } }
models: { m: { type: image, targets: [{ upstream: cohere, model: embed-v4.0 }] } }
`;

  expect(faultsOf(text)).toEqual([
    expect.stringContaining("models.m.targets[0].upstream: the provider cohere has no images"),
  ]);
});

test.each([
  [
    "local",
    "gte-small",
    999,
    /models\.m\.dimensions: is 999, but vectors of the model gte-small have 384; set 384$/,
  ],
  ["gemini", "gemini-embedding-001", 4096, /models\.m\.dimensions: is 4096, but .* have at most 3072$/],
])("a width that a model of %s cannot have is a fault", (provider, name, dimensions, fault) => {
  const key = provider === "local" ? "" : ", apiKey: a-secret-key";
  const text = (width: number, folders = "") => `
upstreams: { one: { provider: ${provider}${key}${folders} } }
models: { m: { type: embedding, dimensions: ${width}, targets: [{ upstream: one, model: ${name} }] } }
`;

  expect(faultsOf(text(dimensions))).toEqual([expect.stringMatching(fault)]);
  expect(faultsOf(text(provider === "local" ? 384 : 3072))).toEqual([]);
  // An operator's folder may have the name of a built-in model.
  if (provider === "local")
    expect(faultsOf(text(dimensions, `, modelFolders: { ${name}: ./own }`))).toEqual([]);
});

const nim = (keys: string, modelKeys = "") => `
upstreams: { nim: { provider: openai-compatible, baseUrl: "http://nim/v1" } }
models: { m: { type: embedding, ${modelKeys} targets: [{ upstream: nim, model: x, ${keys} }] } }
`;
const words = "inputTypes: { query: query, document: passage, clustering: null }";

test("a target's words for input_type are those that callers may send, and so are the upstream's", () => {
  const model = load(nim(`${words}, inputTypeField: task_type`, "inputType: document,")).models.get("m");

  expect(model).toMatchObject({
    inputType: "document",
    inputTypes: new Set(["query", "passage", "document", "clustering"]),
  });
  expect(model?.targets[0]).toMatchObject({
    inputTypeField: "task_type",
    inputTypes: new Map([
      ["query", "query"],
      ["passage", "passage"],
      ["document", "passage"],
      ["clustering", null],
    ]),
  });
});

test("a sentence that is sent is not a value of input_type", () => {
  const instruction =
    'inputTypes: { query: "Represent this sentence:", document: null }, inputTypeField: prompt';

  expect(load(nim(instruction)).models.get("m")).toMatchObject({
    inputTypes: new Set(["query", "document"]),
  });
});

test.each([
  ["inputTypeField: task_type", "", "targets[0].inputTypeField: needs inputTypes"],
  [`${words}, passThrough: [input_type]`, "", 'passThrough[0]: the gateway handles "input_type" itself'],
  [`${words}, inputTypeField: t, passThrough: [t]`, "", 'passThrough[0]: the gateway handles "t" itself'],
  [words, "inputType: image,", "models.m.inputType: is not supported by all targets"],
])("input types with %s %s are refused by name", (keys, modelKeys, fault) => {
  expect(faultsOf(nim(keys, modelKeys))).toEqual([expect.stringContaining(fault)]);
});

describe("a model that no dialect of the gateway serves", () => {
  const images = (provider: string, target: string) => `
upstreams: { one: { provider: ${provider}, apiKey: key-of-a-test } }
models:
  m: { type: image, targets: [{ upstream: one, ${target} }] }
`;

  test("is refused, and the message says that the gateway does not know it", () => {
    expect(faultsOf(images("bfl", "model: canvas-1"))).toEqual([
      expect.stringMatching(
        /models\.m\.targets\[0\]\.model: the gateway does not know it\. The catalogue does not say how Black Forest Labs is called for canvas-1\./,
      ),
    ]);
  });

  test("is served if the operator says which model it is like", () => {
    const [target] =
      load(images("bfl", "model: canvas-1, like: flux-3-image")).models.get("m")?.targets ?? [];

    expect(target).toMatchObject({
      model: "canvas-1",
      facts: { variant: "class" },
      factsFrom: { entry: "flux-(3+)-image", state: "known" },
    });
  });

  test("is not refused at a provider that takes any model", () => {
    expect(faultsOf(images("openai", "model: anything"))).toEqual([]);
  });
});

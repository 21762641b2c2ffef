/**
 * The place that shows our mark, which each build of the site checks: a test under `apps`, a heading of a page of the docs,
 * or for a feature that is lacking, a path that the API must not have.
 */
export type Proof = { readonly test: string } | { readonly page: string } | { readonly lacksPath: string };

/** A gateway's support for a feature, with a note. */
export interface Cell {
  readonly mark: "yes" | "partly" | "no";
  readonly note?: string;
}

export interface ComparisonRow {
  readonly what: string;
  /** In the order of `gateways`: ours first. */
  readonly cells: readonly [Cell, Cell, Cell, Cell, Cell];
  /** Sources: snapshot files, issues, documentation. */
  readonly evidence: string;
  readonly proof: Proof;
  /** Whether the short table of the home page has it. */
  readonly onHome?: boolean;
}

export const gateways = ["Model Gateway", "LiteLLM", "Portkey", "Bifrost", "new-api"] as const;

/** The snapshots that were read of the other gateways, and when. */
export const snapshots = [
  {
    name: "LiteLLM",
    repository: "BerriAI/litellm",
    commit: "b0fd3e1",
    date: "2026-08-08",
    licence: "MIT; the folder enterprise/ is commercial",
  },
  {
    name: "Portkey",
    repository: "Portkey-AI/gateway",
    commit: "669825c",
    date: "2026-05-25",
    licence: "MIT",
  },
  {
    name: "Bifrost",
    repository: "maximhq/bifrost",
    commit: "5f7103b",
    date: "2026-08-22",
    licence: "Apache-2.0; some features only in the Enterprise build",
  },
  {
    name: "new-api",
    repository: "QuantumNous/new-api",
    commit: "2d8e50b",
    date: "2026-08-21",
    licence: "AGPL-3.0",
  },
] as const;

export const readOn = "2026-11-16";

const yes = (note?: string): Cell => ({ mark: "yes", ...(note !== undefined && { note }) });
const partly = (note?: string): Cell => ({ mark: "partly", ...(note !== undefined && { note }) });
const no = (note?: string): Cell => ({ mark: "no", ...(note !== undefined && { note }) });

export interface ComparisonGroup {
  readonly title: string;
  readonly rows: readonly ComparisonRow[];
}

/** The page begins with these. */
export const lacking: ComparisonGroup = {
  title: "What others have and Model Gateway does not",
  rows: [
    {
      what: "Chat, audio and other kinds of models",
      cells: [no("embeddings and images only"), yes(), yes(), yes(), yes()],
      evidence: "The README of each.",
      onHome: true,
      proof: { lacksPath: "/v1/chat/completions" },
    },
    {
      what: "Rerank",
      cells: [no(), yes("15 adapters"), no(), yes("also custom providers"), yes()],
      evidence: "LiteLLM proxy/rerank_endpoints/endpoints.py; new-api /v1/rerank.",
      onHome: true,
      proof: { lacksPath: "/v1/rerank" },
    },
    {
      what: "Video or audio as inputs of embeddings",
      cells: [no(), partly("Gemini"), partly("Vertex"), no(), no()],
      evidence: "LiteLLM vertex_ai/gemini_embeddings; Portkey src/types/embedRequestBody.ts.",
      proof: { page: "guides/images-and-texts.md#models-and-their-limits" },
    },
    {
      what: "Embeddings of chunks in the context of their document",
      cells: [no(), yes("Voyage"), no(), no(), no()],
      evidence: "LiteLLM llms/voyage/embedding/transformation_contextual.py.",
      proof: { lacksPath: "/v1/contextualizedembeddings" },
    },
    {
      what: "A cache of whole requests, or by meaning",
      cells: [
        no("vectors by single input"),
        partly("chat"),
        partly("exact requests"),
        yes("also for embeddings and images"),
        no(),
      ],
      evidence: "LiteLLM litellm/types/caching.py; Bifrost docs/features/semantic-caching.mdx.",
      proof: { page: "guides/embeddings-through-the-gateway.md#the-cache" },
    },
    {
      what: "Image variations",
      cells: [no(), partly("in the SDK"), partly("passed on"), yes("OpenAI, Bedrock"), no()],
      evidence: "Bifrost core/providers; new-api responds with 501.",
      proof: { lacksPath: "/v1/images/variations" },
    },
    {
      what: "Single sign-on",
      cells: [
        no(),
        partly("free up to five users"),
        no(),
        partly("Enterprise"),
        yes("OIDC, GitHub, Discord"),
      ],
      evidence: "LiteLLM ui_sso.py; Bifrost docs/enterprise; new-api oauth/.",
      onHome: true,
      proof: { page: "guides/administration.md#sessions" },
    },
    {
      what: "Budgets of teams and organisations",
      cells: [partly("keys and owners"), yes(), no(), yes(), partly()],
      evidence: "LiteLLM and Bifrost documentation.",
      proof: { page: "guides/limits-and-budgets.md#budgets" },
    },
  ],
};

export const comparison: readonly ComparisonGroup[] = [
  {
    title: "Embeddings",
    rows: [
      {
        what: "Replies are verified: count, order, width, finite numbers",
        cells: [yes(), no(), no(), no(), no()],
        evidence:
          "Not found in the handlers of the four. LiteLLM: cached parts can come back in the wrong order, issues #41002 and #29284.",
        onHome: true,
        proof: { test: "gateway/test/in-process/embeddings/lies.test.ts" },
      },
      {
        what: "Batches are split to the provider's limits",
        cells: [
          yes(),
          partly("Titan only"),
          no("some providers return one vector for many inputs"),
          no("Titan inputs are joined to one text"),
          no(),
        ],
        evidence:
          "LiteLLM llms/bedrock/embed/embedding.py; Portkey src/providers/bedrock/embed.ts and google/embed.ts; Bifrost core/providers/bedrock/embedding.go and its issue #3471.",
        onHome: true,
        proof: { test: "gateway/test/in-process/embeddings/batches.test.ts" },
      },
      {
        what: "base64 vectors from every provider",
        cells: [
          yes(),
          partly("the format goes to the provider as it is"),
          no("Cohere: an empty list with status 200"),
          partly(),
          partly(),
        ],
        evidence: "LiteLLM llms/cohere/embed/transformation.py; Portkey src/providers/cohere/embed.ts.",
        proof: { test: "gateway/test/in-process/providers/embeddings-suite.ts" },
      },
      {
        what: "Cache by single input",
        cells: [
          yes("memory, disk, Redis"),
          partly("merges without rewriting the index"),
          no("whole request"),
          no("whole request, also semantic"),
          no(),
        ],
        evidence: "LiteLLM caching/caching_handler.py; Bifrost plugins/semanticcache/main.go.",
        proof: { test: "gateway/test/in-process/embeddings/three-levels.property.test.ts" },
      },
      {
        what: "Requests that arrive together share one call",
        cells: [yes(), no(), no(), no(), no()],
        evidence: "Not found by reading the handlers and by searching the trees.",
        proof: { test: "gateway/test/in-process/embeddings/shared-work.test.ts" },
      },
      {
        what: "Images as inputs of embeddings",
        cells: [
          yes("one form for all providers"),
          partly("five providers, four forms"),
          partly("positions can be lost"),
          no(),
          no(),
        ],
        evidence:
          "LiteLLM vertex_ai/gemini_embeddings and voyage transformation_multimodal.py; Portkey src/types/embedRequestBody.ts.",
        proof: { test: "gateway/test/in-process/embeddings/contents.test.ts" },
      },
      {
        what: "int8 and binary vectors",
        cells: [
          yes("from the provider, or derived from floats"),
          partly(),
          no(),
          partly("Titan, Cohere"),
          no(),
        ],
        evidence: "LiteLLM llms/cohere/embed/transformation.py; Bifrost core/schemas/embedding.go.",
        proof: { test: "gateway/src/embeddings/output-dtype.test.ts" },
      },
      {
        what: "A fallback never mixes vector spaces",
        cells: [yes(), no(), no(), no(), no()],
        evidence: "LiteLLM issues #14403 and #10811: a fallback can reach the wrong kind of model.",
        onHome: true,
        proof: { test: "gateway/test/in-process/embeddings/spaces.test.ts" },
      },
    ],
  },
  {
    title: "Images",
    rows: [
      {
        what: "Edits with several images, as form and as JSON",
        cells: [yes(), partly("no JSON, issue #15963"), partly(), yes(), partly("the order is not stable")],
        evidence:
          "LiteLLM proxy/image_endpoints/endpoints.py; Portkey src/handlers/imageEditsHandler.ts; Bifrost handlers/inference.go; new-api relay/channel/openai/adaptor.go.",
        proof: { test: "gateway/test/in-process/contract/createImageEdit.test.ts" },
      },
      {
        what: "The mask is checked, and turned to what the provider expects",
        cells: [yes(), no(), no(), no(), no()],
        evidence: "Not found in the handlers of the four.",
        onHome: true,
        proof: { test: "gateway/src/images/masks.test.ts" },
      },
      {
        what: "Partial images as a stream",
        cells: [yes(), no("issue #19569"), no(), yes("four providers"), yes()],
        evidence:
          "Portkey src/providers/openai/imageGenerate.ts; new-api relay/channel/openai/relay_image.go.",
        proof: { test: "gateway/test/in-process/images/streams.test.ts" },
      },
      {
        what: "An Idempotency-Key, and no retry that might pay twice",
        cells: [yes(), no(), no(), no(), no()],
        evidence: "Not found by searching the trees.",
        onHome: true,
        proof: { test: "gateway/test/in-process/images/paid-requests.test.ts" },
      },
      {
        what: "Links from base64, base64 from links, other file formats",
        cells: [yes(), no(), no(), no(), partly("links to base64")],
        evidence: "Not found in LiteLLM, Portkey and Bifrost; new-api for Ali and Replicate.",
        proof: { test: "gateway/test/in-process/images/matrix.property.test.ts" },
      },
    ],
  },
  {
    title: "Running it",
    rows: [
      {
        what: "Batch API",
        cells: [
          yes("every model and upstream"),
          partly("OpenAI, Azure, Vertex, Bedrock"),
          partly("five providers"),
          partly("six providers"),
          no(),
        ],
        evidence:
          "LiteLLM batches/main.py; Portkey src/providers/*/createBatch.ts; Bifrost docs/integrations/openai-sdk/files-and-batch.mdx.",
        onHome: true,
        proof: { test: "gateway/test/in-process/batches/lines.test.ts" },
      },
      {
        what: "Jobs that a caller collects later",
        cells: [yes("with webhooks"), no(), no(), yes("with webhooks"), partly("Midjourney")],
        evidence: "Bifrost handlers/asyncinference.go.",
        onHome: true,
        proof: { test: "gateway/test/in-process/jobs/jobs.test.ts" },
      },
      {
        what: "Hedged requests",
        cells: [yes(), no(), no(), no(), no()],
        evidence: "Not found by searching the trees.",
        proof: { test: "gateway/test/in-process/embeddings/hedging.test.ts" },
      },
      {
        what: "Usage is on disk before the response ends",
        cells: [yes(), no("queued"), no("no ledger"), no(), partly("charged in advance")],
        evidence: "LiteLLM writes by an asynchronous queue; new-api pre-charges.",
        proof: { test: "gateway/test/in-process/usage/begun-requests.test.ts" },
      },
      {
        what: "Console with a playground for embeddings and images",
        cells: [yes(), yes(), partly(), partly("no playground for them"), partly("no playground for them")],
        evidence: "LiteLLM ui/; Bifrost ui/; new-api web/.",
        proof: { test: "console/test/browser/pages/images.test.ts" },
      },
      {
        what: "OpenTelemetry and Prometheus",
        cells: [yes(), yes(), no(), yes(), no()],
        evidence: "LiteLLM and Bifrost documentation.",
        proof: { test: "gateway/test/process/monitoring.test.ts" },
      },
      {
        what: "Helm chart",
        cells: [yes(), yes(), partly(), yes(), no()],
        evidence: "The deployment folders of each.",
        proof: { test: "gateway/test/repository/deploy/helm/chart.test.ts" },
      },
    ],
  },
];

/** Adapters that each has, as counted in the folders of the snapshots. */
export const providerCounts = {
  embeddings: ["30", "about 28", "14", "11"],
  images: ["18", "about 14", "11", "10"],
} as const;

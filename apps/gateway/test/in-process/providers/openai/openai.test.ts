import { describeEmbeddings, type EmbeddingSuite } from "../embeddings-suite.js";
import { openAiKey, startFakeOpenAi, tooManyInputs } from "./fake-openai.js";

const suite: Omit<EmbeddingSuite, "provider"> = {
  pathPrefix: "/v1",
  start: startFakeOpenAi,
  apiKey: openAiKey,
  model: { name: "text-embedding-3-small", native: 1536, short: 512 },
  maxInputs: 2048,
  batchRefusals: [
    { reply: tooManyInputs(2, 5), sizes: [2, 2, 1] },
    {
      reply: {
        status: 400,
        body: {
          error: {
            message: "Requested 15 tokens, max 9 tokens per request",
            type: "max_tokens_per_request",
            param: null,
            code: "max_tokens_per_request",
          },
        },
      },
      sizes: "smaller",
    },
    {
      reply: {
        status: 400,
        body: { error: { message: "'$.input' is invalid: array length must be 3 or less" } },
      },
      sizes: [3, 2],
    },
  ],
  // Only the upstream counts the tokens then.
  modelKeys: "    maxTokens: 100000",
  textsOf: (body) => (body as { input: string[] }).input,
  tooLong: "word ".repeat(8193).trim(),
  throttled: {
    status: 429,
    headers: { "retry-after": "37" },
    body: { error: { message: "Rate limit reached.", type: "requests", code: "rate_limit_exceeded" } },
  },
  imageModel: "gpt-image-2",
};

describeEmbeddings({ provider: "openai", ...suite });
describeEmbeddings({ provider: "openai-compatible", ...suite });

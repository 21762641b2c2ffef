import { describeEmbeddings } from "../embeddings-suite.js";
import { dashScopeKey } from "./fake-dashscope.js";
import { invalid, refused, startFakeEmbeddings } from "./fake-embeddings.js";

describeEmbeddings({
  provider: "dashscope",
  pathPrefix: "/compatible-mode/v1",
  start: startFakeEmbeddings,
  apiKey: dashScopeKey,
  model: { name: "text-embedding-v4", native: 1024, short: 256 },
  maxInputs: 10,
  batchRefusals: [
    {
      reply: invalid("Value error, batch size is invalid, it should not be larger than 2.: input.contents"),
      sizes: [2, 2, 1],
    },
  ],
  textsOf: (body) => (body as { input: string[] }).input,
  modelKeys: "    maxTokens: 100000",
  tooLong: "word ".repeat(8193).trim(),
  throttled: {
    ...refused(429, "limit_requests", "You exceeded your current requests list."),
    headers: { "retry-after": "37" },
  },
  imageModel: "qwen-image-3.0",
});

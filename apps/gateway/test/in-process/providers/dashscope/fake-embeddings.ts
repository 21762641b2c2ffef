import { z } from "zod";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { countWords, unitVector } from "../unit-vectors.js";
import { dashScopeKey } from "./fake-dashscope.js";

const native = 1024;
/** The real limit is the same; a word counts as a token here. */
const tokensMax = 8192;

const body = z.strictObject({
  model: z.literal("text-embedding-v4"),
  input: z.union([z.string(), z.array(z.string()).min(1)]),
  dimensions: z.union([2048, 1536, 1024, 768, 512, 256, 128, 64].map((width) => z.literal(width))).optional(),
  encoding_format: z.literal("float").optional(),
});

/** https://www.alibabacloud.com/help/en/model-studio/embedding-interfaces-compatible-with-openai */
export function startFakeEmbeddings(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${dashScopeKey}`
        ? undefined
        : refused(401, "invalid_api_key", "Incorrect API key provided."),
    refuse: ({ path, message }) => invalid(`${message}: ${path.join(".")}`),
    routes: { "POST /compatible-mode/v1/embeddings": strictRoute({ body, reply }) },
  });
}

function reply({ model, input, dimensions: width = native }: z.output<typeof body>): FakeReply {
  const texts = [input].flat();
  if (texts.length > 10)
    return invalid("Value error, batch size is invalid, it should not be larger than 10.: input.contents");
  if (texts.some((text) => countWords([text]) > tokensMax))
    return invalid(`Range of input length should be [1, ${tokensMax}]`);
  const tokens = countWords(texts);
  return {
    body: {
      object: "list",
      model,
      data: texts.map((text, index) => ({
        object: "embedding",
        index,
        embedding: unitVector(text, { width, native }),
      })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      id: "r",
    },
  };
}

/** The words of a real refusal. */
export function invalid(message: string): FakeReply {
  return refused(400, "InvalidParameter", `<400> InternalError.Algo.InvalidParameter: ${message}`);
}

export function refused(status: number, code: string, message: string): FakeReply {
  return { status, body: { error: { message, type: code, param: null, code }, id: "r", request_id: "r" } };
}

import { z } from "zod";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, unitVector } from "../unit-vectors.js";

export const openAiKey = "openai-secret";
const native = 1536;
const inputsMax = 2048;
/** A word counts as a token. */
const contextTokens = 8192;

const body = z.strictObject({
  model: z.literal("text-embedding-3-small"),
  input: z.array(z.string().min(1)).min(1),
  encoding_format: z.enum(["float", "base64"]).optional(),
  dimensions: z.int().positive().max(native).optional(),
  user: z.string().optional(),
});

/** https://platform.openai.com/docs/api-reference/embeddings */
export function startFakeOpenAi(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${openAiKey}`
        ? undefined
        : refused(401, { message: "Incorrect API key provided.", code: "invalid_api_key" }),
    refuse: ({ path, message }) => refused(400, { message, param: path.join("."), code: null }),
    routes: { "POST /v1/embeddings": strictRoute({ body, reply: embed }) },
  });
}

function embed({ model, input, encoding_format, dimensions }: z.output<typeof body>): FakeReply {
  if (input.length > inputsMax) return tooManyInputs(inputsMax, input.length);
  const long = input.findIndex((text) => countWords([text]) > contextTokens);
  if (long !== -1)
    return refused(400, {
      message: `Invalid 'input[${long}]': maximum context length is ${contextTokens} tokens.`,
      param: `input[${long}]`,
      code: "context_length_exceeded",
    });
  const tokens = countWords(input);
  return {
    body: {
      object: "list",
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      data: input.map((text, index) => {
        const vector = unitVector(text, { width: dimensions ?? native, native });
        return {
          object: "embedding",
          index,
          embedding: encoding_format === "base64" ? base64Of(vector) : vector,
        };
      }),
    },
  };
}

export function tooManyInputs(max: number, count: number): FakeReply {
  return refused(400, {
    message: `Invalid 'input': array too long. Expected an array with maximum length ${max}, but got an array with length ${count} instead.`,
    param: "input",
    code: "array_above_max_length",
  });
}

function refused(status: number, error: object): FakeReply {
  return { status, body: { error: { type: "invalid_request_error", param: null, ...error } } };
}

import type { ContentSuite } from "../contents-suite.js";
import { geminiKey, googleImageTokens, partsOf, startFakeGemini } from "./fake-gemini.js";
import { googleError } from "./fake-generate-content.js";

interface Body {
  readonly requests?: readonly { readonly content: Parameters<typeof partsOf>[0] }[];
}

/** A model that takes images. */
export const geminiContents: ContentSuite = {
  provider: "gemini",
  pathPrefix: "/v1beta",
  start: startFakeGemini,
  credentials: `apiKey: ${geminiKey}`,
  wrongCredentials: "apiKey: wrong-secret",
  model: { name: "gemini-embedding-2", native: 3072 },
  imageTypes: ["png", "jpeg"],
  imagesPerInput: 6,
  perCall: { inputs: 100, images: 6 },
  inputsOf: (body) => (body as Body).requests?.map(({ content }) => partsOf(content)) ?? [],
  replyWith: (vectors) => ({ body: { embeddings: vectors.map((values) => ({ values })) } }),
  refusal: googleError(400, {
    word: "INVALID_ARGUMENT",
    message: "Unable to process input image.",
    details: [{ fieldViolations: [{ field: "requests[1].content.parts[0]" }] }],
  }),
  imageTokens: googleImageTokens,
};

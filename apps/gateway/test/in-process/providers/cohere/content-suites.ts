import type { ContentSuite } from "../contents-suite.js";
import { cohereImageTokens, cohereKey, partsOf, startFakeCohere } from "./fake-cohere.js";

const cohere = {
  provider: "cohere",
  pathPrefix: "/v2",
  start: startFakeCohere,
  credentials: `apiKey: ${cohereKey}`,
  wrongCredentials: "apiKey: wrong-secret",
  modelKeys: "    inputType: document",
  imageTypes: ["png", "jpeg", "webp"],
  inputsOf: (body: unknown) => partsOf(body as Parameters<typeof partsOf>[0]),
  replyWith: (vectors: readonly (readonly number[])[]) => ({
    body: { id: "e0", embeddings: { float: vectors }, response_type: "embeddings_by_type" },
  }),
} as const;

/** Models that take images. */
export const cohereContents: readonly ContentSuite[] = [
  {
    ...cohere,
    model: { name: "embed-v4.0", native: 1536 },
    imagesPerInput: 16,
    perCall: { inputs: 96, images: 96 },
    refusal: { status: 400, body: { id: "e0", message: "invalid request: input at index 1 is too long" } },
    imageTokens: cohereImageTokens,
  },

  {
    ...cohere,
    model: { name: "embed-english-v3.0", native: 1536 },
    imagesPerInput: "one part",
    perCall: { inputs: 1, images: 1 },
    refusal: { status: 400, body: { id: "e0", message: "invalid request: image is not decodable" } },
  },
];

import type { FakePart } from "../contents.js";
import type { ContentSuite } from "../contents-suite.js";
import { jinaKey, startFakeJina } from "./fake-jina.js";

interface Body {
  readonly input: readonly (string | { readonly image: Buffer })[];
}

const models = [
  { name: "jina-embeddings-v4", native: 2048 },
  { name: "jina-clip-v2", native: 1024 },
];

/** Models that take images. */
export const jinaContents = models.map(
  (model): ContentSuite => ({
    provider: "jina",
    pathPrefix: "/v1",
    start: startFakeJina,
    credentials: `apiKey: ${jinaKey}`,
    wrongCredentials: "apiKey: wrong-secret",
    model,
    imageTypes: ["png", "jpeg", "webp"],
    imagesPerInput: "one part",
    perCall: { inputs: 512, images: 512 },
    inputsOf: (body) =>
      (body as Body).input.map((one): FakePart[] => [typeof one === "string" ? one : one.image]),
    replyWith: (vectors) => ({
      body: { object: "list", data: vectors.map((embedding, index) => ({ embedding, index })), usage: {} },
    }),
    refusal: {
      status: 422,
      body: { detail: [{ type: "value_error", loc: ["body", "input", 1, "image"], msg: "Not an image." }] },
    },
  }),
);

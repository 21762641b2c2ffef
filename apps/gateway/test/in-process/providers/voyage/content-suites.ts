import type { FakePart } from "../contents.js";
import type { ContentSuite } from "../contents-suite.js";
import { startFakeVoyage, voyageImageTokens, voyageKey } from "./fake-voyage.js";

interface Body {
  readonly inputs: readonly { readonly content: readonly { text?: string; image_base64: Buffer }[] }[];
}

/** A model that takes images. */
export const voyageContents: ContentSuite = {
  provider: "voyage",
  pathPrefix: "/v1",
  start: startFakeVoyage,
  credentials: `apiKey: ${voyageKey}`,
  wrongCredentials: "apiKey: wrong-secret",
  model: { name: "voyage-multimodal-3.5", native: 1024 },
  imageTypes: ["png", "jpeg", "webp"],
  imagesPerInput: 16,
  perCall: { inputs: 1000, images: 1000 },
  inputsOf: (body) =>
    (body as Body).inputs.map(({ content }) =>
      content.map((part): FakePart => part.text ?? part.image_base64),
    ),
  replyWith: (vectors) => ({
    body: { object: "list", data: vectors.map((embedding, index) => ({ embedding, index })), usage: {} },
  }),
  refusal: {
    status: 400,
    body: {
      detail:
        "Request to model failed. The example at index 1 in your batch has too many tokens and does not fit.",
    },
  },
  imageTokens: voyageImageTokens,
};

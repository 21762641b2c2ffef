import type { ContentSuite } from "../contents-suite.js";
import {
  hostRefused,
  openRouterImageTokens,
  openRouterKey,
  openRouterParts,
  startFakeOpenRouter,
} from "./fake-openrouter.js";

/** A model that takes images. */
export const openRouterContents: ContentSuite = {
  provider: "openrouter",
  pathPrefix: "/api/v1",
  start: startFakeOpenRouter,
  credentials: `apiKey: ${openRouterKey}`,
  wrongCredentials: "apiKey: wrong-secret",
  model: { name: "google/gemini-embedding-2", native: 1536 },
  targetKeys: ", inputImages: { maxInputs: 8, maxImagesPerInput: 6, imageTypes: [png, jpeg] }",
  imageTypes: ["png", "jpeg"],
  imagesPerInput: 6,
  perCall: { inputs: 8, images: 48 },
  inputsOf: (body) => openRouterParts(body as Parameters<typeof openRouterParts>[0]),
  replyWith: (vectors) => ({
    body: { object: "list", data: vectors.map((embedding, index) => ({ embedding, index })), usage: {} },
  }),
  refusal: hostRefused({
    message: "Invalid 'input[1]': the image cannot be read.",
    type: "invalid_request_error",
    param: "input[1]",
    code: "invalid_image",
  }),
  imageTokens: openRouterImageTokens,
};

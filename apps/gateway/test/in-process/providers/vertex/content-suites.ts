import type { ContentSuite } from "../contents-suite.js";
import { googleImageTokens, partsOf } from "../gemini/fake-gemini.js";
import { googleError } from "../gemini/fake-generate-content.js";
import { type FakeVertex, startFakeVertex } from "./fake-vertex.js";

interface Body {
  readonly content: Parameters<typeof partsOf>[0];
}

const place = "project: a-project, location: europe-west4";
let fake: FakeVertex;

/** A model that takes images. */
export const vertexContents: ContentSuite = {
  provider: "vertex",
  pathPrefix: "/v1",
  start: async () => {
    fake = await startFakeVertex();
    return fake;
  },
  credentials: () => `${place}, credentialsFile: "${fake.keyFile}"`,
  wrongCredentials: () => `${place}, credentialsFile: "${fake.wrongKeyFile}"`,
  model: { name: "gemini-embedding-2", native: 3072 },
  imageTypes: ["png", "jpeg"],
  imagesPerInput: 6,
  perCall: { inputs: 1, images: 6 },
  inputsOf: (body) => [partsOf((body as Body).content)],
  hasOneVector: true,
  replyWith: ([values]) => ({ body: { embedding: { values } } }),
  refusal: googleError(400, { word: "INVALID_ARGUMENT", message: "Unable to process input image." }),
  imageTokens: googleImageTokens,
};

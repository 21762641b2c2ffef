import embeddingCurl from "@model-gateway/spec/samples/createEmbedding/curl.sh?raw";
import embeddingJavaScript from "@model-gateway/spec/samples/createEmbedding/javascript.mjs?raw";
import embeddingPython from "@model-gateway/spec/samples/createEmbedding/python.py?raw";
import imageCurl from "@model-gateway/spec/samples/createImage/curl.sh?raw";
import imageJavaScript from "@model-gateway/spec/samples/createImage/javascript.mjs?raw";
import imagePython from "@model-gateway/spec/samples/createImage/python.py?raw";
import type { Sample } from "../../parts/code-sample.js";

/** The samples of the reference name this address and these models. */
const sampleAddress = "http://127.0.0.1:8080";

const samples = {
  embedding: {
    model: "gte-small",
    texts: { curl: embeddingCurl, JavaScript: embeddingJavaScript, Python: embeddingPython },
  },
  image: {
    model: "local-sketch",
    texts: { curl: imageCurl, JavaScript: imageJavaScript, Python: imagePython },
  },
} as const;

/** The samples of the reference, with the id of a model and the address of this gateway in them. */
export function samplesFor(
  model: { readonly id: string; readonly type: "embedding" | "image" },
  root: string,
): Sample[] {
  const { model: sampleModel, texts } = samples[model.type];
  return Object.entries(texts).map(([language, text]) => ({
    language,
    code: text.trim().replaceAll(sampleAddress, root).replaceAll(sampleModel, model.id),
  }));
}

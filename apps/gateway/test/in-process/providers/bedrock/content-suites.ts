import { partsOf } from "../cohere/fake-cohere.js";
import type { FakePart } from "../contents.js";
import type { ContentSuite } from "../contents-suite.js";
import { bedrockRegion, invalid, startFakeBedrock } from "./fake-bedrock.js";

const signedWith = (secret: string) =>
  `region: ${bedrockRegion}, accessKeyId: AKIAPERMANENT, secretAccessKey: ${secret}`;

export const bedrockCredentials = signedWith("permanent/secret+key");

/** The signature covers the images. */
const bedrock = {
  provider: "bedrock",
  pathPrefix: "",
  start: () => startFakeBedrock(),
  credentials: bedrockCredentials,
  wrongCredentials: signedWith("wrong-secret"),
} as const;

const cohere = {
  ...bedrock,
  modelKeys: "    inputType: document",
  inputsOf: (body: unknown) => partsOf(body as Parameters<typeof partsOf>[0]),
  replyWith: (vectors: readonly (readonly number[])[]) => ({ body: { embeddings: { float: vectors } } }),
};

interface TitanBody {
  readonly inputText?: string;
  readonly inputImage?: Buffer;
}

interface NovaBody {
  readonly singleEmbeddingParams: {
    readonly text?: { readonly value: string };
    readonly image?: { readonly source: { readonly bytes: Buffer } };
  };
}

/** Models that take images. */
export const bedrockContents: readonly ContentSuite[] = [
  {
    ...cohere,
    model: { name: "us.cohere.embed-v4:0", native: 1536 },
    imageTypes: ["png", "jpeg", "webp"],
    imagesPerInput: 16,
    perCall: { inputs: 96, images: 96 },
    refusal: invalid("text at index 1 is too long: too many tokens"),
  },

  {
    ...cohere,
    model: { name: "cohere.embed-english-v3", native: 1024 },
    imageTypes: ["png", "jpeg"],
    imagesPerInput: "one part",
    perCall: { inputs: 1, images: 1 },
    refusal: invalid("Malformed input request: #/images/0: not an image"),
  },

  {
    ...bedrock,
    model: { name: "amazon.titan-embed-image-v1", native: 1024 },
    imageTypes: ["png", "jpeg"],
    imagesPerInput: 1,
    perCall: { inputs: 1, images: 1 },
    inputsOf: (body) => {
      const { inputText, inputImage } = body as TitanBody;
      return [[inputText, inputImage].filter((part) => part !== undefined)];
    },
    hasOneVector: true,
    replyWith: ([embedding]) => ({ body: { embedding, inputTextTokenCount: 0 } }),
    refusal: invalid("Malformed input request: #/inputImage: not an image"),
  },

  {
    ...bedrock,
    modelKeys: "    inputType: document",
    model: { name: "amazon.nova-2-multimodal-embeddings-v1:0", native: 3072 },
    imageTypes: ["png", "jpeg", "webp"],
    imagesPerInput: "one part",
    perCall: { inputs: 1, images: 1 },
    inputsOf: (body) => {
      const { text, image } = (body as NovaBody).singleEmbeddingParams;
      const part: FakePart = text?.value ?? image?.source.bytes ?? "";
      return [[part]];
    },
    replyWith: (vectors) => ({ body: { embeddings: vectors.map((embedding) => ({ embedding })) } }),
    refusal: invalid("Malformed input request: #/singleEmbeddingParams/image: not an image"),
  },
];

import { resolve } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import { localModelsMissing, localPackages } from "@model-gateway/domain/local-packages";
import { z } from "zod";
import { defineProvider, type OpenProvider } from "../provider.js";
import { localModels, widthOf } from "./local-models.js";

/** Models that run in the gateway's own process: no key, no account, no network. */
export const localProvider = defineProvider({
  name: "local",
  title: "Local models",
  settings: z.strictObject({
    provider: z.literal("local"),
    modelFolders: z
      .record(z.string().min(1).max(256), z.string().min(1))
      .default({})
      .describe(
        "Folders with your own embedding models, by name. Each holds a model.onnx and a tokenizer.json.",
      ),
  }),
  defaults: {
    cacheTtl: "24h",
    price: { embedding: { perMillionTokens: 0 }, image: { perImage: 0 } },
  },
  models: localModels,
  embeddings: ({ name, settings = {} }) => {
    const width = widthOf(name, settings);
    return {
      encodings: ["float"],
      dimensions: "emulate",
      tooLong: "refused",
      unitVectors: "always",
      takesUser: false,
      ...(width === undefined ? {} : { width }),
    };
  },
  images: () => ({ profile: "sketch", mask: "alpha" }),
  examples: { embeddings: ["gte-small", "all-MiniLM-L6-v2"], images: ["local-sketch"] },
  describe: ({ provider, modelFolders }, directory) => ({
    hasKey: false,
    allowPrivateUrls: false,
    settings: {
      provider,
      modelFolders: Object.fromEntries(
        Object.entries(modelFolders).map(([model, path]) => [model, resolve(directory, path)]),
      ),
    },
  }),
  open: async ({ modelFolders }) => {
    // Loaded on demand: most gateways have no local upstream.
    const local = await import("./local.js").catch((failure: unknown) => {
      if (isNotInstalled(failure)) return undefined;
      throw failure;
    });
    return local === undefined ? notInstalled : local.openLocal(modelFolders);
  },
});

const notInstalled: OpenProvider = {
  operations: {},
  unavailable: () => ({
    reason: localModelsMissing,
    detail: `Install ${localPackages.join(" and ")} beside the gateway, in the same version.`,
  }),
  close: () => Promise.resolve(),
};

/** Whether one of the two packages is missing, and not something inside them. */
function isNotInstalled(failure: unknown): boolean {
  return (
    /^(ERR_)?MODULE_NOT_FOUND$/.test(codeOf(failure) ?? "") &&
    /'@model-gateway\/(local-embeddings|sketch)'/.test(String(failure))
  );
}

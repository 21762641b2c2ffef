import { resolve } from "node:path";
import { z } from "zod";
import { defineProvider } from "../provider.js";

/** Models that run in the gateway's own process: no key, no account, no network. */
export const localProvider = defineProvider({
  name: "local",
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
    imageProfile: "sketch",
    price: { embedding: { perMillionTokens: 0 }, image: { perImage: 0 } },
  },
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
    const { openLocal } = await import("./local.js");
    return openLocal(modelFolders);
  },
});

import type { EmbeddingServiceOptions } from "../create-embedding.js";

/** For services whose models take text alone. */
export const noImages: Pick<EmbeddingServiceOptions, "readImages" | "convertContent"> = {
  readImages: async (links) => {
    if (links.length > 0) throw new Error("A model that takes text alone has an image.");
    return [];
  },
  convertContent: () => undefined,
};

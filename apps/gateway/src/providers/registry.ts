import type { Upstream } from "../domain/model.js";
import { openOpenAi } from "./openai/openai.js";
import type { OpenProvider } from "./provider.js";

/** Opens an upstream by its provider. A new provider is one file, its test and one line here. */
export async function openUpstream(upstream: Upstream): Promise<OpenProvider> {
  switch (upstream.provider) {
    case "openai":
    case "openai-compatible":
      return openOpenAi(upstream);
    case "local": {
      // Who only has upstreams elsewhere does not pay for the machinery of models.
      const { openLocal } = await import("./local/local.js");
      return openLocal(upstream);
    }
  }
}

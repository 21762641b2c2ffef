import { isObject } from "@model-gateway/runtime/json";
import type { LoopbackServer, OfferedModel, OfferedModels } from "../detection.js";
import { isEmbeddingName } from "../dialects/embeddings/embedding-names.js";
import { readTokenCount } from "../http/replies/vectors.js";

const ownPort = 11_434;

/** https://docs.ollama.com/api/tags */
export const ollamaServer: LoopbackServer = {
  name: "ollama",
  title: "Ollama",
  port: ownPort,
  address: { variable: "OLLAMA_HOST", read: readOllamaHost },
  listPath: "/api/tags",
  basePath: "",
  modelsIn,
};

/**
 * The address in OLLAMA_HOST, which Ollama's clients read in many forms: `host`, `host:port`, `:port`, a URL. The port is
 * Ollama's own, unless there is a scheme.
 */
export function readOllamaHost(value: string): string | undefined {
  const text = value.trim();
  const hasScheme = /^https?:\/\//i.test(text);
  const address = hasScheme ? text : `http://${text.startsWith(":") ? `127.0.0.1${text}` : text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username !== "" || url.password !== "" || url.pathname !== "/" || url.search !== "")
    return undefined;
  if (!hasScheme && url.port === "" && !/:80$/.test(text)) url.port = String(ownPort);
  return url.origin;
}

/** Older versions do not list capabilities: there the family or the name of the model tells its kind. */
function modelsIn(list: unknown): OfferedModels | undefined {
  if (!isObject(list) || !Array.isArray(list.models)) return undefined;
  const items: readonly unknown[] = list.models;
  const models = items.flatMap((item): (readonly [string, OfferedModel])[] => {
    // A remote model runs in Ollama's cloud, where calls may be billed.
    if (!isObject(item) || typeof item.name !== "string" || item.remote_host !== undefined) return [];
    const details = isObject(item.details) ? item.details : {};
    const embeds = Array.isArray(item.capabilities)
      ? item.capabilities.includes("embedding")
      : /bert/.test(String(details.family)) || isEmbeddingName(item.name);
    if (!embeds) return [];
    const dimensions = readTokenCount(details.embedding_length);
    const id = item.name.replace(/:latest$/, "");
    return [
      [
        id,
        {
          ...(id === item.name ? {} : { model: item.name }),
          ...(dimensions === undefined ? {} : { dimensions }),
        },
      ],
    ];
  });
  return { embedding: Object.fromEntries(models) };
}

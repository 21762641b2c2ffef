import { errorOf, GatewayError, withContext } from "@model-gateway/domain/errors";
import { isObject } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import type { OfferedModels } from "../detection.js";
import { readJson } from "../http/json-request.js";
import type { Send } from "../http/send.js";

/**
 * The checkpoints of a web UI. A name that it does not know is not an error there: the image then comes from the
 * checkpoint that is loaded. So the names are looked up first, once for each configured model.
 */
export class Checkpoints {
  readonly #send: Send;
  /** The titles of the models that were found. */
  readonly #titles = new Map<string, string>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** The title of the checkpoint that a call's model names. */
  async titleOf(call: Call): Promise<string> {
    const { model } = call;
    const known = this.#titles.get(model);
    if (known !== undefined) return known;
    const title = findTitle(await this.#list(call), model);
    if (title === undefined) {
      throw new GatewayError(
        "upstream_model_missing",
        "The upstream does not have the model that is configured for it.",
        { nothingBilled: true },
      );
    }
    this.#titles.set(model, title);
    return title;
  }

  async #list(call: Call): Promise<unknown> {
    try {
      return await readJson(
        await this.#send({ method: "GET", path: "/sdapi/v1/sd-models", headers: {} }, call),
      );
    } catch (failure) {
      // No image was requested yet, whatever went wrong.
      throw withContext(failure, { nothingBilled: true });
    }
  }
}

/** A checkpoint goes by its title, with or without its hash, by its file or its name, or by a hash. */
function findTitle(list: unknown, model: string): string | undefined {
  if (!Array.isArray(list)) throw invalidList();
  for (const item of list) {
    if (!isObject(item) || typeof item.title !== "string") throw invalidList();
    const { title, model_name, hash, sha256, filename } = item;
    const file = typeof filename === "string" ? filename.split(/[/\\]/).at(-1) : undefined;
    const names = [title, title.replace(/ \[[0-9a-f]+\]$/, ""), model_name, hash, sha256, file];
    if (names.includes(model)) return title;
  }
  return undefined;
}

function invalidList(): GatewayError {
  return errorOf("upstream_invalid_reply", { reason: "it has no list of models" }, { nothingBilled: true });
}

/** The checkpoints of a web UI that is looked for. Undefined for another server's reply. */
export function checkpointsIn(list: unknown): OfferedModels | undefined {
  if (!Array.isArray(list)) return undefined;
  const items: readonly unknown[] = list;
  const names = items.flatMap((item) =>
    isObject(item) && typeof item.title === "string" && typeof item.model_name === "string"
      ? [item.model_name]
      : [],
  );
  return names.length < items.length
    ? undefined
    : { image: Object.fromEntries(names.map((name) => [name, {}])) };
}

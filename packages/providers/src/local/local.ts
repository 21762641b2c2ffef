import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { findDecodingRisk } from "@model-gateway/domain/image-header";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type {
  EmbeddingReply,
  ImageEditRequest,
  ImageReply,
  ImageRequest,
  Input,
} from "@model-gateway/domain/requests";
import { Vector } from "@model-gateway/domain/vector";
import {
  type EmbeddingEngine,
  EmbeddingFailedError,
  EngineBusyError,
  EngineClosedError,
  InputTooLongError,
  ModelUnavailableError,
  openEmbeddingEngine,
} from "@model-gateway/local-embeddings";
import type { Sketcher, UnreadableImageError } from "@model-gateway/sketch";
import type { OpenProvider, ProviderOperations, Unavailability } from "../provider.js";
import { sketchModel } from "./local-models.js";
import { createSketches, unsupportedParameter } from "./sketch.js";

const autoSize = { width: 1024, height: 1024 };
/** Requests that wait for the start come first. */
const loadSketcherAfterMs = 1000;

/**
 * Opens the models that run in the gateway's own process.
 *
 * @param folders Folders with `model.onnx` and `tokenizer.json`, by model name.
 */
export async function openLocal(folders: Readonly<Record<string, string>>): Promise<OpenProvider> {
  // Throws if the package is not installed.
  createRequire(import.meta.url).resolve("@model-gateway/sketch");
  const engine = await openEmbeddingEngine({ folders });
  return {
    operations: createLocalOperations(engine, openSketcher()),
    unavailable: ({ model }) => unavailable(engine, model),
    checked: engine.checked,
    close: () => engine.close(),
  };
}

/** Loads the sketcher, and with it sharp, for the first image, or a moment after the start. */
function openSketcher(): Sketcher {
  let loading: Promise<Sketcher> | undefined;
  const load = (): Promise<Sketcher> => {
    loading ??= import("@model-gateway/sketch").then(({ createSketcher }) => createSketcher());
    return loading;
  };
  // A failure is that of the first image.
  void setTimeout(loadSketcherAfterMs, undefined, { ref: false }).then(() => load().catch(() => undefined));
  return {
    createImage: async (options, signal) => (await load()).createImage(options, signal),
    unknownWords: async (prompt) => (await load()).unknownWords(prompt),
    createImageEdit: async (options, signal) => (await load()).createImageEdit(options, signal),
  };
}

export function createLocalOperations(engine: EmbeddingEngine, sketcher: Sketcher): ProviderOperations {
  return {
    async createEmbedding(request, call): Promise<EmbeddingReply> {
      const { vectors, tokenCounts } = await engine
        .embed(call.model, texts(request.inputs), {
          signal: call.signal,
          owner: call.caller ?? "",
          priority: call.isBulk === true ? "bulk" : "interactive",
        })
        .catch((failure: unknown) => Promise.reject(toGatewayError(failure)));
      return {
        items: vectors.map((values, index) => ({ index, vector: Vector.fromFloats(values) })),
        promptTokens: tokenCounts.reduce((sum, count) => sum + count, 0),
      };
    },
    createImage: (request, call): Promise<ImageReply> =>
      createSketches(request, {
        verb: "image_generation",
        unknownWords: sketcher.unknownWords,
        createImage: (options) => sketcher.createImage({ ...autoSize, ...options }, call.signal),
      }),
    async createImageEdit(request, call): Promise<ImageReply> {
      if (request.markup !== undefined) throw unsupportedParameter("markup");
      const [images, mask] = await Promise.all([
        Promise.all(request.images.map((image) => readForDecoder(image, "image"))),
        request.mask && readForDecoder(request.mask, "mask"),
      ]);
      return createSketches(withoutImages(request), {
        verb: "image_edit",
        unknownWords: sketcher.unknownWords,
        createImage: (options) =>
          sketcher
            .createImageEdit({ ...options, images, ...(mask === undefined ? {} : { mask }) }, call.signal)
            .catch((failure: unknown) => Promise.reject(toGatewayError(failure))),
      });
    },
  };
}

function unavailable(engine: EmbeddingEngine, model: string): Unavailability | undefined {
  if (model === sketchModel) return undefined;
  const state = engine.models.get(model);
  if (state === undefined)
    return { reason: "There is no such local model.", detail: `No local model "${model}".` };
  return state.available ? undefined : { reason: "Its files are missing or damaged.", detail: state.reason };
}

function texts(inputs: readonly Input[]): string[] {
  return inputs.map((text) => {
    if (typeof text === "string") return text;
    throw new GatewayError(
      "unsupported_value",
      "Invalid 'input': this model does not take token ids; send text instead.",
      { param: "input" },
    );
  });
}

async function readForDecoder(image: ImageInput, param: string): Promise<Buffer> {
  const content = await image.read();
  const reason = await findDecodingRisk(content);
  if (reason === undefined) return content;
  throw errorOf("invalid_image_file", { param, reason });
}

function withoutImages(request: ImageEditRequest): ImageRequest {
  const { images: _images, mask: _mask, ...rest } = request;
  return rest;
}

function toGatewayError(failure: unknown): unknown {
  if (failure instanceof InputTooLongError) {
    return new GatewayError(
      "context_length_exceeded",
      (param) =>
        `Invalid '${param}': it has ${failure.length}; this model takes at most ${failure.maxTokens} tokens.`,
      { param: "input", inputIndex: failure.index, cause: failure },
    );
  }
  if (isUnreadableImage(failure)) {
    return new GatewayError("invalid_image_file", `Invalid image file: ${failure.message}`, {
      param: failure.image,
      cause: failure,
    });
  }
  if (failure instanceof ModelUnavailableError || failure instanceof EngineClosedError) {
    return new GatewayError("model_unavailable", "The local model cannot be run.", {
      cause: failure,
      retryAfterMs: 10_000,
    });
  }
  if (failure instanceof EmbeddingFailedError) {
    return new GatewayError("upstream_error", "The local model failed.", { cause: failure });
  }
  if (failure instanceof EngineBusyError) {
    return new GatewayError("rate_limit_exceeded", "Too many inputs are waiting for the local model.", {
      cause: failure,
      retryAfterMs: 1000,
    });
  }
  return failure;
}

/** By its name: the class comes with sharp. */
function isUnreadableImage(failure: unknown): failure is UnreadableImageError {
  return failure instanceof Error && failure.name === "UnreadableImageError";
}

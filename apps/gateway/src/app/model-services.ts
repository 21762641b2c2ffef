import { randomUUID } from "node:crypto";
import type { Config } from "@model-gateway/config/config";
import { ProvenanceChecks } from "@model-gateway/content-credentials/check-provenance";
import type { ImageLabel } from "@model-gateway/content-credentials/label-image";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { Target } from "@model-gateway/domain/model";
import { ownCall } from "@model-gateway/providers/call";
import type { OpenUpstream } from "@model-gateway/providers/provider";
import { providerOf } from "@model-gateway/providers/registry";
import type { Dispatcher } from "@model-gateway/scheduling/dispatch";
import { Vocabularies } from "@model-gateway/tokens/tokens";
import { Coalescers } from "../embeddings/coalescing/coalescers.js";
import { BatchSender } from "../embeddings/coalescing/send-batch.js";
import { EmbeddingService } from "../embeddings/create-embedding.js";
import { createContentConverter } from "../images/convert-content.js";
import { ImageService } from "../images/create-image.js";
import { ImageDelivery } from "../images/delivery/deliver.js";
import { createContentImageReader } from "../images/fetch/read-content-images.js";
import type { Services } from "./gateway-modules.js";

interface ModelServicesOptions {
  readonly config: Config;
  readonly services: Services;
}

/** For all linked images of one request. */
const contentImagesTimeoutMs = 60_000;

export function createEmbeddings(
  dispatcher: Dispatcher,
  { config, services }: ModelServicesOptions,
): EmbeddingService {
  const { cache, batchLimits } = services;
  const { partitionBy } = config.cache;
  const vocabularies = new Vocabularies();
  const coalescers = new Coalescers({
    sender: new BatchSender(dispatcher),
    limits: batchLimits,
    vocabularies,
  });
  const { fetchImage, decoder } = services.images;
  return new EmbeddingService({
    coalescers,
    cache,
    partitionBy,
    vocabularies,
    readImages: createContentImageReader(fetchImage, contentImagesTimeoutMs),
    convertContent: createContentConverter(decoder),
  });
}

export function createImages(
  dispatcher: Dispatcher,
  { config, services }: ModelServicesOptions,
): ImageService {
  const { files, fetchImage, decoder, idempotency } = services.images;
  const delivery = new ImageDelivery({
    ...files,
    fetchImage,
    decoder,
    allowsPrivateUrls: (upstream) => config.upstreams.get(upstream)?.allowPrivateUrls === true,
    ...(config.labelUnsigned && { labelOf: createLabels(config.labelUnsigned, config.upstreams) }),
  });
  return new ImageService({ dispatcher, delivery, idempotency, decoder });
}

/** The labels of images without content credentials. */
function createLabels(
  { provider }: NonNullable<Config["labelUnsigned"]>,
  upstreams: Config["upstreams"],
): (target: Pick<Target, "upstream" | "model">) => ImageLabel {
  return ({ upstream, model }) => ({
    provider: provider ?? providerOf(upstreams.get(upstream)?.provider ?? "").title,
    model,
    createdAt: new Date(),
    id: randomUUID(),
  });
}

const provenanceTimeoutMs = 60_000;

/** An image is sent to an upstream only where the operator has named one. */
export function createProvenanceChecks(
  upstreams: ReadonlyMap<string, OpenUpstream>,
  { config: { provenanceUpstream: name = "" }, services: { log } }: ModelServicesOptions,
): ProvenanceChecks {
  const { upstream, provider } = upstreams.get(name) ?? {};
  const check = provider?.checkProvenance;
  const target = { upstream: name, model: "" };
  const timeoutMs = upstream?.timeoutMs ?? provenanceTimeoutMs;
  return new ProvenanceChecks({
    now: Date.now,
    onFailure: (err) =>
      log.warn({ upstream: name, err }, "An upstream could not check the provenance of an image."),
    ...(check && {
      askUpstream: (image: ImageInput, signal: AbortSignal) =>
        check(image, ownCall({ target, signal, timeoutMs })),
    }),
  });
}

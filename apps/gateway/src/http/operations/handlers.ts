import type { ReadLinks } from "../../images/fetch/read-links.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { Handlers } from "../handler.js";
import type { KeyHandlerServices } from "../schemas/AccessKey.js";
import { changeKey } from "./changeKey.js";
import { checkHealth } from "./checkHealth.js";
import { checkReadiness, type ReadinessHandlerServices } from "./checkReadiness.js";
import { createEmbedding, type EmbeddingHandlerServices } from "./createEmbedding.js";
import { createEmbeddingLegacy } from "./createEmbeddingLegacy.js";
import { createImage, type ImageHandlerServices } from "./createImage.js";
import { createImageEdit } from "./createImageEdit.js";
import { createKey } from "./createKey.js";
import { type AdminModelHandlerServices, listAdminModels } from "./listAdminModels.js";
import { listKeys } from "./listKeys.js";
import { listModels } from "./listModels.js";
import { listRequests } from "./listRequests.js";
import { listUpstreams, type UpstreamHandlerServices } from "./listUpstreams.js";
import { type Metrics, readMetrics } from "./readMetrics.js";
import { type LinkedImages, retrieveImageFile } from "./retrieveImageFile.js";
import { retrieveKey } from "./retrieveKey.js";
import { retrieveModel } from "./retrieveModel.js";
import { retrieveUsage } from "./retrieveUsage.js";
import { revokeKey } from "./revokeKey.js";

export interface HandlerServices
  extends EmbeddingHandlerServices,
    ImageHandlerServices,
    ReadinessHandlerServices {
  readonly readLinks: ReadLinks;
  /** Images behind links. */
  readonly files: LinkedImages;
  readonly admin: Omit<AdminHandlerServices, "catalog" | "observe" | "now">;
}

/** One handler for each operation of the spec. An operation without one does not compile. */
export function createHandlers(services: HandlerServices): Handlers {
  const { catalog, readLinks, files, observe, now, admin } = services;
  return {
    ...createAdminHandlers({ ...admin, catalog, observe, now }),
    createEmbedding: createEmbedding(services),
    createEmbeddingLegacy: createEmbeddingLegacy(services),
    createImage: createImage(services),
    createImageEdit: createImageEdit(services, readLinks),
    retrieveImageFile: retrieveImageFile(files),
    listModels: listModels(catalog),
    retrieveModel: retrieveModel(catalog),
    checkHealth: checkHealth(),
    checkReadiness: checkReadiness(services),
  };
}

export interface AdminHandlerServices
  extends KeyHandlerServices,
    AdminModelHandlerServices,
    UpstreamHandlerServices {
  readonly ledger: LedgerStore;
  readonly metrics: Metrics;
}

/** The operations that only the operator may use. */
export function createAdminHandlers(services: AdminHandlerServices) {
  return {
    listKeys: listKeys(services),
    createKey: createKey(services),
    retrieveKey: retrieveKey(services),
    changeKey: changeKey(services),
    revokeKey: revokeKey(services),
    retrieveUsage: retrieveUsage(services.ledger),
    listRequests: listRequests(services.ledger),
    listAdminModels: listAdminModels(services),
    listUpstreams: listUpstreams(services),
    readMetrics: readMetrics(services.metrics),
  } satisfies Partial<Handlers>;
}

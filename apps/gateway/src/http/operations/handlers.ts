import type { ReadLinks } from "../../images/fetch/read-links.js";
import type { Catalog } from "../../models/catalog.js";
import type { Relay } from "../../relay.js";
import type { TargetSnapshot } from "../../scheduling/target-health.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { Handlers } from "../handler.js";
import type { KeyHandlerNeeds } from "../schemas/AccessKey.js";
import { changeKey } from "./changeKey.js";
import { checkHealth } from "./checkHealth.js";
import { checkReadiness } from "./checkReadiness.js";
import { createEmbedding } from "./createEmbedding.js";
import { createEmbeddingLegacy } from "./createEmbeddingLegacy.js";
import { createImage } from "./createImage.js";
import { createImageEdit } from "./createImageEdit.js";
import { createKey } from "./createKey.js";
import { type AdminModelNeeds, listAdminModels } from "./listAdminModels.js";
import { listKeys } from "./listKeys.js";
import { listModels } from "./listModels.js";
import { listRequests } from "./listRequests.js";
import { listUpstreams, type UpstreamNeeds } from "./listUpstreams.js";
import { type Metrics, readMetrics } from "./readMetrics.js";
import { type LinkedImages, retrieveImageFile } from "./retrieveImageFile.js";
import { retrieveKey } from "./retrieveKey.js";
import { retrieveModel } from "./retrieveModel.js";
import { retrieveUsage } from "./retrieveUsage.js";
import { revokeKey } from "./revokeKey.js";

export interface HandlerNeeds {
  readonly catalog: Catalog;
  readonly relay: Relay;
  readonly images: { readonly images: LinkedImages; readonly readLinks: ReadLinks };
  readonly isStopping: () => boolean;
  readonly targets: () => readonly TargetSnapshot[];
  readonly admin: Omit<AdminHandlerNeeds, "catalog" | "targets">;
}

/** One handler for each operation of the spec; the compiler counts them. */
export function createHandlers(needs: HandlerNeeds): Handlers {
  const { catalog, relay, images, isStopping, targets, admin } = needs;
  return {
    ...createAdminHandlers({ ...admin, catalog, targets }),
    createEmbedding: createEmbedding(relay),
    createEmbeddingLegacy: createEmbeddingLegacy(relay),
    createImage: createImage(relay),
    createImageEdit: createImageEdit(relay, images.readLinks),
    retrieveImageFile: retrieveImageFile(images.images),
    listModels: listModels(catalog),
    retrieveModel: retrieveModel(catalog),
    checkHealth: checkHealth(),
    checkReadiness: checkReadiness({ catalog, isStopping, targets }),
  };
}

export interface AdminHandlerNeeds extends KeyHandlerNeeds, AdminModelNeeds, UpstreamNeeds {
  readonly ledger: LedgerStore;
  readonly metrics: Metrics;
}

/** The operations that only the operator may use. */
export function createAdminHandlers(needs: AdminHandlerNeeds) {
  return {
    listKeys: listKeys(needs),
    createKey: createKey(needs),
    retrieveKey: retrieveKey(needs),
    changeKey: changeKey(needs),
    revokeKey: revokeKey(needs),
    retrieveUsage: retrieveUsage(needs.ledger),
    listRequests: listRequests(needs.ledger),
    listAdminModels: listAdminModels(needs),
    listUpstreams: listUpstreams(needs),
    readMetrics: readMetrics(needs.metrics),
  } satisfies Partial<Handlers>;
}

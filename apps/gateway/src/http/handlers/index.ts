import type { Catalog } from "../../catalog.js";
import type { ReadLinks } from "../../images/read-links.js";
import type { Relay } from "../../relay.js";
import type { TargetSnapshot } from "../../scheduling/target-health.js";
import { type AdminHandlerNeeds, createAdminHandlers } from "./admin-handlers.js";
import { checkHealth } from "./checkHealth.js";
import { checkReadiness } from "./checkReadiness.js";
import { createEmbedding } from "./createEmbedding.js";
import { createEmbeddingLegacy } from "./createEmbeddingLegacy.js";
import { createImage } from "./createImage.js";
import { createImageEdit } from "./createImageEdit.js";
import type { Handlers } from "./handler.js";
import { listModels } from "./listModels.js";
import { type LinkedPictures, retrieveImageFile } from "./retrieveImageFile.js";
import { retrieveModel } from "./retrieveModel.js";

export interface HandlerNeeds {
  readonly catalog: Catalog;
  readonly relay: Relay;
  readonly images: { readonly pictures: LinkedPictures; readonly readLinks: ReadLinks };
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
    retrieveImageFile: retrieveImageFile(images.pictures),
    listModels: listModels(catalog),
    retrieveModel: retrieveModel(catalog),
    checkHealth: checkHealth(),
    checkReadiness: checkReadiness({ catalog, isStopping, targets }),
  };
}

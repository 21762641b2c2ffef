import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { Handlers } from "../handler.js";
import type { KeyHandlerServices } from "../schemas/AccessKey.js";
import type { SessionHandlerServices } from "../schemas/Session.js";
import { acceptSpace, type SpaceHandlerServices } from "./acceptSpace.js";
import { createAzureDeploymentEmbedding } from "./azure/createAzureDeploymentEmbedding.js";
import { createAzureDeploymentImage } from "./azure/createAzureDeploymentImage.js";
import { createAzureDeploymentImageEdit } from "./azure/createAzureDeploymentImageEdit.js";
import { createAzureEmbedding } from "./azure/createAzureEmbedding.js";
import { createAzureImage } from "./azure/createAzureImage.js";
import { createAzureImageEdit } from "./azure/createAzureImageEdit.js";
import { listAzureDeploymentModels } from "./azure/listAzureDeploymentModels.js";
import { listAzureModels } from "./azure/listAzureModels.js";
import { changeKey } from "./changeKey.js";
import { checkHealth } from "./checkHealth.js";
import { checkReadiness, type ReadinessHandlerServices } from "./checkReadiness.js";
import { createEmbedding, type EmbeddingHandlerServices } from "./createEmbedding.js";
import { createEmbeddingLegacy } from "./createEmbeddingLegacy.js";
import { createImage } from "./createImage.js";
import { createImageEdit, type ImageEditHandlerServices } from "./createImageEdit.js";
import { createKey } from "./createKey.js";
import { type AdminModelHandlerServices, listAdminModels } from "./listAdminModels.js";
import { listAlerts } from "./listAlerts.js";
import { listKeys } from "./listKeys.js";
import { listModels } from "./listModels.js";
import { listRequests } from "./listRequests.js";
import { listUpstreams, type UpstreamHandlerServices } from "./listUpstreams.js";
import { createOllamaEmbedding } from "./ollama/createOllamaEmbedding.js";
import { createOllamaEmbeddingLegacy } from "./ollama/createOllamaEmbeddingLegacy.js";
import { listOllamaModels } from "./ollama/listOllamaModels.js";
import { listRunningOllamaModels } from "./ollama/listRunningOllamaModels.js";
import { retrieveOllamaModel } from "./ollama/retrieveOllamaModel.js";
import { retrieveOllamaVersion } from "./ollama/retrieveOllamaVersion.js";
import { type ProbeHandlerServices, probeTarget } from "./probeTarget.js";
import { type MetricsRenderer, readMetrics } from "./readMetrics.js";
import { type ConfigurationHandlerServices, retrieveConfiguration } from "./retrieveConfiguration.js";
import { type LinkedImages, retrieveImageFile } from "./retrieveImageFile.js";
import { retrieveKey } from "./retrieveKey.js";
import { retrieveModel } from "./retrieveModel.js";
import { retrieveRequest } from "./retrieveRequest.js";
import { retrieveUsage } from "./retrieveUsage.js";
import { revokeKey } from "./revokeKey.js";
import { createSession } from "./sessions/createSession.js";
import { endSession } from "./sessions/endSession.js";
import { retrieveSession } from "./sessions/retrieveSession.js";
import { type EventHandlerServices, streamEvents } from "./streamEvents.js";

export interface HandlerServices
  extends EmbeddingHandlerServices,
    ImageEditHandlerServices,
    ReadinessHandlerServices {
  /** Images behind links. */
  readonly files: LinkedImages;
  readonly admin: Omit<AdminHandlerServices, "catalog" | "observe" | "now">;
}

/** One handler for each operation of the spec. An operation without one does not compile. */
export function createHandlers(services: HandlerServices): Handlers {
  const { catalog, files, observe, now, admin } = services;
  return {
    ...createAdminHandlers({ ...admin, catalog, observe, now }),
    ...createAzureHandlers(services),
    ...createOllamaHandlers(services),
    createEmbedding: createEmbedding(services),
    createEmbeddingLegacy: createEmbeddingLegacy(services),
    createImage: createImage(services),
    createImageEdit: createImageEdit(services),
    retrieveImageFile: retrieveImageFile(files),
    listModels: listModels(catalog),
    retrieveModel: retrieveModel(catalog),
    checkHealth: checkHealth(),
    checkReadiness: checkReadiness(services),
  };
}

/** The paths of Azure's clients. Below `/openai/v1`, requests and responses are those of `/v1`. */
function createAzureHandlers(services: HandlerServices) {
  return {
    createAzureDeploymentEmbedding: createAzureDeploymentEmbedding(services),
    createAzureDeploymentImage: createAzureDeploymentImage(services),
    createAzureDeploymentImageEdit: createAzureDeploymentImageEdit(services),
    createAzureEmbedding: createAzureEmbedding(services),
    createAzureImage: createAzureImage(services),
    createAzureImageEdit: createAzureImageEdit(services),
    listAzureDeploymentModels: listAzureDeploymentModels(services.catalog),
    listAzureModels: listAzureModels(services.catalog),
  } satisfies Partial<Handlers>;
}

/** The paths of Ollama's clients. */
function createOllamaHandlers(services: HandlerServices) {
  return {
    createOllamaEmbedding: createOllamaEmbedding(services),
    createOllamaEmbeddingLegacy: createOllamaEmbeddingLegacy(services),
    listOllamaModels: listOllamaModels(services.catalog),
    listRunningOllamaModels: listRunningOllamaModels(services.catalog),
    retrieveOllamaModel: retrieveOllamaModel(services.catalog),
    retrieveOllamaVersion: retrieveOllamaVersion(),
  } satisfies Partial<Handlers>;
}

export interface AdminHandlerServices
  extends KeyHandlerServices,
    AdminModelHandlerServices,
    UpstreamHandlerServices,
    SessionHandlerServices,
    ProbeHandlerServices,
    SpaceHandlerServices,
    ConfigurationHandlerServices,
    EventHandlerServices {
  readonly ledger: LedgerStore;
  readonly metrics: MetricsRenderer;
}

/** The operations of the admin API. */
export function createAdminHandlers(services: AdminHandlerServices) {
  return {
    listKeys: listKeys(services),
    createKey: createKey(services),
    retrieveKey: retrieveKey(services),
    changeKey: changeKey(services),
    revokeKey: revokeKey(services),
    retrieveUsage: retrieveUsage(services),
    listRequests: listRequests(services.ledger),
    retrieveRequest: retrieveRequest(services.ledger),
    listAdminModels: listAdminModels(services),
    listUpstreams: listUpstreams(services),
    listAlerts: listAlerts(services),
    readMetrics: readMetrics(services.metrics),
    createSession: createSession(services),
    retrieveSession: retrieveSession(services),
    endSession: endSession(services),
    probeTarget: probeTarget(services),
    acceptSpace: acceptSpace(services),
    retrieveConfiguration: retrieveConfiguration(services),
    streamEvents: streamEvents(services),
  } satisfies Partial<Handlers>;
}

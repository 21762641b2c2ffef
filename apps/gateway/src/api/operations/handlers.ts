import type { Handlers } from "../../execution/handler.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { KeyHandlerServices } from "../documents/AccessKey.js";
import type { BatchHandlerServices } from "../documents/Batch.js";
import type { FileHandlerServices } from "../documents/FileObject.js";
import type { JobHandlerServices } from "../documents/Job.js";
import type { OwnKeyHandlerServices } from "../documents/OwnKey.js";
import type { SessionHandlerServices } from "../documents/Session.js";
import { acceptSpace, type SpaceHandlerServices } from "./acceptSpace.js";
import { createAsyncImageHandlers } from "./async-images.js";
import { createAzureHandlers } from "./azure.js";
import { cancelAnyBatch } from "./batches/cancelAnyBatch.js";
import { cancelBatch } from "./batches/cancelBatch.js";
import { createBatch } from "./batches/createBatch.js";
import { listAllBatches } from "./batches/listAllBatches.js";
import { listBatches } from "./batches/listBatches.js";
import { retrieveAnyBatch } from "./batches/retrieveAnyBatch.js";
import { retrieveBatch } from "./batches/retrieveBatch.js";
import { type ConfigurationChangeHandlerServices, changeConfiguration } from "./changeConfiguration.js";
import { changeKey } from "./changeKey.js";
import { checkHealth } from "./checkHealth.js";
import { checkReadiness, type ReadinessHandlerServices } from "./checkReadiness.js";
import { createCohereHandlers } from "./cohere.js";
import { type ComparisonHandlerServices, compareTargets } from "./compareTargets.js";
import {
  createContentProvenanceCheck,
  type ProvenanceHandlerServices,
} from "./createContentProvenanceCheck.js";
import { createEmbedding, type EmbeddingHandlerServices } from "./createEmbedding.js";
import { createEmbeddingLegacy } from "./createEmbeddingLegacy.js";
import { createImage } from "./createImage.js";
import { createImageEdit, type ImageEditHandlerServices } from "./createImageEdit.js";
import { createKey } from "./createKey.js";
import { deleteFile } from "./files/deleteFile.js";
import { listFiles } from "./files/listFiles.js";
import { retrieveFile } from "./files/retrieveFile.js";
import { retrieveFileContent } from "./files/retrieveFileContent.js";
import { uploadFile } from "./files/uploadFile.js";
import { cancelAnyJob } from "./jobs/cancelAnyJob.js";
import { cancelJob } from "./jobs/cancelJob.js";
import { listAllJobs } from "./jobs/listAllJobs.js";
import { listJobs } from "./jobs/listJobs.js";
import { retrieveAnyJob } from "./jobs/retrieveAnyJob.js";
import { retrieveJob } from "./jobs/retrieveJob.js";
import { type AdminModelHandlerServices, listAdminModels } from "./listAdminModels.js";
import { listAlerts } from "./listAlerts.js";
import { listKeys } from "./listKeys.js";
import { listModels } from "./listModels.js";
import { listProviders, type ProviderHandlerServices } from "./listProviders.js";
import { listRequests } from "./listRequests.js";
import { listUpstreams, type UpstreamHandlerServices } from "./listUpstreams.js";
import { createOllamaHandlers } from "./ollama.js";
import { listOwnRequests } from "./own/listOwnRequests.js";
import { retrieveOwnKey } from "./own/retrieveOwnKey.js";
import { retrieveOwnRequest } from "./own/retrieveOwnRequest.js";
import { retrieveOwnUsage } from "./own/retrieveOwnUsage.js";
import { type ProbeHandlerServices, probeTarget } from "./probeTarget.js";
import { type MetricsRenderer, readMetrics } from "./readMetrics.js";
import { type ConfigurationHandlerServices, retrieveConfiguration } from "./retrieveConfiguration.js";
import { type LinkedImages, retrieveImageFile } from "./retrieveImageFile.js";
import { retrieveKey } from "./retrieveKey.js";
import { retrieveModel } from "./retrieveModel.js";
import { retrieveRequest } from "./retrieveRequest.js";
import { retrieveUsage } from "./retrieveUsage.js";
import { revokeKey } from "./revokeKey.js";
import { rotateKey } from "./rotateKey.js";
import { createSession } from "./sessions/createSession.js";
import { createSignInCode } from "./sessions/createSignInCode.js";
import { endSession } from "./sessions/endSession.js";
import { retrieveSession } from "./sessions/retrieveSession.js";
import { type EventHandlerServices, streamEvents } from "./streamEvents.js";
import { type TrialHandlerServices, tryUpstream } from "./tryUpstream.js";
import { createVoyageHandlers } from "./voyage.js";

export interface HandlerServices
  extends EmbeddingHandlerServices,
    ImageEditHandlerServices,
    BatchHandlerServices,
    ProvenanceHandlerServices,
    FileHandlerServices,
    JobHandlerServices,
    ReadinessHandlerServices {
  readonly ledger: LedgerStore;
  /** Images behind links. */
  readonly linkedImages: LinkedImages;
  readonly admin: Omit<AdminHandlerServices, "catalog" | "observe" | "ledger" | "now">;
}

/** One handler for each operation of the spec. An operation without one does not compile. */
export function createHandlers(services: HandlerServices): Handlers {
  const { catalog, linkedImages, ledger, observe, now, admin } = services;
  const models = {
    createEmbedding: createEmbedding(services),
    createImage: createImage(services),
    createImageEdit: createImageEdit(services),
    listModels: listModels(services),
  };
  return {
    ...models,
    ...createAzureHandlers(models),
    ...createOllamaHandlers(services),
    ...createCohereHandlers(services),
    ...createVoyageHandlers(services),
    ...createBatchHandlers(services),
    ...createAsyncImageHandlers(services),
    ...createJobHandlers(services),
    ...createAdminHandlers({ ...admin, catalog, ledger, observe, now }),
    createEmbeddingLegacy: createEmbeddingLegacy(services),
    createContentProvenanceCheck: createContentProvenanceCheck(services),
    uploadFile: uploadFile(),
    listFiles: listFiles(services),
    retrieveFile: retrieveFile(services),
    retrieveFileContent: retrieveFileContent(services),
    deleteFile: deleteFile(services),
    retrieveImageFile: retrieveImageFile(linkedImages),
    retrieveModel: retrieveModel(services),
    checkHealth: checkHealth(),
    checkReadiness: checkReadiness(services),
  };
}

function createBatchHandlers(services: BatchHandlerServices) {
  return {
    createBatch: createBatch(services),
    listBatches: listBatches(services),
    retrieveBatch: retrieveBatch(services),
    cancelBatch: cancelBatch(services),
    listAllBatches: listAllBatches(services),
    retrieveAnyBatch: retrieveAnyBatch(services),
    cancelAnyBatch: cancelAnyBatch(services),
  } satisfies Partial<Handlers>;
}

function createJobHandlers(services: JobHandlerServices) {
  return {
    listJobs: listJobs(services),
    retrieveJob: retrieveJob(services),
    cancelJob: cancelJob(services),
    listAllJobs: listAllJobs(services),
    retrieveAnyJob: retrieveAnyJob(services),
    cancelAnyJob: cancelAnyJob(services),
  } satisfies Partial<Handlers>;
}

interface AdminHandlerServices
  extends KeyHandlerServices,
    OwnKeyHandlerServices,
    AdminModelHandlerServices,
    UpstreamHandlerServices,
    SessionHandlerServices,
    ProbeHandlerServices,
    SpaceHandlerServices,
    ComparisonHandlerServices,
    ConfigurationHandlerServices,
    ConfigurationChangeHandlerServices,
    ProviderHandlerServices,
    TrialHandlerServices,
    EventHandlerServices {
  readonly ledger: LedgerStore;
  readonly metrics: MetricsRenderer;
}

/** The operations of the admin API. */
function createAdminHandlers(services: AdminHandlerServices) {
  return {
    listKeys: listKeys(services),
    createKey: createKey(services),
    retrieveKey: retrieveKey(services),
    changeKey: changeKey(services),
    revokeKey: revokeKey(services),
    rotateKey: rotateKey(services),
    retrieveOwnKey: retrieveOwnKey(services),
    listOwnRequests: listOwnRequests(services),
    retrieveOwnRequest: retrieveOwnRequest(services),
    retrieveOwnUsage: retrieveOwnUsage(services),
    retrieveUsage: retrieveUsage(services),
    listRequests: listRequests(services),
    retrieveRequest: retrieveRequest(services.ledger),
    listAdminModels: listAdminModels(services),
    listUpstreams: listUpstreams(services),
    listAlerts: listAlerts(services),
    readMetrics: readMetrics(services.metrics),
    createSession: createSession(services),
    createSignInCode: createSignInCode(services),
    retrieveSession: retrieveSession(services),
    endSession: endSession(services),
    probeTarget: probeTarget(services),
    compareTargets: compareTargets(services),
    acceptSpace: acceptSpace(services),
    retrieveConfiguration: retrieveConfiguration(services),
    changeConfiguration: changeConfiguration(services),
    listProviders: listProviders(services),
    tryUpstream: tryUpstream(services),
    streamEvents: streamEvents(services),
  } satisfies Partial<Handlers>;
}

import { randomUUID } from "node:crypto";
import type { Config } from "@model-gateway/config/config";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import type { ModelOperation } from "@model-gateway/domain/operations";
import { describeFailure } from "@model-gateway/domain/request-failure";
import { checkServed, findModel } from "../../api/authorize-model.js";
import { endpointOperations } from "../../batches/batch.js";
import { BatchRunner, type BatchRunnerOptions } from "../../batches/batch-runner.js";
import { BatchService } from "../../batches/batch-service.js";
import type { WidthOf } from "../../batches/estimate-results.js";
import { batchIdIn } from "../../batches/image-links.js";
import { KnownRefusals } from "../../batches/known-refusals.js";
import type { CheckModel } from "../../batches/validate-file.js";
import { isKey, reasons } from "../../execution/caller.js";
import { findRunningKey } from "../../sessions/sessions.js";
import type { Storage } from "../../storage/open-storage.js";
import { batchEndDeliveries } from "../../webhooks/batch-events.js";
import type { CurrentPipeline } from "../current-pipeline.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

type BatchConfig = Pick<Config, "batches" | "limits" | "storedFiles">;

const dayMs = 24 * 3_600_000;
/** An ended batch is listed for this long. */
const listedMs = 30 * dayMs;
const sweepEveryMs = 3_600_000;
const deletedAtOnce = 500;

/** The batches of this gateway: the service for callers, and the runner. */
export const batches = defineModule({
  name: "batches",
  settings: { restart: ["batches", "limits", "storedFiles"] },
  open: (needs: Core, settings) => {
    const { storage, files, usage, wallClock, log } = needs;
    const store = storage.batches;
    const limits = limitsOf(settings);
    const refusals = new KnownRefusals({ files, limits });
    const shared = { store, files, refusals, limits, widthOf: createWidthOf(needs), now: wallClock.now };
    const runner = openRunner(needs, settings, shared);
    files.sweepKind("part", (ids) => findNeeded(ids, async (id) => (await store.find(id))?.endedAt === null));
    files.sweepKind("image", (ids) => findNeeded(ids, (id) => hasOutput(id, storage)));
    const service = new BatchService({
      ...shared,
      checkBudget: async (key) => (await usage.budgets.reserve(key, null)).settle(0),
      onChange: () => runner.wake(),
      activeMax: settings.batches.keyBatchesMax,
    });
    return {
      services: { batches: service },
      sweeps: [
        {
          task: "delete_old_batches",
          everyMs: sweepEveryMs,
          run: () => deleteOld(needs, settings),
          onFailure: (failure) =>
            log.debug({ err: failure }, "Old batches could not be deleted. It is tried again."),
        },
      ],
      start: () => runner.start(),
      // Lines that run have the whole time of the stop.
      beginStop: () => void runner.close(),
      drain: () => runner.close(),
    };
  },
});

function limitsOf({ batches: bounds, limits }: BatchConfig) {
  return { ...bounds, lineBytesMax: limits.jsonBytesMax };
}

function createWidthOf({ current }: Core): WidthOf {
  return (id) => {
    const { catalog } = current.pipeline;
    const model = catalog.find(id ?? catalog.defaultFor("createEmbedding") ?? "");
    return model !== undefined && "dimensions" in model ? model.dimensions : undefined;
  };
}

function openRunner(
  needs: Core,
  { batches: { concurrency }, storedFiles: { keepMs } }: BatchConfig,
  shared: Pick<BatchRunnerOptions, "store" | "files" | "limits" | "refusals" | "widthOf" | "now">,
): BatchRunner {
  const { files, images, keys, webhooks, deliveries, operations, wallClock, current, log } = needs;
  return new BatchRunner({
    ...shared,
    run: current.runDetached,
    // The output file is written within a day, and may then be kept for as long as files are.
    links: { files: files.store, signed: images.files.links, ttlMs: dayMs + Math.max(keepMs, listedMs) },
    findKey: async (id) => {
      const key = await findRunningKey(id, keys.ring);
      return isKey(key) ? key : { refusal: reasons[key] };
    },
    checkModel: ({ endpoint }, key) => checkModelOf(endpointOperations[endpoint], { key, current }),
    shapeOf: (endpoint) => {
      const operation = operations.find(({ id }) => id === endpointOperations[endpoint]);
      if (operation === undefined) throw new Error(`The spec has no operation at ${endpoint}.`);
      return operation.jsonShape;
    },
    concurrency,
    keepMs,
    holder: randomUUID(),
    clock: wallClock,
    random: Math.random,
    log,
    announce: (batch, ended) => batchEndDeliveries(batch, ended, webhooks),
    onEnded: () => deliveries.wake(),
  });
}

/** Says at once, and not line by line, that the key may not call a model for the operation. */
function checkModelOf(
  operation: ModelOperation,
  { key, current }: { readonly key: AccessKey; readonly current: CurrentPipeline },
): CheckModel {
  return (model) => {
    try {
      const { catalog } = current.pipeline;
      checkServed(findModel(model, { operation, catalog, key }).model, operation);
      return undefined;
    } catch (failure) {
      if (!(failure instanceof GatewayError)) throw failure;
      const { code, message, recordedMessage, param } = failure;
      const facts = { message: recordedMessage, requestedModel: model };
      return { code, message, param, operatorMessage: describeFailure(facts, (text) => text).message };
    }
  };
}

/** Those of the files whose batch needs them. */
async function findNeeded(
  ids: readonly string[],
  isNeeded: (batchId: string) => Promise<boolean>,
): Promise<ReadonlySet<string>> {
  const known = new Map<string, boolean>();
  const needed = new Set<string>();
  for (const id of ids) {
    const batchId = batchIdIn(id) ?? "";
    const verdict = known.get(batchId) ?? (await isNeeded(batchId));
    known.set(batchId, verdict);
    if (verdict) needed.add(id);
  }
  return needed;
}

/** Images behind links live as long as the output file that has the links. */
async function hasOutput(batchId: string, storage: Pick<Storage, "batches" | "files">): Promise<boolean> {
  const batch = await storage.batches.find(batchId);
  if (batch === undefined) return false;
  if (batch.endedAt === null) return true;
  if (batch.outputFileId === null) return false;
  return (await storage.files.existing([batch.outputFileId])).size > 0;
}

/** Deletes old batches. Their output files have their own expiry, and may not be kept longer than this. */
async function deleteOld(
  { storage, wallClock }: Core,
  { storedFiles: { keepMs } }: BatchConfig,
): Promise<void> {
  const before = wallClock.now() - Math.max(keepMs, listedMs) - dayMs;
  for (;;) {
    const ids = await storage.batches.endedBefore(before, deletedAtOnce);
    await storage.batches.delete(ids);
    if (ids.length < deletedAtOnce) return;
  }
}

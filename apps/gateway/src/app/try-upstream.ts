import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import type { ConfigurationFile } from "@model-gateway/config/edit/configuration-file";
import type { Trial } from "@model-gateway/config/edit/read-trial";
import type { ModelKind } from "@model-gateway/config/kinds/kind";
import { allKinds } from "@model-gateway/config/kinds/kinds";
import { modelAt } from "@model-gateway/config/models/model-at";
import { knownModels } from "@model-gateway/config/models/offered-models";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { EmbeddingModel, Model, Upstream } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { noTrace } from "@model-gateway/domain/trace";
import { type Call, ownCall } from "@model-gateway/providers/call";
import { describeNoReply } from "@model-gateway/providers/http/errors/describe-no-reply";
import type { OpenProvider, ProviderTools } from "@model-gateway/providers/provider";
import { modelsOf, type openUpstream, providerOf } from "@model-gateway/providers/registry";
import type { Clock } from "@model-gateway/runtime/clock";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { runAttempt } from "@model-gateway/scheduling/attempt";
import type { Logger } from "pino";
import type { TryUpstream } from "../api/operations/tryUpstream.js";
import { servedKindOf } from "../models/kinds/served-kinds.js";
import { modelsWithSpace } from "../spaces/checked-targets.js";
import { embedAtTarget, embedProbes } from "../spaces/embed-at-target.js";
import { explainTrialFailure, hostOf } from "./explain-trial-failure.js";

const defaultTrialMsMax = 30_000;
/** For a model whose trial must be confirmed, because it does real work. */
const costlyTrialMsMax = 120_000;
const trialsAtOnceMax = 4;
const listedMax = 1000;

interface UpstreamTrialsOptions {
  /** `ConfigurationFile.readTrial` (config/edit/configuration-file.ts). */
  readonly read: ConfigurationFile["readTrial"];
  readonly openUpstream: typeof openUpstream;
  readonly tools: ProviderTools;
  readonly catalogue: () => Catalogue;
  readonly secrets: HideSecrets;
  readonly clock: Clock;
  readonly log: Logger;
  readonly noteTrial: NoteTrial;
  /** Whether the configuration allows changes through the console. */
  readonly isAllowed: () => boolean;
  /** Overrides the time limit of a trial, in tests. */
  readonly trialMsMax?: number | undefined;
}

/** Takes the result of a trial; undefined if the call has succeeded. Implemented by `app/note-trials.ts`. */
export type NoteTrial = (trial: Trial, failure: GatewayError | undefined) => void;

/** Tries upstreams that may not be in the configuration, a few at a time. */
export function createUpstreamTrials(options: UpstreamTrialsOptions): TryUpstream {
  const running = new Semaphore(trialsAtOnceMax);
  return async (request, signal) => {
    const { trial, ...asked } = readTrial(request, options);
    if (!running.tryAcquire())
      throw new GatewayError(
        "rate_limit_exceeded",
        "Too many trials run at the same time. Wait for one to end.",
        { retryAfterMs: 1000 },
      );
    try {
      return await runTrial(trial, { ...options, ...asked, signal });
    } finally {
      running.release();
    }
  };
}

/** Throws if the trial is not allowed, or its options do not fit together. */
function readTrial(
  { upstream, name, model, ...wishes }: Parameters<TryUpstream>[0],
  { isAllowed, read, secrets, trialMsMax = defaultTrialMsMax }: UpstreamTrialsOptions,
): Pick<TrialRun, "timeoutMs" | "isListOnly" | "wantsVectors"> & { readonly trial: Trial } {
  const {
    confirm_cost: isConfirmed,
    list_only: isListOnly = false,
    probe_vectors: wantsVectors = false,
  } = wishes;
  if (!isAllowed()) throw errorOf("configuring_disabled", {});
  const { probeCost } = model ? servedKindOf(model) : {};
  if (isListOnly && model)
    throw errorOf("invalid_value", { param: "list_only", reason: "it cannot be combined with 'model'" });
  if (probeCost !== undefined && isConfirmed !== true)
    throw new GatewayError("invalid_value", `${probeCost}: 'confirm_cost' must be true.`, {
      param: "confirm_cost",
    });
  const request = { upstream, name: name ?? undefined, model: model ?? undefined };
  const trial = read(request, (secret) => secrets.learn(secret));
  if (wantsVectors && modelsWithSpace(trial.model ? [trial.model] : []).length === 0)
    throw errorOf("invalid_value", { param: "probe_vectors", reason: "it needs an embedding model" });
  const timeoutMs = probeCost === undefined ? trialMsMax : costlyTrialMsMax;
  return { trial, timeoutMs, isListOnly, wantsVectors };
}

interface TrialRun extends UpstreamTrialsOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Whether no model may be called. */
  readonly isListOnly: boolean;
  readonly wantsVectors: boolean;
}

type Findings = Pick<
  Schemas["UpstreamTrial"],
  "models" | "dimensions" | "probe_vectors" | "probe_image_vectors"
>;

const nothingFound: Findings = {
  models: null,
  dimensions: null,
  probe_vectors: null,
  probe_image_vectors: null,
};

async function runTrial(trial: Trial, run: TrialRun): Promise<Schemas["UpstreamTrial"]> {
  const { openUpstream: open, tools, clock, secrets, log, noteTrial, timeoutMs } = run;
  const startedAt = clock.now();
  const finish = (found: Findings, error: Schemas["UpstreamTrialError"]): Schemas["UpstreamTrial"] => ({
    object: "upstream.trial",
    ok: error === null,
    ms: Math.round((clock.now() - startedAt) * 10) / 10,
    ...found,
    error,
  });
  // The whole trial has one deadline: a provider may make several requests.
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([run.signal, timeout]);
  let provider: OpenProvider | undefined;
  try {
    provider = await open(trial.upstream, tools);
    const found = await call(provider, trial, { ...run, signal });
    noteTrial(trial, undefined);
    return finish(found, null);
  } catch (thrown) {
    run.signal.throwIfAborted();
    const failure = timeout.aborted
      ? new GatewayError(
          "upstream_timeout",
          describeNoReply({ reason: "late", code: "", timeoutMs }, hostOf(trial.upstream)),
        )
      : thrown;
    if (failure instanceof GatewayError) noteTrial(trial, failure);
    const { code, message } = explainTrialFailure(failure, trial);
    log.info({ provider: trial.upstream.provider, code, err: failure }, "The trial of an upstream failed.");
    return finish(nothingFound, { code, message: secrets.hide(message) });
  } finally {
    await provider?.close();
  }
}

/** The smallest call that proves that the upstream works. */
async function call(provider: OpenProvider, trial: Trial, run: TrialRun): Promise<Findings> {
  const { upstream, model } = trial;
  if (model !== undefined) return callModel(provider, { upstream, model }, run);
  const { signal, timeoutMs } = run;
  const { listModels } = provider;
  if (listModels !== undefined) {
    const target = { upstream: upstream.name, model: "" };
    const listed = await listModels(ownCall({ target, signal, timeoutMs }));
    return { ...nothingFound, models: sorted(listed.map(({ name }) => name)) };
  }
  const known = modelsOf({ ...settingsOf(upstream), provider: upstream.provider });
  if (known !== undefined) return { ...nothingFound, models: sorted(Object.values(known).flat()) };
  return run.isListOnly ? nothingFound : callExample(provider, upstream, run);
}

async function callModel(
  { operations, unavailable, ...rest }: OpenProvider,
  { upstream, model }: { readonly upstream: Upstream; readonly model: Model },
  { clock, signal, wantsVectors }: TrialRun,
): Promise<Findings> {
  const [target] = model.targets;
  const reason = unavailable(target, model.type);
  if (reason !== undefined) throw new GatewayError("model_unavailable", reason.reason);
  const [embedding] = modelsWithSpace([model]);
  if (embedding !== undefined) return embed(embedding, { operations, signal, wantsVectors });
  const provider = { operations, unavailable, ...rest };
  await servedKindOf(model).probe(model, {
    dispatcher: {
      dispatch: async (request) => {
        const attempt = { target: request.model.targets[0], signal, spentMs: 0, headers: {}, clock };
        const result = await runAttempt(request, attempt, { upstream, provider });
        return { result, target: attempt.target, attempts: 1 };
      },
    },
    context: { caller: "gateway:trial", signal, trace: noTrace },
  });
  return nothingFound;
}

interface EmbeddingTrial extends Pick<TrialRun, "signal" | "wantsVectors"> {
  readonly operations: OpenProvider["operations"];
}

/** One word shows that a model works. The probe texts and images show whether two targets have one space. */
async function embed(
  model: EmbeddingModel,
  { operations, signal, wantsVectors }: EmbeddingTrial,
): Promise<Findings> {
  const asked = { model, target: model.targets[0], operations, signal };
  if (!wantsVectors) {
    const { vectors } = await embedAtTarget(["word"], asked);
    return { ...nothingFound, dimensions: vectors[0]?.length ?? null };
  }
  const { texts, images } = await embedProbes(asked);
  return {
    ...nothingFound,
    dimensions: texts[0]?.length ?? null,
    probe_vectors: texts.map(encodeVector),
    probe_image_vectors: images?.map(encodeVector) ?? null,
  };
}

function encodeVector({ buffer }: Float32Array): string {
  return Buffer.from(buffer).toString("base64");
}

interface Recognition extends Pick<Call, "target" | "signal" | "timeoutMs"> {
  readonly kind: ModelKind;
}

async function recognizeModel(
  operations: OpenProvider["operations"],
  { target, kind, signal, timeoutMs }: Recognition,
): Promise<Findings> {
  const fields = await kind.recognize?.(operations, ownCall({ target, signal, timeoutMs }));
  if (fields === undefined)
    throw errorOf("upstream_invalid_reply", { reason: `it is not from a model of the type ${kind.type}` });
  const dimensions = "dimensions" in fields ? Number(fields.dimensions) : null;
  return { ...nothingFound, dimensions };
}

/** A provider without a list. That it lacks the example says that it accepts the key. */
async function callExample(
  { operations }: OpenProvider,
  { name, provider }: Upstream,
  { catalogue, signal, timeoutMs }: TrialRun,
): Promise<Findings> {
  const declared = providerOf(provider);
  const kind = allKinds.find(
    ({ recognize, trait }) => recognize !== undefined && declared[trait] !== undefined,
  );
  const [model = "any"] = kind === undefined ? [] : knownModels(declared, kind.type, catalogue());
  if (kind === undefined) return nothingFound;
  try {
    const { facts } = modelAt(declared, { name: model, type: kind.type }, catalogue());
    const target = { upstream: name, model, ...(facts && { facts }) };
    return await recognizeModel(operations, { target, kind, signal, timeoutMs });
  } catch (failure) {
    if (failure instanceof GatewayError && failure.code === "upstream_model_missing") return nothingFound;
    throw failure;
  }
}

function settingsOf({ settings }: Upstream): Readonly<Record<string, unknown>> {
  return typeof settings === "object" && settings !== null ? { ...settings } : {};
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort().slice(0, listedMax);
}

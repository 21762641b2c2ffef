import { hash } from "node:crypto";
import {
  type EmbeddingModel,
  type EmbeddingTarget,
  targetKey,
  type Upstream,
} from "@model-gateway/domain/model";
import { probeImages, probesVersion, probeTexts } from "@model-gateway/vector-check/probes";
import {
  compareProbes,
  type ProbeComparison,
  type SpaceComparison,
} from "@model-gateway/vector-check/spaces";
import { spaceDigest } from "../embeddings/space.js";
import { recordedSpaceOf, type TargetToCheck } from "./checked-targets.js";
import type { ComparedTarget, ComparisonVerdict, TargetComparison } from "./comparison-store.js";
import { probeImagesFor } from "./probe-images.js";
import type { EmbedProbes } from "./space-checks.js";

interface CompareOptions {
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly embed: EmbedProbes;
  /** The reason of a failed call, for an operator. */
  readonly describeFailure: (failure: unknown) => NonNullable<ComparedTarget["error"]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/**
 * Embeds the probe texts at every target of a model at once, and the probe images at those that take images, and compares
 * the vectors. A target that fails is left out.
 */
export async function compareTargets(
  model: EmbeddingModel,
  { upstreams, embed, describeFailure, now, signal }: CompareOptions,
): Promise<TargetComparison> {
  const replies = await Promise.all(
    distinctTargets(model).map(async (target) => {
      const startedAt = now();
      try {
        const probes = await embed(toCheck(model, target), signal);
        return { target, probes, error: null, ms: now() - startedAt };
      } catch (failure) {
        const error = describeFailure(failure);
        return { target, probes: undefined, error, ms: now() - startedAt };
      }
    }),
  );
  const comparisons = compareProbes(replies.map(({ probes }) => probes));
  const targets = replies.map((reply, index) => toCompared(reply, comparisons[index]));
  return {
    model: model.id,
    space: spaceDigest(model),
    comparedAt: now(),
    fingerprint: comparisonFingerprint(model, upstreams),
    verdict: summarize(targets),
    texts: probeTexts.length,
    images: model.targets.some(takesProbeImages) ? Object.keys(probeImages).length : 0,
    targets,
  };
}

interface ProbedTarget extends Pick<ComparedTarget, "ms" | "error"> {
  readonly target: EmbeddingTarget;
  readonly probes: Awaited<ReturnType<EmbedProbes>> | undefined;
}

function toCompared(
  { target, probes, error, ms }: ProbedTarget,
  comparison: ProbeComparison | undefined,
): ComparedTarget {
  const texts = measuredIn(comparison?.texts);
  return {
    upstream: target.upstream,
    model: target.model,
    verdict: probes === undefined ? "no_reply" : verdictOf(comparison),
    differsIn: comparison?.differsIn ?? [],
    cosineMin: texts?.cosineMin ?? null,
    neighboursKept: texts?.neighboursKept ?? null,
    imageCosineMin: measuredIn(comparison?.images)?.cosineMin ?? null,
    width: probes?.texts[0]?.length ?? null,
    ms: Math.round(ms * 10) / 10,
    error,
  };
}

/**
 * Identifies everything that a comparison depends on: the texts and images, the space, the address and the name behind
 * each target, and whether it takes the images. Weights and tiers decide who is called, not what they reply.
 */
export function comparisonFingerprint(
  model: EmbeddingModel,
  upstreams: ReadonlyMap<string, Upstream>,
): string {
  const targets = distinctTargets(model).map((target) => {
    const { upstream, model: name } = target;
    const { provider = "", baseUrl = "" } = upstreams.get(upstream) ?? {};
    return [upstream, provider, baseUrl, name, takesProbeImages(target)];
  });
  const facts = [probesVersion, spaceDigest(model), model.inputType ?? null, targets.sort()];
  return hash("sha256", JSON.stringify(facts), "hex").slice(0, 32);
}

/** A model may name a target twice, with other weights. */
function distinctTargets({ targets }: EmbeddingModel): EmbeddingTarget[] {
  return [...new Map(targets.map((target) => [targetKey(target), target])).values()];
}

function toCheck(model: EmbeddingModel, target: EmbeddingTarget): TargetToCheck {
  const { upstream, model: name } = target;
  const { inputType = "" } = model;
  return { space: recordedSpaceOf(model), upstream, model: name, inputType, asks: { model, target } };
}

function takesProbeImages(target: EmbeddingTarget): boolean {
  return probeImagesFor(target).length > 0;
}

/** Vectors of different widths have no cosine. */
function measuredIn(comparison: SpaceComparison | undefined): SpaceComparison | undefined {
  return comparison?.verdict === "different width" ? undefined : comparison;
}

/** @param comparison Undefined for the reference. */
function verdictOf(comparison: ProbeComparison | undefined): ComparedTarget["verdict"] {
  if (comparison === undefined) return "reference";
  return comparison.verdict === "different width" ? "different_width" : comparison.verdict;
}

function summarize(targets: readonly ComparedTarget[]): ComparisonVerdict {
  const has = (...verdicts: ComparedTarget["verdict"][]) =>
    targets.some(({ verdict }) => verdicts.includes(verdict));
  if (has("different", "different_width")) return "different";
  if (has("no_reply")) return "incomplete";
  return has("close") ? "close" : "same";
}

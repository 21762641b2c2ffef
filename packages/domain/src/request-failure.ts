import { isObject } from "@model-gateway/runtime/json";

/**
 * Why a request failed, for its ledger row. A prompt or an input is never part of it, and an upstream's message only
 * where it quotes no request.
 */
export interface RequestFailure {
  /** For operators: it may name hosts. */
  readonly message: string;
  /** For the caller. Absent: the same. */
  readonly callerMessage?: string;
  readonly param: string | null;
  /** The model that the request named, even if there is none of that name. */
  readonly requestedModel: string | null;
  readonly attempts: readonly FailedAttempt[];
}

/** An upstream call that failed, or a target that could not be called. */
export interface FailedAttempt {
  readonly upstream: string;
  /** The model's name there. */
  readonly model: string;
  /** The status of the upstream's reply; null if there was none. */
  readonly status: number | null;
  /** Null if the target was not called. */
  readonly ms: number | null;
  readonly reason: string;
  /** Why it was not called. Absent where it was. */
  readonly skipped?: SkippedTarget;
}

/** The state of a target that was not called, at that time. Times are in milliseconds since 1970. */
export interface SkippedTarget {
  /** Null if it was not failing: a check of its vectors may have excluded it. */
  readonly failingSince: number | null;
  /** Calls that have failed since the last success. */
  readonly failures: number;
  /** When it will be called again; null if a next request may do so. */
  readonly pausedUntil: number | null;
  /** Null if no call from this process has failed. */
  readonly lastError: TargetFailure | null;
}

/** The last call to a target that failed. */
export interface TargetFailure {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly code: string;
  /** The status of the upstream's reply; null if there was none. */
  readonly status: number | null;
  readonly message: string;
}

/** A failure as it was thrown, and the model that the request named. */
export interface FailureFacts {
  /** `operatorMessage` of a `GatewayError`. */
  readonly message: string;
  /** Without quotations: its `recordedMessage`. Absent: the same. */
  readonly callerMessage?: string | undefined;
  readonly param?: string | null | undefined;
  readonly requestedModel?: string | undefined;
  /** The configured model that served it. */
  readonly model?: string | undefined;
  readonly attempts?: readonly FailedAttempt[] | undefined;
}

const messageLengthMax = 500;
export const reasonLengthMax = 300;
const nameLengthMax = 128;
const valueLengthMax = 24;
const attemptsMax = 12;

/**
 * Bounds and cleans the facts about a failure. A parameter or a model may be any text of the caller's, even a prompt, and
 * messages quote them: only what looks like a name is kept, or is one of the configuration.
 *
 * @param hide Removes secrets.
 */
export function describeFailure(facts: FailureFacts, hide: (text: string) => string): RequestFailure {
  const { message, callerMessage = message, param, requestedModel, model, attempts = [] } = facts;
  const names = [param, requestedModel === model ? undefined : requestedModel];
  const foreign = names.filter((text) => typeof text === "string" && !isName(text)) as string[];
  const clean = (text: string, lengthMax: number) => clip(hide(withoutTexts(text, foreign)), lengthMax);
  const nameOf = (text: string | null | undefined) =>
    text === undefined || text === null || foreign.includes(text) ? null : clip(hide(text), nameLengthMax);
  return {
    message: clean(message, messageLengthMax),
    ...(callerMessage === message ? {} : { callerMessage: clean(callerMessage, messageLengthMax) }),
    param: nameOf(param),
    requestedModel: nameOf(requestedModel),
    attempts: describeAttempts(attempts, (text) => hide(withoutTexts(text, foreign))),
  };
}

/**
 * Bounds and cleans failed attempts.
 *
 * @param hide Removes secrets, and texts of the caller.
 */
export function describeAttempts(
  attempts: readonly FailedAttempt[],
  hide: (text: string) => string,
): FailedAttempt[] {
  const clean = (text: string, lengthMax: number) => clip(hide(text), lengthMax);
  return attempts.slice(0, attemptsMax).map(({ upstream, model, status, ms, reason, skipped }) => ({
    upstream: clip(upstream, nameLengthMax),
    model: clean(model, nameLengthMax),
    status,
    ms: ms === null ? null : Math.round(ms * 10) / 10,
    reason: clean(reason, reasonLengthMax),
    ...(skipped && { skipped: cleanSkipped(skipped, (text) => clean(text, reasonLengthMax)) }),
  }));
}

function cleanSkipped({ lastError, ...rest }: SkippedTarget, clean: (text: string) => string): SkippedTarget {
  return { ...rest, lastError: lastError && { ...lastError, message: clean(lastError.message) } };
}

/** Placeholder for text that is not recorded. */
const omitted = "…";

/** A caller's value, where it is a short word such as `1024x1024`. Anything else may be a part of a prompt. */
export function recordableValue(value: string): string {
  return value.length <= valueLengthMax && /^[\w.:+/-]+$/.test(value) ? value : omitted;
}

/** A name of the caller's own choice, where it looks like one. */
export function recordableName(text: string): string {
  return isName(text) ? text : omitted;
}

/** Whether a value of unknown shape is a failure that was recorded. */
export function isRequestFailure(value: unknown): value is RequestFailure {
  return (
    isObject(value) &&
    typeof value.message === "string" &&
    (value.callerMessage === undefined || typeof value.callerMessage === "string") &&
    isTextOrNull(value.param) &&
    isTextOrNull(value.requestedModel) &&
    areFailedAttempts(value.attempts)
  );
}

/** Whether a value of unknown shape is a list of attempts that was recorded. */
export function areFailedAttempts(value: unknown): value is readonly FailedAttempt[] {
  return Array.isArray(value) && value.every(isFailedAttempt);
}

function isFailedAttempt(value: unknown): value is FailedAttempt {
  return (
    isObject(value) &&
    typeof value.upstream === "string" &&
    typeof value.model === "string" &&
    typeof value.reason === "string" &&
    isNumberOrNull(value.status) &&
    isNumberOrNull(value.ms) &&
    (value.skipped === undefined || isSkippedTarget(value.skipped))
  );
}

function isSkippedTarget(value: unknown): value is SkippedTarget {
  return (
    isObject(value) &&
    isNumberOrNull(value.failingSince) &&
    typeof value.failures === "number" &&
    isNumberOrNull(value.pausedUntil) &&
    (value.lastError === null || isTargetFailure(value.lastError))
  );
}

/** Whether a value of unknown shape is a failure of a target that was recorded. */
export function isTargetFailure(value: unknown): value is TargetFailure {
  return (
    isObject(value) &&
    typeof value.at === "number" &&
    typeof value.code === "string" &&
    isNumberOrNull(value.status) &&
    typeof value.message === "string"
  );
}

/** Names of models and parameters: one word, such as `openai/text-embedding-3-small` or `images[0].image_url`. */
function isName(text: string): boolean {
  return text.length <= nameLengthMax && /^[\w@.:/+~*[\]$-]+$/.test(text);
}

function withoutTexts(text: string, foreign: readonly string[]): string {
  return foreign.reduce((rest, one) => (one === "" ? rest : rest.replaceAll(one, omitted)), text);
}

/** Control characters and broken surrogate pairs become spaces: the row is read in terminals and spreadsheets. */
export function clip(text: string, lengthMax: number): string {
  const short = text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}${omitted}`;
  return short.replace(/[\p{Cc}\p{Cs}]+/gu, " ");
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || typeof value === "number";
}

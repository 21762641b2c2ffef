import type { components } from "@model-gateway/client";
import { typedCommand } from "@model-gateway/domain/typed-command";
import { countTokens, Vocabularies } from "@model-gateway/tokens/tokens";
import type { Progress } from "../print/progress.js";
import { CommandError } from "../remote/command-error.js";
import type { RemoteGateway } from "../remote/remote-gateway.js";
import { pastRate } from "./past-rate.js";
import { batchLine, type ReembedRequest } from "./request.js";
import type { RowSource } from "./rows.js";
import { limitsFor } from "./run/batch-file.js";

/** The size of a run before it begins. The names are those of `--json`. */
export interface Estimate {
  readonly model: string;
  readonly inputs: number;
  /** Rows without a text. */
  readonly skipped: number;
  readonly tokens: number;
  /** Inputs that have more tokens than the model takes. */
  readonly too_long: number;
  readonly tokens_per_input_max: number | null;
  readonly batches: number;
  /** US dollars for a million tokens, of the cheapest and of the dearest target. `null` if a price is unknown. */
  readonly price_per_million_tokens: readonly [number, number] | null;
  readonly cost_usd: readonly [number, number] | null;
  /** `null` if there is nothing to estimate it from. */
  readonly duration_ms: number | null;
  /** The basis of the duration, as a sentence part. */
  readonly duration_basis: string;
}

export interface EstimateTools {
  readonly gateway: RemoteGateway;
  readonly source: RowSource;
  readonly request: ReembedRequest;
  readonly progress: Progress;
}

/** Reads the whole source and calls no model. */
export async function estimate(tools: EstimateTools): Promise<Estimate> {
  const { gateway, request } = tools;
  const model = await findModel(gateway, request.model);
  const measured = await measure(tools);
  const tokensMax = model.embedding?.max_tokens ?? null;
  const { tokens, tooLong } = await tokensOf(measured, tokensMax);
  const limits = limitsFor(request.dimensions ?? model.embedding?.dimensions ?? widthMax);
  const prices = await pricesOf(gateway, model);
  const duration = await durationOf(gateway, { model: request.model, tokens });
  return {
    model: request.model,
    inputs: measured.inputs,
    skipped: measured.skipped,
    tokens,
    too_long: tooLong,
    tokens_per_input_max: tokensMax,
    batches: Math.max(Math.ceil(measured.inputs / limits.lines), Math.ceil(measured.bytes / limits.bytes)),
    price_per_million_tokens: prices,
    cost_usd: prices && [(prices[0] * tokens) / 1e6, (prices[1] * tokens) / 1e6],
    duration_ms: duration.ms,
    duration_basis: duration.basis,
  };
}

/** The width of a model that does not declare one: that of the widest common models. */
const widthMax = 4096;

async function findModel(gateway: RemoteGateway, id: string): Promise<components["schemas"]["Model"]> {
  const { data } = await gateway.asCaller((caller) =>
    caller.call((client, options) => client.retrieveModel(id, options)),
  );
  if (data.embedding === undefined) throw new CommandError(`The model ${id} does not create embeddings.`);
  return data;
}

interface Measured {
  readonly inputs: number;
  readonly skipped: number;
  readonly characters: number;
  readonly bytes: number;
  /** Texts chosen at random. */
  readonly sample: readonly string[];
}

const sampleSize = 1000;

async function measure({ source, request, progress }: EstimateTools): Promise<Measured> {
  const sums = { inputs: 0, skipped: 0, characters: 0, bytes: 0 };
  const sample: string[] = [];
  for await (const { id, text } of source.rows(undefined)) {
    if (text === null || text.trim() === "") {
      sums.skipped += 1;
      continue;
    }
    sums.inputs += 1;
    sums.characters += text.length;
    sums.bytes += Buffer.byteLength(batchLine(request, id, text)) + 1;
    // Reservoir sampling: each text is in the sample with the same chance.
    const at = sample.length < sampleSize ? sample.length : Math.floor(Math.random() * sums.inputs);
    if (at < sampleSize) sample[at] = text;
    if (sums.inputs % 10_000 === 0) progress.show({ name: "Reading", detail: `${sums.inputs} rows` });
  }
  return { ...sums, sample };
}

/** Counted in the sample with OpenAI's vocabulary, and scaled by the number of characters. */
async function tokensOf(
  { sample, inputs, characters }: Measured,
  tokensMax: number | null,
): Promise<{ readonly tokens: number; readonly tooLong: number }> {
  const vocabulary = await new Vocabularies().open("cl100k_base");
  const counts = await countTokens(
    sample.map((input) => ({ input })),
    vocabulary,
    Number.MAX_SAFE_INTEGER,
  );
  const counted = counts.reduce((sum, tokens) => sum + tokens, 0);
  const read = sample.reduce((sum, text) => sum + text.length, 0);
  const long = tokensMax === null ? 0 : counts.filter((tokens) => tokens > tokensMax).length;
  return {
    tokens: read === 0 ? 0 : Math.round((counted / read) * characters),
    tooLong: sample.length === 0 ? 0 : Math.round((long / sample.length) * inputs),
  };
}

/** The prices of the targets are for operators. */
async function pricesOf(
  gateway: RemoteGateway,
  { id }: components["schemas"]["Model"],
): Promise<readonly [number, number] | null> {
  if (!gateway.hasAdminKey) return null;
  const { data } = await gateway.administer((client, options) => client.listAdminModels(options));
  const prices = data
    .find((model) => model.id === id)
    ?.targets.map(({ pricing }) => perMillionTokens(pricing));
  if (prices === undefined || prices.length === 0) return null;
  const known = prices.filter((price) => price !== null);
  return known.length < prices.length ? null : [Math.min(...known), Math.max(...known)];
}

function perMillionTokens(pricing: readonly components["schemas"]["PriceRate"][] | null): number | null {
  const rate = pricing?.find(({ billable, unit }) => billable === "input_text" && unit === "token");
  return rate === undefined ? null : (rate.usd * 1_000_000) / rate.per;
}

/** The speed of past requests of the model, or the limit of the key if that is lower. */
async function durationOf(
  gateway: RemoteGateway,
  { model, tokens }: { readonly model: string; readonly tokens: number },
): Promise<{ readonly ms: number | null; readonly basis: string }> {
  const rate = await pastRate(gateway, model);
  const limit = await keyLimit(gateway);
  if (limit !== null && (rate === null || limit < rate.tokensPerMs))
    return { ms: tokens / limit, basis: "at the limit of tokens per minute of the key" };
  if (rate === null)
    return {
      ms: null,
      basis: `the model has no past request: ${typedCommand(`try "…" --model ${model}`)} sends one`,
    };
  return { ms: tokens / rate.tokensPerMs, basis: `at most, at the speed of ${rate.requests} past requests` };
}

/** Tokens per millisecond. `null` without a key or without a limit. */
async function keyLimit(gateway: RemoteGateway): Promise<number | null> {
  if (gateway.found.apiKey === undefined) return null;
  const { data } = await gateway.asKey().call((client, options) => client.retrieveOwnKey(options));
  const perMinute = data.limits.tokens_per_minute;
  return perMinute === null ? null : perMinute / 60_000;
}

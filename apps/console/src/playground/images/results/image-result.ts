import type { ResponseFacts } from "../../../operations/response-facts.js";
import type { OpenedImage } from "../../opened-image.js";
import type { Stroke } from "../mask/mask-of.js";
import type { ChosenOptions, SentOptions } from "../options/image-options.js";

/** The image that an edit starts from, and the area that may change. */
export interface ImageEdit {
  readonly source: OpenedImage;
  /** Empty if the whole image may change. */
  readonly strokes: readonly Stroke[];
}

/** One request as a person chose it: enough to compare it, and to send it again. */
export interface ImageSettings {
  readonly model: string;
  readonly prompt: string;
  readonly chosen: ChosenOptions;
  readonly sent: SentOptions;
  readonly edit: ImageEdit | undefined;
}

export interface ShownImage {
  readonly image: OpenedImage;
  readonly isFinished: boolean;
  /** Milliseconds after the request. */
  readonly afterMs: number;
}

/** A request, and everything that came of it so far. */
export interface ImageResult {
  readonly id: number;
  readonly settings: ImageSettings;
  readonly state: "running" | "finished" | "stopped" | "failed";
  readonly images: readonly ShownImage[];
  readonly facts: ResponseFacts | undefined;
  readonly error: Error | undefined;
  /** In US dollars: `null` if it is not known, undefined while it is looked up. */
  readonly costUsd: number | null | undefined;
}

/** Limits of the results that a tab keeps. */
export interface ResultBounds {
  readonly resultsMax: number;
  readonly bytesMax: number;
}

export const usualBounds: ResultBounds = { resultsMax: 30, bytesMax: 100 * 1024 * 1024 };

/** Leaves out the oldest results until both bounds hold. Those that are on show stay. */
export function boundResults(
  results: readonly ImageResult[],
  onShow: ReadonlySet<number>,
  { resultsMax, bytesMax }: ResultBounds,
): readonly ImageResult[] {
  let kept = results;
  while (kept.length > resultsMax || bytesOf(kept) > bytesMax) {
    const oldest = kept.find(({ id }) => !onShow.has(id));
    if (oldest === undefined) return kept;
    kept = kept.filter((one) => one !== oldest);
  }
  return kept;
}

/** Every image that the results hold, each once. */
export function imagesOf(results: readonly ImageResult[]): Set<OpenedImage> {
  const images = new Set<OpenedImage>();
  for (const { settings, images: shown } of results) {
    if (settings.edit !== undefined) images.add(settings.edit.source);
    for (const { image } of shown) images.add(image);
  }
  return images;
}

function bytesOf(results: readonly ImageResult[]): number {
  let bytes = 0;
  for (const { blob } of imagesOf(results)) bytes += blob.size;
  return bytes;
}

/** Earlier results as the strip keeps them: finished images only, and nothing of requests that brought none. */
export function settle(results: readonly ImageResult[]): readonly ImageResult[] {
  return results
    .map((result) => ({ ...result, images: result.images.filter(({ isFinished }) => isFinished) }))
    .filter(({ images }) => images.length > 0);
}

/** The options of a result in a few words. */
export function describeOptions({ sent, edit }: Pick<ImageSettings, "sent" | "edit">): string {
  const words = Object.entries(sent).map(([name, value]) => optionWords(name, value));
  const edited = edit && (edit.strokes.length > 0 ? "edit with a mask" : "edit of the whole image");
  return [edited, ...words].filter((word) => word !== undefined).join(", ") || "default";
}

function optionWords(name: string, value: string | number): string | undefined {
  // The page asks for bytes by itself.
  if (name === "response_format") return undefined;
  return name === "n" ? `${value} images` : `${name.replace("output_", "")} ${value}`;
}

/** The cost of several results together. Undefined while one is not known. */
export function sumCosts(results: readonly ImageResult[]): number | undefined {
  let sum = 0;
  for (const { costUsd } of results) {
    if (costUsd == null) return undefined;
    sum += costUsd;
  }
  return sum;
}

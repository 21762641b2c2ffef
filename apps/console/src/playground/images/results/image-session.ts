import type { ImageOrder } from "../../../operations/createImage.js";
import type { OpenedImage } from "../../opened-image.js";
import type { Stroke } from "../mask/mask-of.js";
import type { ChosenOptions } from "../options/image-options.js";
import {
  boundResults,
  type ImageResult,
  type ImageSettings,
  imagesOf,
  type ResultBounds,
  settle,
} from "./image-result.js";
import type { RunImages } from "./run-images.js";

/** The next request, as far as it is chosen. */
export interface Draft {
  /** One prompt, or two to compare. */
  readonly prompts: readonly string[];
  /** Ids of the models, in their order. Empty before any is chosen. */
  readonly models: readonly string[];
  readonly chosen: ChosenOptions;
  readonly wantsPartials: boolean;
  /** The image to edit. */
  readonly source: OpenedImage | undefined;
  readonly strokes: readonly Stroke[];
}

export interface ImageSessionState {
  /** The oldest first. */
  readonly results: readonly ImageResult[];
  /** The ids of the last run, or of the result that was chosen since. */
  readonly picked: readonly number[];
  /** At most two. */
  readonly pinned: readonly number[];
  /** How many results the bounds have removed. */
  readonly removedCount: number;
  readonly draft: Draft;
}

const atFirst: ImageSessionState = {
  results: [],
  picked: [],
  pinned: [],
  removedCount: 0,
  draft: {
    prompts: ["a red fox in the snow"],
    models: [],
    chosen: {},
    wantsPartials: false,
    source: undefined,
    strokes: [],
  },
};

export interface PreparedRequest {
  readonly settings: ImageSettings;
  readonly order: ImageOrder;
}

interface ImageSessionOptions {
  readonly run: RunImages;
  /** Finds the cost of a request; `null` if it is not known. */
  readonly costOf: (requestId: string, signal: AbortSignal) => Promise<number | null>;
  /** Frees the memory of an image that nothing refers to. */
  readonly release: (image: OpenedImage) => void;
  readonly bounds: ResultBounds;
}

/** The images of a signed-in tab: its results, and the request in the making. Changing pages does not end it. */
export class ImageSession {
  readonly #options: ImageSessionOptions;
  readonly #listeners = new Set<() => void>();
  #state = atFirst;
  #nextId = 0;
  #stop = new AbortController();
  #end = new AbortController();

  constructor(options: ImageSessionOptions) {
    this.#options = options;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): ImageSessionState => this.#state;

  /** Sends the requests at once. One that fails does not affect the others. */
  start(requests: readonly PreparedRequest[]): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    const started = requests.map(({ settings, order }) => ({
      order,
      result: begin(this.#nextId++, settings),
    }));
    this.#change({
      results: [...settle(this.#state.results), ...started.map(({ result }) => result)],
      picked: started.map(({ result }) => result.id),
      pinned: onePinAtMost(this.#state),
    });
    for (const { order, result } of started) void this.#run(result.id, order, this.#stop.signal);
  }

  /** Ends all running requests. */
  stop(): void {
    this.#stop.abort();
  }

  /** Shows an earlier result, beside the pinned one if there is one. */
  pick(id: number): void {
    this.#change({ picked: [id], pinned: onePinAtMost(this.#state) });
  }

  /** Pins a result, or unpins it. A third pin replaces the first. */
  togglePin(id: number): void {
    const { pinned } = this.#state;
    this.#change({
      pinned: pinned.includes(id) ? pinned.filter((one) => one !== id) : [...pinned, id].slice(-2),
    });
  }

  changeDraft(draft: Partial<Draft>): void {
    this.#change({ draft: { ...this.#state.draft, ...draft } });
  }

  /** Ends everything and frees the memory. */
  close(): void {
    this.#stop.abort();
    this.#end.abort();
    this.#end = new AbortController();
    this.#change(atFirst);
  }

  async #run(id: number, order: ImageOrder, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    try {
      for await (const news of this.#options.run(order, signal)) {
        if (news.type === "facts") this.#update(id, () => ({ facts: news.facts }));
        else {
          const { image, isFinished } = news;
          const shown = { image, isFinished, afterMs: performance.now() - startedAt };
          const isKept = this.#update(id, ({ images }) => ({ images: [...images, shown] }));
          if (!isKept) this.#options.release(image);
        }
      }
      this.#update(id, () => ({ state: "finished" }));
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      this.#update(id, () => (signal.aborted ? { state: "stopped" } : { state: "failed", error: failure }));
    }
    await this.#findCost(id);
  }

  async #findCost(id: number): Promise<void> {
    const requestId = this.#state.results.find((one) => one.id === id)?.facts?.requestId;
    const costUsd = requestId == null ? null : await this.#options.costOf(requestId, this.#end.signal);
    this.#update(id, () => ({ costUsd }));
  }

  /** @returns Whether the result is still kept. */
  #update(id: number, update: (result: ImageResult) => Partial<ImageResult>): boolean {
    const { results } = this.#state;
    if (!results.some((one) => one.id === id)) return false;
    this.#change({ results: results.map((one) => (one.id === id ? { ...one, ...update(one) } : one)) });
    return true;
  }

  #change(changes: Partial<ImageSessionState>): void {
    const before = this.#state;
    const next = { ...before, ...changes };
    const results = boundResults(
      next.results,
      new Set([...next.picked, ...next.pinned]),
      this.#options.bounds,
    );
    const removedCount = next.removedCount + next.results.length - results.length;
    this.#state = { ...next, results, removedCount };
    const held = heldImages(this.#state);
    for (const image of heldImages(before)) if (!held.has(image)) this.#options.release(image);
    for (const listener of this.#listeners) listener();
  }
}

function begin(id: number, settings: ImageSettings): ImageResult {
  return {
    id,
    settings,
    state: "running",
    images: [],
    facts: undefined,
    error: undefined,
    costUsd: undefined,
  };
}

/** Two pinned results fill the page, so another one ends that comparison. */
function onePinAtMost({ pinned }: ImageSessionState): readonly number[] {
  return pinned.length > 1 ? [] : pinned;
}

function heldImages({ results, draft: { source } }: ImageSessionState): Set<OpenedImage> {
  const images = imagesOf(results);
  if (source !== undefined) images.add(source);
  return images;
}

/** The results side by side: both pinned ones, or the pinned one beside those that were picked. */
export function resultsOnShow({ results, picked, pinned }: ImageSessionState): readonly ImageResult[] {
  const ids = pinned.length > 1 ? pinned : [...new Set([...pinned, ...picked])];
  return ids.flatMap((id) => results.find((one) => one.id === id) ?? []);
}

/** Whether a mask is painted that no kept result was made with. */
export function isMaskUnsaved({ results, draft: { source, strokes } }: ImageSessionState): boolean {
  return (
    source !== undefined &&
    strokes.length > 0 &&
    !results.some(({ settings }) => settings.edit?.strokes === strokes)
  );
}

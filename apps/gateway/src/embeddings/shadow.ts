import type { AccessKey } from "@model-gateway/domain/access-key";
import { countedAs, type EmbeddingModel, type Model } from "@model-gateway/domain/model";
import type { EmbeddingRequest } from "@model-gateway/domain/requests";
import type { Vector } from "@model-gateway/domain/vector";
import type { Clock } from "@model-gateway/runtime/clock";
import { neighboursKept } from "@model-gateway/vector-check/spaces";
import { checkDimensions } from "./dimensions.js";
import { checkInputType } from "./input-type.js";

/** The inputs of a request, with the vectors that its caller gets. */
export interface EmbeddedInputs {
  readonly model: EmbeddingModel;
  readonly request: Pick<EmbeddingRequest, "input" | "dimensions" | "input_type">;
  /** In the order of the inputs. */
  readonly vectors: readonly Vector[];
  readonly key: ShadowCall["key"];
}

/** One call for the shadow of a model. */
interface ShadowCall {
  readonly model: EmbeddingModel;
  readonly texts: readonly string[];
  readonly dimensions: number | undefined;
  readonly inputType: string | undefined;
  /** Whose inputs they are: the vectors go where this caller will look for them. */
  readonly key: Pick<AccessKey, "id" | "owner"> | undefined;
}

/** Embeds texts through the cache, so that the vectors are in it afterwards. */
export type EmbedForShadow = (
  call: ShadowCall,
  signal: AbortSignal,
) => Promise<{ readonly vectors: readonly Float32Array[]; readonly cached: number }>;

interface ShadowOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** A model in the current configuration. */
  readonly modelNamed: (id: string) => Model | undefined;
  readonly embed: EmbedForShadow;
}

/** Outcomes of one model's inputs since the process started. */
export interface ShadowFigures {
  readonly model: string;
  readonly shadow: string;
  /** Inputs that the shadow has embedded. */
  readonly embedded: number;
  /** Inputs whose vectors were in the cache already. */
  readonly cached: number;
  /** Inputs that were left out, because too many were waiting. */
  readonly dropped: number;
  readonly failed: number;
  /** Inputs whose nearest neighbours were compared, and for how many of them it is the same in both spaces. */
  readonly compared: number;
  readonly neighboursKept: number;
}

/** The figures of several processes, added up by model. */
export function sumShadows(figures: readonly ShadowFigures[]): ShadowFigures[] {
  const sums = new Map<string, ShadowFigures>();
  for (const one of figures) {
    const name = JSON.stringify([one.model, one.shadow]);
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? one : add(sum, one));
  }
  return [...sums.values()];
}

function add(left: ShadowFigures, right: ShadowFigures): ShadowFigures {
  return {
    ...left,
    embedded: left.embedded + right.embedded,
    cached: left.cached + right.cached,
    dropped: left.dropped + right.dropped,
    failed: left.failed + right.failed,
    compared: left.compared + right.compared,
    neighboursKept: left.neighboursKept + right.neighboursKept,
  };
}

/** The texts and vectors that wait, for each model. */
const waitingBytesMax = 8 * 1024 * 1024;
const inputsPerCall = 64;
/** After a failure, so that a shadow that is down is not called for every request. */
const pauseMs = 10_000;
/** Number of texts compared with each other. */
const sampleSize = 16;

/**
 * Embeds a share of a model's inputs with another model as well, so that a switch to it starts with a full cache. It
 * runs beside the requests: one call at a time for each model, with the priority `bulk`. Inputs that do not fit its
 * queue are dropped.
 */
export class Shadow {
  readonly #options: ShadowOptions;
  readonly #queues = new Map<string, ShadowQueue>();
  readonly #stop = new AbortController();

  constructor(options: ShadowOptions) {
    this.#options = options;
  }

  /** Returns at once: the response does not wait for it. */
  offer(inputs: EmbeddedInputs): void {
    const { model, request, vectors, key } = inputs;
    if (model.shadow === undefined || this.#stop.signal.aborted) return;
    const { random, modelNamed } = this.#options;
    const next = modelNamed(model.shadow.model);
    if (next?.type !== "embedding") return;
    const share = model.shadow.percent / 100;
    const group: ShadowGroup = {
      model: next.id,
      dimensions: accepted(() => {
        checkDimensions(request.dimensions, next);
        return request.dimensions;
      }),
      inputType: accepted(() => checkInputType(request.input_type, next)),
      key: key && { id: key.id, ...(key.owner === undefined ? {} : { owner: key.owner }) },
    };
    const texts = typeof request.input === "string" ? [request.input] : request.input;
    for (const [index, text] of texts.entries()) {
      const vector = vectors[index];
      // Token ids mean something else to another model.
      if (typeof text !== "string" || vector === undefined || random() >= share) continue;
      this.#queueOf(countedAs(model), next.id).add({ text, vector, group });
    }
  }

  figures(): ShadowFigures[] {
    return [...this.#queues.values()].map((queue) => queue.figures);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#queues.values()].map((queue) => queue.running));
  }

  #queueOf(model: string, shadow: string): ShadowQueue {
    const name = JSON.stringify([model, shadow]);
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = new ShadowQueue({ model, shadow }, this.#options, this.#stop.signal);
    this.#queues.set(name, queue);
    return queue;
  }
}

/** Properties shared by the inputs of one call. */
type ShadowGroup = Omit<ShadowCall, "texts" | "model"> & { readonly model: string };

interface OfferedInput {
  readonly text: string;
  readonly vector: Vector;
  readonly group: ShadowGroup;
}

interface WaitingInput {
  readonly text: string;
  readonly floats: Float32Array;
  readonly group: ShadowGroup;
}

class ShadowQueue {
  running: Promise<void> = Promise.resolve();
  #waiting: WaitingInput[] = [];
  #waitingBytes = 0;
  #isRunning = false;
  readonly #names: Pick<ShadowFigures, "model" | "shadow">;
  readonly #options: ShadowOptions;
  readonly #signal: AbortSignal;
  readonly #counts = { embedded: 0, cached: 0, dropped: 0, failed: 0, compared: 0, neighboursKept: 0 };
  /** Vector pairs for different texts, until there are enough to compare. */
  #sample = new Map<string, readonly [Float32Array, Float32Array]>();

  constructor(names: Pick<ShadowFigures, "model" | "shadow">, options: ShadowOptions, signal: AbortSignal) {
    this.#names = names;
    this.#options = options;
    this.#signal = signal;
  }

  get figures(): ShadowFigures {
    return { ...this.#names, ...this.#counts };
  }

  add({ text, vector, group }: OfferedInput): void {
    const bytes = sizeOf(text, vector.width);
    // Before the vector is read: while the shadow stalls, inputs that are left out must cost next to nothing.
    if (this.#waitingBytes + bytes > waitingBytesMax) {
      this.#counts.dropped += 1;
      return;
    }
    // Copied: the memory of a reply may be reused.
    this.#waiting.push({ text, floats: Float32Array.from(vector.toFloats()), group });
    this.#waitingBytes += bytes;
    if (!this.#isRunning) this.running = this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // The request that offered the inputs gets its response first.
    await Promise.resolve();
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      if (await this.#embed(batch)) continue;
      await this.#options.clock.wait(pauseMs, this.#signal).catch(() => undefined);
    }
    this.#isRunning = false;
  }

  /** The inputs of the next call: the oldest, and those after it that can go with it. */
  #take(): readonly WaitingInput[] {
    const [first] = this.#waiting;
    if (first === undefined || this.#signal.aborted) return [];
    const group = JSON.stringify(first.group);
    // Those that do not fit into the call are not looked at: there may be tens of thousands.
    const next = this.#waiting.slice(0, inputsPerCall);
    const other = next.findIndex((input) => JSON.stringify(input.group) !== group);
    const batch = this.#waiting.splice(0, other === -1 ? next.length : other);
    this.#waitingBytes -= batch.reduce((sum, { text, floats }) => sum + sizeOf(text, floats.length), 0);
    return batch;
  }

  /** Returns whether the call succeeded. */
  async #embed(batch: readonly WaitingInput[]): Promise<boolean> {
    const inputs = new Map(batch.map((input) => [input.text, input]));
    const [first] = batch;
    const model = first && this.#options.modelNamed(first.group.model);
    // The configuration has changed meanwhile.
    if (first === undefined || model?.type !== "embedding") return true;
    try {
      const call = { ...first.group, model, texts: [...inputs.keys()] };
      const { vectors, cached } = await this.#options.embed(call, this.#signal);
      this.#counts.cached += cached;
      this.#counts.embedded += inputs.size - cached;
      for (const [index, { text, floats }] of [...inputs.values()].entries())
        this.#compare(text, floats, vectors[index]);
      return true;
    } catch {
      this.#counts.failed += inputs.size;
      return false;
    }
  }

  #compare(text: string, current: Float32Array, next: Float32Array | undefined): void {
    if (next === undefined) return;
    const [first] = this.#sample.values();
    const isComparable =
      first === undefined || (first[0].length === current.length && first[1].length === next.length);
    if (isComparable) this.#sample.set(text, [current, next]);
    if (this.#sample.size < sampleSize) return;
    const pairs = [...this.#sample.values()];
    this.#sample = new Map();
    this.#counts.compared += pairs.length;
    this.#counts.neighboursKept += neighboursKept(
      pairs.map(([left]) => left),
      pairs.map(([, right]) => right),
    );
  }
}

/** The objects around a text and its vector. Without them, a million short texts would count as nothing. */
const inputBytesMin = 512;

function sizeOf(text: string, width: number): number {
  return inputBytesMin + 2 * text.length + 4 * width;
}

/** A value of the caller's, unless the model refuses it: then the default of the model. */
function accepted<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}

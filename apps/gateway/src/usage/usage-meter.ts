import type { AccessKey, UsageLimits } from "../domain/access-key.js";
import type { Target } from "../domain/model.js";
import type { Input } from "../domain/requests.js";
import type { Budgets, Reservation } from "../limits/budgets.js";
import type { AdmittedRequest, LimitSubject, Limits } from "../limits/limits.js";
import { costOf, type EmbeddingWork, estimateCost, type ImageKind, type ImageWork } from "./cost.js";

export interface UsageMeterOptions {
  readonly limits: Limits;
  readonly budgets: Budgets;
}

/** What a request is about to ask for. */
export interface MeteredRequest {
  readonly model: {
    readonly id: string;
    readonly limits?: UsageLimits;
    readonly targets: readonly Pick<Target, "price">[];
  };
  readonly tokens: number;
  readonly images?: ImageKind & { readonly count: number };
}

/** What a request has used. */
export interface UsageTotals {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** In billionths of a US dollar; null where a price is not known. */
  readonly costNanos: number | null;
}

/** What one request may use, and what it has used: opened before anything is asked for, and closed once. */
export class UsageMeter {
  readonly #needs: UsageMeterOptions;
  readonly #key: AccessKey;
  #order: MeteredRequest | undefined;
  #admitted: AdmittedRequest | undefined;
  #reservation: Reservation | undefined;
  #isClosed = false;
  #inputTokens = 0;
  #outputTokens = 0;
  #images = 0;
  #costNanos: number | null = 0;
  #isUncertain = false;

  constructor(key: AccessKey, needs: UsageMeterOptions) {
    this.#key = key;
    this.#needs = needs;
  }

  /**
   * Throws or rejects where the key or the model has used, or the key has spent, what it may. It is a promise only where
   * somebody else must be asked.
   */
  open(order: MeteredRequest): void | Promise<void> {
    const admitting = this.admit(order);
    if (this.#key.budget === undefined) return admitting;
    return admitting === undefined ? this.reserve() : admitting.then(() => this.reserve());
  }

  /** The first half of it, for a request that may turn out to cost nothing. */
  admit(order: MeteredRequest): void | Promise<void> {
    const { model, tokens, images } = order;
    this.#order = order;
    const subjects: LimitSubject[] = [
      { name: "key", id: this.#key.id, limits: this.#key.limits },
      { name: "model", id: model.id, limits: model.limits },
    ];
    const admitted = this.#needs.limits.admit(subjects, { tokens, images: images?.count ?? 0 });
    if (admitted instanceof Promise) return admitted.then((taken) => this.#enter(taken));
    this.#enter(admitted);
    return undefined;
  }

  #enter(admitted: AdmittedRequest): void {
    this.#admitted = admitted;
    this.#refuseIfClosed();
  }

  /** The second half: holds the money, before anything is done that costs some. */
  async reserve(): Promise<void> {
    if (this.#order === undefined) throw new Error("Nobody has said what the money is for.");
    this.#reservation = await this.#needs.budgets.reserve(this.#key, estimateOf(this.#order));
    this.#refuseIfClosed();
  }

  addEmbeddings(inputTokens: number, work: readonly EmbeddingWork[]): void {
    this.#inputTokens += inputTokens;
    for (const one of work) this.#addCost(costOf(one));
  }

  addImages(work: ImageWork): void {
    this.#inputTokens += work.usage?.input_tokens ?? 0;
    this.#outputTokens += work.usage?.output_tokens ?? 0;
    this.#images += work.images.length;
    this.#addCost(costOf(work));
  }

  /** Notes that something was asked for, and that nobody will know whether it was made. */
  markCostUnknown(): void {
    this.#isUncertain = true;
  }

  /** The `x-ratelimit-*` headers; none where there is no limit. */
  headers(): Readonly<Record<string, string>> {
    return this.#admitted?.headers() ?? {};
  }

  /**
   * Settles everything, once. Where it is not known what was used, what was expected counts, and the cost is unknown. So
   * it is for a caller that has left its embeddings: the call may be one that others share, or may not have begun.
   */
  close({ isAbandoned }: { readonly isAbandoned: boolean }): UsageTotals {
    this.#isClosed = true;
    const hasNothing = this.#inputTokens === 0 && this.#images === 0;
    const isLeft = isAbandoned && hasNothing && this.#admitted !== undefined && !this.#isForImages;
    if ((isLeft || this.#isUncertain) && !this.#isFree) this.#costNanos = null;
    this.#settle({ isUnknown: isLeft || (hasNothing && this.#isUncertain) });
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      images: this.#images,
      costNanos: this.#costNanos,
    };
  }

  /** Whoever closed it while it was being opened did not know of what came after. */
  #refuseIfClosed(): void {
    if (!this.#isClosed) return;
    this.#settle({ isUnknown: false });
    throw new Error("The request was over before it was let in.");
  }

  get #isForImages(): boolean {
    return this.#order?.images !== undefined;
  }

  get #isFree(): boolean {
    return this.#order !== undefined && estimateOf(this.#order) === 0;
  }

  #settle({ isUnknown }: { readonly isUnknown: boolean }): void {
    const admitted = this.#admitted;
    const reservation = this.#reservation;
    this.#admitted = undefined;
    this.#reservation = undefined;
    if (!isUnknown) admitted?.settle({ tokens: this.#inputTokens, images: this.#images });
    admitted?.release();
    reservation?.settle(this.#costNanos);
  }

  #addCost(nanos: number | null): void {
    this.#costNanos = this.#costNanos === null || nanos === null ? null : this.#costNanos + nanos;
  }
}

function estimateOf({ model, tokens, images }: MeteredRequest): number | null {
  return estimateCost({ targets: model.targets, tokens, ...(images && { images }) });
}

/** A token is some four bytes of text: four letters of English, a letter and a third of Chinese. */
const bytesPerToken = 4;

/** About how many tokens a text has. The true count is not known before a model has seen it. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** The same for inputs in all their shapes: a flat array of token ids is one input. */
export function estimateInputTokens(input: Input | readonly Input[]): number {
  if (typeof input === "string") return estimateTokens(input);
  let tokens = 0;
  for (const part of input) {
    if (typeof part === "number") tokens += 1;
    else tokens += typeof part === "string" ? estimateTokens(part) : part.length;
  }
  return tokens;
}

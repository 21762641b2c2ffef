import type { AccessKey, UsageLimits } from "../domain/access-key.js";
import type { Target } from "../domain/model.js";
import type { Budgets, Reservation } from "../limits/budgets.js";
import type { Admitted, LimitSubject, Limits } from "../limits/limits.js";
import { costOf, type EmbeddingWork, type ImageWork } from "./prices/cost-of.js";
import { estimateCost } from "./prices/estimate-cost.js";
import type { PictureKind } from "./prices/picture-price.js";

export interface TabNeeds {
  readonly limits: Limits;
  readonly budgets: Budgets;
}

/** What a request is about to ask for. */
export interface Order {
  readonly model: {
    readonly id: string;
    readonly limits?: UsageLimits;
    readonly targets: readonly Pick<Target, "price">[];
  };
  readonly tokens: number;
  readonly pictures?: PictureKind & { readonly count: number };
}

/** What a request has used. */
export interface Used {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** In billionths of a US dollar; null where a price is not known. */
  readonly costNanos: number | null;
}

/** What one request may use, and what it has used: opened before anything is asked for, and closed once. */
export class Tab {
  readonly #needs: TabNeeds;
  readonly #key: AccessKey;
  #admitted: Admitted | undefined;
  #reservation: Reservation | undefined;
  #isClosed = false;
  #inputTokens = 0;
  #outputTokens = 0;
  #images = 0;
  #costNanos: number | null = 0;

  constructor(key: AccessKey, needs: TabNeeds) {
    this.#key = key;
    this.#needs = needs;
  }

  /** Throws where the key or the model has used, or the key has spent, what it may. */
  async open({ model, tokens, pictures }: Order): Promise<void> {
    const subjects: LimitSubject[] = [
      { name: "key", id: this.#key.id, limits: this.#key.limits },
      { name: "model", id: model.id, limits: model.limits },
    ];
    const admitted = this.#needs.limits.admit(subjects, { tokens, images: pictures?.count ?? 0 });
    this.#admitted = admitted instanceof Promise ? await admitted : admitted;
    if (this.#isClosed) return this.#giveBack();
    if (this.#key.budget === undefined) return;
    const estimate = estimateCost({ targets: model.targets, tokens, ...(pictures && { pictures }) });
    this.#reservation = await this.#needs.budgets.reserve(this.#key, estimate);
    if (this.#isClosed) this.#giveBack();
  }

  /** The caller has left while the request was let in: nothing has been used. */
  #giveBack(): void {
    this.#admitted?.settle({ tokens: 0, images: 0 });
    this.#admitted?.release();
    this.#admitted = undefined;
    this.#reservation?.settle(0);
    this.#reservation = undefined;
  }

  addEmbeddings(inputTokens: number, work: readonly EmbeddingWork[]): void {
    this.#inputTokens += inputTokens;
    for (const one of work) this.#addCost(costOf(one));
  }

  addPictures(work: ImageWork): void {
    this.#inputTokens += work.usage?.input_tokens ?? 0;
    this.#outputTokens += work.usage?.output_tokens ?? 0;
    this.#images += work.pictures.length;
    this.#addCost(costOf(work));
  }

  /** The `x-ratelimit-*` headers; none where there is no limit. */
  headers(): Readonly<Record<string, string>> {
    return this.#admitted?.headers() ?? {};
  }

  /**
   * Settles everything, once. A caller that has left may have used what nobody has counted, so that for it what was
   * expected counts.
   */
  close({ isAbandoned }: { readonly isAbandoned: boolean }): Used {
    this.#isClosed = true;
    const admitted = this.#admitted;
    const reservation = this.#reservation;
    this.#admitted = undefined;
    this.#reservation = undefined;
    const hasNothing = this.#inputTokens === 0 && this.#images === 0;
    if (!(isAbandoned && hasNothing)) {
      admitted?.settle({ tokens: this.#inputTokens, images: this.#images });
      reservation?.settle(this.#costNanos);
    } else {
      reservation?.settle(null);
    }
    admitted?.release();
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      images: this.#images,
      costNanos: this.#costNanos,
    };
  }

  #addCost(nanos: number | null): void {
    this.#costNanos = this.#costNanos === null || nanos === null ? null : this.#costNanos + nanos;
  }
}

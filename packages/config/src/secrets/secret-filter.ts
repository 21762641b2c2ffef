import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import { isObject } from "@model-gateway/runtime/json";
import { percentDecode } from "./percent-encoding.js";
import { formsOf } from "./secret-forms.js";
import { mergeRanges, SecretMatcher, type TextRange } from "./secret-matcher.js";

/** Placeholder for a redacted secret. It needs no escape in JSON, in a header or in a URL's path. */
export const redacted = "(redacted)";

/** Number of remembered secrets that are not in the configuration. The oldest are forgotten. */
const learnedMax = 10_000;

/** Keys, session secrets and one-time codes that any gateway has created. `keys/key-text.ts` writes them. */
const ownKey = /mg_(?:admin_|session_|local_|code_)?[0-9a-hjkmnp-tv-z]{38}/g;

/**
 * Knows the secrets of the configuration and those that were obtained since. Texts pass it where they leave the gateway
 * and may quote an upstream or a failure: errors, the log, traces, the admin API, webhooks. Embeddings and images do
 * not (decision 0069).
 */
export class SecretFilter implements HideSecrets {
  #configured: readonly string[];
  readonly #learned = new Set<string>();
  #matcher: SecretMatcher;

  constructor(configured: readonly string[] = []) {
    this.#configured = configured;
    this.#matcher = this.#index();
  }

  /** Takes the secrets of another configuration. Those of the last one stay known: requests in flight still use them. */
  configure(secrets: readonly string[]): void {
    for (const secret of this.#configured) this.#remember(secret);
    this.#configured = secrets;
    this.#matcher = this.#index();
  }

  learn(secret: string): void {
    if (this.#learned.has(secret)) return;
    if (this.#remember(secret)) this.#matcher = this.#index();
    else for (const form of formsOf(secret)) this.#matcher.add(form);
  }

  hide(text: string): string {
    const ranges = this.#find(text);
    if (ranges.length === 0) return hideOwnKeys(text);
    let hidden = "";
    let at = 0;
    for (const { start, end } of ranges) {
      hidden += text.slice(at, start) + redacted;
      at = end;
    }
    return hideOwnKeys(hidden + text.slice(at));
  }

  hideInJson(json: string): string {
    // Documents without a secret are not parsed.
    if (!this.#has(json) && hideOwnKeys(json) === json) return json;
    return JSON.stringify(this.#hideInValue(JSON.parse(json)));
  }

  #find(text: string): readonly TextRange[] {
    const found = this.#matcher.find(text);
    const decoded = percentDecode(text);
    if (decoded === undefined) return found;
    return mergeRanges([...found, ...this.#matcher.find(decoded.text).map(decoded.sourceOf)]);
  }

  #has(text: string): boolean {
    if (this.#matcher.has(text)) return true;
    const decoded = percentDecode(text);
    return decoded !== undefined && this.#matcher.has(decoded.text);
  }

  #hideInValue(value: unknown): unknown {
    if (typeof value === "string") return this.hide(value);
    if (Array.isArray(value)) return value.map((inner) => this.#hideInValue(inner));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.hide(key), this.#hideInValue(inner)]),
    );
  }

  #index(): SecretMatcher {
    return new SecretMatcher([...new Set([...this.#configured, ...this.#learned])].flatMap(formsOf));
  }

  /** Returns whether others were forgotten for it: a tenth at once, because the index is built again. */
  #remember(secret: string): boolean {
    this.#learned.add(secret);
    if (this.#learned.size <= learnedMax) return false;
    const oldest = [...this.#learned].slice(0, learnedMax / 10);
    for (const one of oldest) this.#learned.delete(one);
    return true;
  }
}

function hideOwnKeys(text: string): string {
  return text.includes("mg_") ? text.replace(ownKey, redacted) : text;
}

import type { Schemas } from "../../operations/schemas.js";
import { readPatterns } from "./match-models.js";

type AccessKey = Schemas["AccessKey"];
export type LimitName = keyof Schemas["UsageLimits"];

/** The limits of a key, as the form names them. */
export const limitLabels: Readonly<Record<LimitName, string>> = {
  requests_per_minute: "Requests a minute",
  requests_per_day: "Requests a day",
  tokens_per_minute: "Tokens a minute",
  tokens_per_day: "Tokens a day",
  images_per_minute: "Images a minute",
  images_per_day: "Images a day",
  max_concurrency: "Requests at once",
};
export const limitNames = Object.keys(limitLabels) as readonly LimitName[];

/** A key as it is typed. Empty fields do not restrict it. */
export interface KeyDraft {
  readonly name: string;
  readonly owner: string;
  /** Whether the two below apply. */
  readonly isRestricted: boolean;
  /** Ids of models that were ticked. */
  readonly chosen: readonly string[];
  /** Other ids and patterns, separated by commas. */
  readonly patterns: string;
  readonly priority: AccessKey["priority"];
  readonly usd: string;
  readonly per: "day" | "month";
  readonly limits: Readonly<Record<LimitName, string>>;
  /** A day in UTC: `2027-06-30`. */
  readonly expires: string;
}

const noLimits = Object.fromEntries(limitNames.map((name) => [name, ""])) as Record<LimitName, string>;

export const emptyDraft: KeyDraft = {
  name: "",
  owner: "",
  isRestricted: false,
  chosen: [],
  patterns: "",
  priority: "interactive",
  usd: "",
  per: "month",
  limits: noLimits,
  expires: "",
};

/** @param known The ids of the gateway's models. */
export function draftOf(key: AccessKey, known: readonly string[]): KeyDraft {
  const models = key.models ?? [];
  const limits = limitNames.map((name) => [name, String(key.limits[name] ?? "")]);
  return {
    name: key.name,
    owner: key.owner ?? "",
    isRestricted: key.models !== null,
    chosen: models.filter((model) => known.includes(model)),
    patterns: models.filter((model) => !known.includes(model)).join(", "),
    priority: key.priority,
    usd: key.budget === null ? "" : String(key.budget.usd),
    per: key.budget?.per ?? "month",
    limits: Object.fromEntries(limits) as Record<LimitName, string>,
    expires: key.expires_at === null ? "" : new Date(key.expires_at * 1000).toISOString().slice(0, 10),
  };
}

/** The ids and patterns of a draft; null for all models. */
export function modelsOf({ isRestricted, chosen, patterns }: KeyDraft): string[] | null {
  return isRestricted ? [...new Set([...chosen, ...readPatterns(patterns)])] : null;
}

/** The body that creates the key. */
export function createBody(draft: KeyDraft): Schemas["CreateKeyRequest"] {
  const { limits = {}, ...changed } = changeBody(emptyDraft, draft);
  return {
    name: draft.name.trim(),
    ...changed,
    ...(Object.keys(limits ?? {}).length > 0 && { limits }),
  };
}

/** The body that changes one draft into the other. It is empty where nothing changed. */
export function changeBody(before: KeyDraft, after: KeyDraft): Schemas["ChangeKeyRequest"] {
  const is = (field: keyof KeyDraft) => before[field] !== after[field];
  const limits = limitNames.filter((name) => before.limits[name] !== after.limits[name]);
  const models = modelsOf(after);
  return {
    ...(is("name") && { name: after.name.trim() }),
    ...(is("owner") && { owner: after.owner.trim() || null }),
    ...(JSON.stringify(modelsOf(before)) !== JSON.stringify(models) && { models }),
    ...(is("priority") && { priority: after.priority }),
    ...((is("usd") || (is("per") && after.usd !== "")) && {
      budget: after.usd === "" ? null : { usd: Number(after.usd), per: after.per },
    }),
    ...(limits.length > 0 && {
      limits: Object.fromEntries(limits.map((name) => [name, numberOf(after.limits[name])])),
    }),
    ...(is("expires") && {
      expires_at: after.expires === "" ? null : Date.parse(after.expires) / 1000,
    }),
  };
}

function numberOf(text: string): number | null {
  return text === "" ? null : Number(text);
}

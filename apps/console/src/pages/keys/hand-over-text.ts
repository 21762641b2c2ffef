import type { Schemas } from "../../operations/schemas.js";
import { formatCount, formatUsd } from "../../parts/format.js";
import { writeTime } from "../../parts/time-zone.js";
import { limitLabels, limitNames } from "./key-draft.js";

type Created = Pick<
  Schemas["CreatedKey"],
  "name" | "value" | "models" | "limits" | "budget" | "expires_at" | "old_secrets"
>;

interface HandOver {
  readonly created: Created;
  /** The address of the gateway, without `/v1`. */
  readonly root: string;
  /** The ids that the key may call. */
  readonly models: readonly string[];
  /** Those of them without a price, in words. */
  readonly unpriced?: string | undefined;
  /** A call of one of them in curl, which reads the key from `GATEWAY_KEY`. */
  readonly sample: string | undefined;
}

const modelsMax = 12;

/** Everything that the owner of a new secret needs, as one text to send. Times are in UTC: the reader may be elsewhere. */
export function handOverText({ created, root, models, unpriced, sample }: HandOver): string {
  const lines = [
    `Your key "${created.name}" for the model gateway`,
    "",
    `Base URL: ${root}/v1`,
    `API key:  ${created.value}`,
    `Models:   ${listModels(models)}`,
    ...limitLines(created, unpriced),
    ...earlierLines(created),
    ...(sample === undefined ? [] : ["", "Try it:", `export GATEWAY_KEY=${created.value}`, sample]),
    "",
    `Docs: ${root}/docs/`,
    `Your spend, limits and requests: ${root}/console/`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Whether an address leads to the machine of the one who uses it, and to no gateway from elsewhere. */
export function isOnlyHere(root: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1?\]|0\.0\.0\.0)$/.test(new URL(root).hostname);
}

function listModels(models: readonly string[]): string {
  if (models.length === 0) return "none yet";
  const more = models.length - modelsMax;
  return [...models.slice(0, modelsMax), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

function limitLines({ limits, budget, expires_at }: Created, unpriced: string | undefined): string[] {
  const rates = limitNames.flatMap((name) => {
    const limit = limits[name];
    return limit === null ? [] : [`${formatCount(limit)} ${limitLabels[name].toLowerCase()}`];
  });
  const left = unpriced === undefined ? "" : `, without ${unpriced}: no price is known`;
  return [
    ...(rates.length === 0 ? [] : [`Limits:   ${rates.join(", ")}`]),
    ...(budget === null ? [] : [`Budget:   ${formatUsd(budget.usd)} a ${budget.per}${left}`]),
    ...(expires_at === null ? [] : [`Expires:  ${writeTime(expires_at, "UTC")}`]),
  ];
}

/** After a rotation: until when to change over. */
function earlierLines({ old_secrets: [earlier] }: Created): string[] {
  if (earlier === undefined) return [];
  return [
    `It replaces ${earlier.redacted_value}, which works until ${writeTime(earlier.expires_at, "UTC")}.`,
  ];
}

import type { ImportReport } from "./import-report.js";
import { literal } from "./write-gateway-file.js";

/** A place in the source, and the import's report. A value that is read counts as imported. */
export interface ValuePlace {
  /** For the operator, such as `model_list[2].litellm_params.api_key`. */
  readonly place: string;
  readonly report: ImportReport;
}

/** A text that is not secret: copied, or taken from the same variable. */
export function readText(value: unknown, { place, report }: ValuePlace): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value === "") return report.leaveOut(place, "It must be text");
  report.imported(place);
  return report.reference(value) ?? literal(value);
}

export interface SecretPlace extends ValuePlace {
  /** The variable that a secret in plain text moves to. */
  readonly variable: string;
}

/** A secret: taken from the same variable, or from a new one. A secret in plain text is never copied. */
export function readSecret(value: unknown, { place, report, variable }: SecretPlace): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text === "") return readText(text, { place, report });
  report.imported(place);
  return report.reference(text) ?? report.secret(variable, place);
}

interface NumberBounds extends ValuePlace {
  readonly min: number;
  readonly max: number;
  readonly isWhole?: true;
}

/** A number within the bounds of the gateway's setting. Others are left out, not clamped. */
export function readNumber(value: unknown, bounds: NumberBounds): number | undefined {
  const { place, report, min, max, isWhole } = bounds;
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && /^[\d.]+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || Number.isNaN(number))
    return report.leaveOut(place, "It must be a number in the file itself");
  if (number >= min && number <= max && (isWhole === undefined || Number.isInteger(number))) {
    report.imported(place);
    return number;
  }
  return report.leaveOut(
    place,
    `It must be ${isWhole ? "a whole number" : "a number"} from ${min} to ${max}`,
  );
}

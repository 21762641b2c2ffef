import type { ImportReport } from "../import-report.js";
import { literal } from "../write-gateway-file.js";

/** A place in the source, and the import's report. */
export interface ValuePlace {
  /** For the operator, such as `model_list[2].litellm_params.api_key`. */
  readonly place: string;
  readonly report: ImportReport;
}

const fromEnvironment = /^os\.environ\/([A-Za-z_][A-Za-z0-9_]*)$/;
const notText = "It must be text";
const notNumber = "It must be a number in the file itself";

/** The variables that a source takes from the environment. */
export function variablesOf(text: string): string[] {
  return [...text.matchAll(/os\.environ\/([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name = ""]) => name);
}

/** A text that is not secret: copied, or taken from the same variable. */
export function readText(value: unknown, { place, report }: ValuePlace): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "") {
    const variable = fromEnvironment.exec(value)?.[1];
    return variable === undefined ? literal(value) : report.variable(variable);
  }
  return report.leaveOut(place, notText);
}

export interface SecretPlace extends ValuePlace {
  /** The variable that a secret in plain text moves to. */
  readonly variable: string;
}

/** A secret: taken from the same variable, or from a new one. A secret in plain text is never copied. */
export function readSecret(
  value: unknown,
  { place, report, variable: wanted }: SecretPlace,
): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text === "" || fromEnvironment.test(text))
    return readText(text, { place, report });
  return report.secret(wanted, place);
}

export interface NumberBounds extends ValuePlace {
  readonly min: number;
  readonly max: number;
  readonly isWhole?: true;
}

/** A number within the bounds of the gateway's setting. Others are left out, not clamped. */
export function readNumber(value: unknown, bounds: NumberBounds): number | undefined {
  const { place, report, min, max, isWhole } = bounds;
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && /^[\d.]+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || Number.isNaN(number)) return report.leaveOut(place, notNumber);
  if (number >= min && number <= max && (isWhole === undefined || Number.isInteger(number))) return number;
  return report.leaveOut(
    place,
    `It must be ${isWhole ? "a whole number" : "a number"} from ${min} to ${max}`,
  );
}

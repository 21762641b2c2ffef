import type { Option } from "./fields.js";

/** The meaning of a typed text. */
export interface KnownMatch {
  /** Undefined if several known values begin with the text. */
  readonly value: string | undefined;
  /** How many known values begin with the text. */
  readonly fitting: number;
}

/**
 * Finds the known value that a text names: by its name or its value, whole or as the only one that begins so. A text that
 * no known value begins with is taken as it is: a list of the past may have values that are no longer known.
 */
export function matchKnown(typed: string, options: readonly Option[]): KnownMatch {
  const text = typed.trim();
  if (text === "") return { value: "", fitting: 0 };
  const whole = options.find(({ value, label }) => label === text || value === text);
  if (whole !== undefined) return { value: whole.value, fitting: 1 };
  const begins = (name: string) => name.toLowerCase().startsWith(text.toLowerCase());
  const fitting = options.filter(({ value, label }) => begins(label) || begins(value));
  if (fitting.length > 1) return { value: undefined, fitting: fitting.length };
  return { value: fitting[0]?.value ?? text, fitting: fitting.length };
}

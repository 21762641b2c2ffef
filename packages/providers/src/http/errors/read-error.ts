import { isObject } from "@model-gateway/runtime/json";

const messageLengthMax = 2000;

/** The caller's parameter names, by the upstream's names. */
export type ParamNames = Readonly<Record<string, string>>;

/** The upstream's name of a parameter in the caller's words: `texts[3]` is `input[3]`. */
export function renameParam(param: string | undefined, names: ParamNames): string | undefined {
  const [, name = "", rest = ""] = /^(\w+)(.*)$/.exec(param ?? "") ?? [];
  return Object.hasOwn(names, name) ? `${names[name]}${rest}` : param;
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An error text for the caller or the log. Undefined if it is not a string, or empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? clip(value) : undefined;
}

/**
 * Messages go to the caller, so their length is bounded. They end after a whole word: half of a secret would not be
 * recognised when the message leaves the gateway.
 */
function clip(message: string): string {
  if (message.length <= messageLengthMax) return message;
  let end = messageLengthMax;
  while (end > 0 && !/\s/.test(message[end] ?? "")) end -= 1;
  return `${message.slice(0, end)}…`;
}

/** Text that is HTML already. Only `html` and `trustedHtml` make it. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type HtmlValue = string | number | Html | readonly HtmlValue[] | undefined | false;

/** A template whose values are escaped, unless they are HTML already. `undefined` and `false` give nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? "";
  for (const [index, value] of values.entries()) text += toText(value) + (parts[index + 1] ?? "");
  return new Html(text);
}

/** For the output of a renderer that escapes by itself. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function toText(value: HtmlValue): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(toText).join("");
  return escapeHtml(String(value));
}

import { isPair, isScalar, parseDocument, type Scalar, visit } from "yaml";
import { isPublicHeader, isSecretKey } from "../secrets/find-secrets.js";
import { hideUnder, set } from "../without-secrets.js";

/** A configuration file with a placeholder for each secret that stands in it as plain text, and no other difference. */
export function redactText(text: string): string {
  const document = parseDocument(text);
  const hidden: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === "key" || typeof node.value !== "string" || !node.range) return;
      const shown = showUnder(keysOf(ancestors), node.value);
      if (shown !== node.value) hidden.push({ start: node.range[0], end: endOf(node, text), text: shown });
    },
  });
  return hidden.reduceRight(
    (whole, { start, end, text: shown }) => `${whole.slice(0, start)}${shown}${whole.slice(end)}`,
    text,
  );
}

function showUnder(keys: readonly string[], value: string): string {
  if (/^([A-Za-z-]{1,32} )?\$\{\w+\}$/.test(value)) return value;
  const [section, , ...rest] = keys;
  // Names of upstreams and models are free, and say nothing about the keys below them.
  const named = section === "upstreams" || section === "models" ? rest : keys;
  const last = named.at(-1) ?? "";
  if (isPublicHeader(last)) return value;
  return named.some(isSecretKey) ? set : String(hideUnder(last, value));
}

function keysOf(ancestors: readonly unknown[]): string[] {
  return ancestors.flatMap((ancestor) =>
    isPair(ancestor) && isScalar(ancestor.key) ? [String(ancestor.key.value)] : [],
  );
}

/** The range of a block scalar includes the line feed at its end. */
function endOf({ range }: Scalar, text: string): number {
  const end = range?.[1] ?? 0;
  return text[end - 1] === "\n" ? end - 1 : end;
}

import type { ModelType } from "@model-gateway/domain/operations";
import { Document, isMap, isScalar } from "yaml";

/** A draft of a gateway configuration file, as an operator would write it. */
export interface GatewayDraft {
  readonly keys?: readonly Readonly<Record<string, unknown>>[];
  readonly redisUrl?: string;
  readonly databaseUrl?: string;
  readonly upstreams: Readonly<Record<string, UpstreamDraft>>;
  readonly models: Readonly<Record<string, ModelDraft>>;
}

export interface UpstreamDraft {
  readonly provider: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Settings that only some providers have. */
  readonly [setting: string]: unknown;
}

export interface ModelDraft {
  readonly type: ModelType;
  readonly targets: readonly TargetDraft[];
  readonly aliases?: readonly string[];
  readonly [setting: string]: unknown;
}

export interface TargetDraft {
  readonly upstream: string;
  readonly model: string;
  readonly tier?: number;
  readonly [setting: string]: unknown;
}

/** Comments by the path of the key that they precede, such as `models/ada`. */
type DraftComments = ReadonlyMap<string, readonly string[]>;

/** Writes the file: `lines` as the comment at its top, then the keys, some with comments. */
export function writeGatewayFile(
  draft: GatewayDraft,
  { lines, comments }: { lines: readonly string[]; comments: DraftComments },
): string {
  const document = new Document(draft, { aliasDuplicateObjects: false });
  document.commentBefore = asComment(lines);
  if (isMap(document.contents))
    for (const { key } of document.contents.items) annotate(key, comments.get(String(key)));
  for (const section of ["keys", "upstreams", "models"]) {
    const inner = document.get(section, true);
    if (!isMap(inner)) continue;
    for (const { key } of inner.items) annotate(key, comments.get(`${section}/${key}`));
  }
  return document.toString({ lineWidth: 0 });
}

function annotate(key: unknown, comment: readonly string[] | undefined): void {
  if (comment !== undefined && isScalar(key)) key.commentBefore = asComment(comment);
}

function asComment(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? "" : ` ${line}`)).join("\n");
}

/** A text of the source in which the gateway must not look for variables. */
export function literal(text: string): string {
  return text.replaceAll("${", () => "$${");
}

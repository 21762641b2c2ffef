import { isObject } from "@model-gateway/runtime/json";
import { FreeNames } from "./free-names.js";

/** Why an import wrote nothing. The messages are sentences for the operator. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** Why a part of the source was not imported. */
export interface Omission {
  /** A clause without a full stop. */
  readonly why: string;
  /** The docs page that helps, as its path in apps/docs. */
  readonly page?: string;
  /** Text after the path, such as a model's name. Never a value that may be a secret. */
  readonly title?: string;
}

/** The settings of a product that an import does not read. */
export interface SourceSettings {
  /** The parts of its file whose settings are named one by one. */
  readonly sections: readonly string[];
  readonly omissionOf: (path: string) => Omission;
}

/** Further places with the same shape are counted instead of listed. */
const listedMax = 10;

/**
 * The account of an import: which values of the source were imported, which were not and why, and the environment
 * variables that the result needs. Paths are those of the source, such as `model_list[2].model_info.id`.
 */
export class ImportReport {
  readonly #imported = new Set<string>();
  readonly #omitted = new Set<string>();
  /** By reason: the places, with their titles. */
  readonly #reasons = new Map<string, Map<string, string>>();
  readonly #names = new FreeNames();
  readonly #variables = new Map<string, string>();
  readonly #taken: ReadonlySet<string>;
  readonly #reference: RegExp;

  /** @param reference Matches a value that stands for an environment variable, with the name as its only group. */
  constructor(text: string, reference: RegExp) {
    this.#reference = new RegExp(`^${reference.source}$`);
    this.#taken = new Set([...text.matchAll(new RegExp(reference, "g"))].map(([, name = ""]) => name));
  }

  /** Notes that a value, or everything below a path, is in the result. */
  imported(...paths: readonly string[]): void {
    for (const path of paths) this.#imported.add(path);
  }

  /** @param path The place in the source. The value itself is never named, because it may be a secret. */
  leaveOut(path: string, omission: string | Omission): undefined {
    const { why, page, title = "" } = typeof omission === "string" ? { why: omission } : omission;
    this.#omitted.add(path);
    const reason = page === undefined ? why : `${why} (${page})`;
    const places = this.#reasons.get(reason);
    if (places === undefined) this.#reasons.set(reason, new Map([[path, title]]));
    else places.set(path, title);
  }

  /** Leaves out everything in the source that is neither imported nor left out yet, so that nothing is lost silently. */
  leaveOutRest(source: unknown, { sections, omissionOf }: SourceSettings): void {
    for (const [value, path] of childrenOf(source, "")) {
      const parts = sections.includes(path) ? childrenOf(value, path) : [[value, path] as const];
      for (const [part, partPath] of parts)
        for (const rest of this.#restOf(part, partPath).paths) this.leaveOut(rest, omissionOf(rest));
    }
  }

  /** The paths without an account. A part without any account is one path. */
  #restOf(value: unknown, path: string): { readonly paths: readonly string[]; readonly isWhole: boolean } {
    if (this.#imported.has(path) || this.#omitted.has(path)) return { paths: [], isWhole: false };
    if (value === null || value === undefined) return { paths: [], isWhole: true };
    const inner = childrenOf(value, path).map(([child, childPath]) => this.#restOf(child, childPath));
    if (inner.every(({ isWhole }) => isWhole)) return { paths: [path], isWhole: true };
    return { paths: inner.flatMap(({ paths }) => paths), isWhole: false };
  }

  /** The placeholder for a value that stands for a variable; undefined for any other value. */
  reference(value: string): string | undefined {
    const name = this.#reference.exec(value)?.[1];
    return name === undefined ? undefined : this.variable(name);
  }

  /** The placeholder of a variable that the source uses. */
  variable(name: string, remark = ""): string {
    if ((this.#variables.get(name) ?? "") === "") this.#variables.set(name, remark);
    return `\${${name}}`;
  }

  /** The placeholder for a secret that the source has in plain text. The secret itself is not copied. */
  secret(wanted: string, place: string, remark = "is plain text, and was not copied"): string {
    const isTaken = (name: string) => this.#taken.has(name) || this.#variables.has(name);
    const name = this.#names.find(wanted, "_", isTaken);
    return this.variable(name, `${place} ${remark}`);
  }

  /** As the lines of a comment. */
  lines(): string[] {
    const variables = [...this.#variables].map(
      ([name, remark]) => `  ${name}${remark === "" ? "" : `: ${remark}`}`,
    );
    const omissions = [...this.#reasons].flatMap(([reason, places]) => [
      `  ${reason}:`,
      ...linesOf(places).map((line) => `    ${line}`),
    ]);
    return [
      ...(variables.length === 0 ? [] : ["", "Set these environment variables:", ...variables]),
      ...(omissions.length === 0 ? [] : ["", "Not imported:", ...omissions]),
    ].map(oneLine);
  }
}

/** The parts of an object or a list, with their paths. */
function childrenOf(value: unknown, path: string): [unknown, string][] {
  if (Array.isArray(value)) return value.map((child, index) => [child, `${path}[${index}]`]);
  const start = path === "" ? "" : `${path}.`;
  return Object.entries(isObject(value) ? value : {}).map(([key, child]) => [child, `${start}${key}`]);
}

/** A line for each place, or one for many places that differ only in their numbers. */
function linesOf(places: ReadonlyMap<string, string>): string[] {
  const shapes = new Map<string, [string, string][]>();
  for (const place of places) {
    const shape = place[0].replaceAll(/\[\d+\]/g, "[]");
    const others = shapes.get(shape);
    if (others === undefined) shapes.set(shape, [place]);
    else others.push(place);
  }
  return [...shapes].flatMap(([shape, alike]) => {
    if (alike.length <= listedMax)
      return alike.map(([path, title]) => (title === "" ? path : `${path} ${title}`));
    const titles = alike.flatMap(([, title]) => (title === "" ? [] : title));
    return [`${shape}, ${alike.length} times${titles.length === 0 ? "" : `: ${listSome(titles)}`}`];
  });
}

/** The first few of a list, and how many there are besides. */
export function listSome(names: readonly string[]): string {
  const more = names.length - listedMax;
  return `${names.slice(0, listedMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Text of the source could otherwise end the comment. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\u0085\u2028\u2029]+/g, " ");
}

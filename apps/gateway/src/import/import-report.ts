import { FreeNames } from "./free-names.js";

/** Why an import wrote nothing. The messages are sentences for the operator. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** Settings that an import could not carry over, and the environment variables that its result needs. */
export class ImportReport {
  readonly #leftOut = new Map<string, Set<string>>();
  readonly #names = new FreeNames();
  readonly #variables = new Map<string, string>();
  readonly #taken: ReadonlySet<string>;

  /** @param taken Variables that the source uses. A new one gets another name. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** @param what The place in the source. Never a value, because it may be a secret. */
  leaveOut(what: string, why: string): undefined {
    const others = this.#leftOut.get(why);
    if (others === undefined) this.#leftOut.set(why, new Set([what]));
    else others.add(what);
  }

  /** The placeholder of a variable that the source uses. */
  variable(name: string, remark = ""): string {
    if ((this.#variables.get(name) ?? "") === "") this.#variables.set(name, remark);
    return `\${${name}}`;
  }

  /** The placeholder for a secret that the source has in plain text. The secret itself is not copied. */
  secret(wanted: string, place: string): string {
    const isTaken = (name: string) => this.#taken.has(name) || this.#variables.has(name);
    const name = this.#names.find(wanted, "_", isTaken);
    return this.variable(name, `${place} is plain text, and was not copied`);
  }

  /** As the lines of a comment. */
  lines(): string[] {
    const variables = [...this.#variables].map(
      ([name, remark]) => `  ${name}${remark === "" ? "" : `: ${remark}`}`,
    );
    const leftOut = [...this.#leftOut].flatMap(([why, places]) => [
      `  ${why}:`,
      ...[...places].map((place) => `    ${place}`),
    ]);
    return [
      ...(variables.length === 0 ? [] : ["", "Set these environment variables:", ...variables]),
      ...(leftOut.length === 0 ? [] : ["", "Not carried over:", ...leftOut]),
    ].map(oneLine);
  }
}

/** Text of the source could otherwise end the comment. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u0085\u2028\u2029]+/g, " ");
}

export type OtlpEnvironment = Readonly<Record<string, string | undefined>>;
export type Warn = (message: string) => void;

/**
 * Reads the standard `OTEL_*` variables. A variable that cannot be parsed counts as absent, as the standard demands. The
 * warning names the variable but not its value, which may be a secret.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export class OtelEnvironment {
  readonly #environment: OtlpEnvironment;
  readonly warn: Warn;

  constructor(environment: OtlpEnvironment, warn: Warn) {
    this.#environment = environment;
    this.warn = warn;
  }

  /** Undefined if the variable is absent or empty. */
  text(name: string): string | undefined {
    return this.#environment[name]?.trim() || undefined;
  }

  /** A positive integer. */
  number(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const given = Number(text);
    if (Number.isInteger(given) && given > 0) return given;
    this.warn(`${name} is not a positive integer; ${fallback} is used.`);
    return fallback;
  }

  /** `a=1,b=2` with percent-encoded values. */
  pairs(name: string): Record<string, string> {
    try {
      const pairs = (this.text(name) ?? "").split(",").filter((pair) => pair.trim() !== "");
      return Object.fromEntries(pairs.map(readPair));
    } catch {
      this.warn(`${name} is not a list such as a=1,b=2; it is ignored.`);
      return {};
    }
  }

  /** `a,b` */
  list(name: string): readonly string[] | undefined {
    return this.text(name)
      ?.split(",")
      .map((one) => one.trim());
  }
}

function readPair(pair: string): [string, string] {
  const [key = "", ...value] = pair.split("=");
  if (!/^[\w.!#$%&'*+^`|~-]+$/.test(key.trim()) || value.length === 0) throw new Error("Not a pair.");
  return [key.trim(), decodeURIComponent(value.join("=").trim())];
}

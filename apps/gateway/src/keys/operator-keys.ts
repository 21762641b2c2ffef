import { hash } from "node:crypto";
import type { ConfigOperator } from "@model-gateway/config/config";
import { adminOperator, type Operator } from "@model-gateway/domain/operator";
import type { AdminKey } from "./key-secrets.js";

/** The keys that open the admin API: the admin key, and those of the operators in the configuration. */
export class OperatorKeys {
  readonly #adminKey: AdminKey;
  #byDigest: ReadonlyMap<string, ConfigOperator> = new Map();
  #byMark: ReadonlyMap<string, ConfigOperator> = new Map();

  constructor(adminKey: AdminKey, configured: readonly ConfigOperator[]) {
    this.#adminKey = adminKey;
    this.configure(configured);
  }

  /** Takes over other operators. A role that has changed holds for sessions that are open. */
  configure(operators: readonly ConfigOperator[]): void {
    this.#byDigest = new Map(operators.map((one) => [one.sha256.toString("hex"), one]));
    this.#byMark = new Map(operators.map((one) => [markOf(one), one]));
  }

  /** The operator with this key. A lookup by digest takes the same time for any guess. */
  readonly find = (presented: string): Operator | undefined => {
    const named = this.#byDigest.size === 0 ? undefined : this.#byDigest.get(hash("sha256", presented));
    if (named !== undefined) return named;
    return this.#adminKey.matches(presented) ? adminOperator : undefined;
  };

  /** Differs for each key of an operator, so that a session ends with the key that it was opened with. */
  readonly markOf = ({ name }: Operator): string | undefined => {
    if (name === adminOperator.name) return this.#adminKey.mark();
    return [...this.#byMark].find(([, one]) => one.name === name)?.[0];
  };

  readonly findByMark = (mark: string): Operator | undefined =>
    this.#byMark.get(mark) ?? (mark === this.#adminKey.mark() ? adminOperator : undefined);
}

function markOf({ name, sha256 }: ConfigOperator): string {
  return `operator:${name}:${hash("sha256", sha256, "hex").slice(0, 32)}`;
}

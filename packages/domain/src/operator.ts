import type { Schemas } from "./operations.js";

/** The rights of an operator. The spec lists the roles of each operation in `x-roles`. */
export type OperatorRole = NonNullable<Schemas["OperatorRole"]>;

/** A person or a program that operates the gateway. */
export interface Operator {
  /** `admin` for the admin key, else its name in the configuration. */
  readonly name: string;
  readonly role: OperatorRole;
}

/** By their permissions, from all to few. */
export const operatorRoles = [
  "admin",
  "operator",
  "viewer",
  "billing",
  "metrics",
] as const satisfies readonly OperatorRole[];

/** The holder of the admin key. */
export const adminOperator: Operator = Object.freeze({ name: "admin", role: "admin" });

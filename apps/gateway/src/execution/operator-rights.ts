import { errorOf } from "@model-gateway/domain/errors";
import type { OperationId } from "@model-gateway/domain/operations";
import type { Operator, OperatorRole } from "@model-gateway/domain/operator";
import { invalidKey } from "./caller.js";
import type { Operation } from "./validation/spec.js";

/** Refuses an operator whose role the operation does not list. */
export function checkRole({ role }: Operator, operation: Operation): void {
  if (allowsRole(operation, role)) return;
  const { access, roles } = operation;
  if (access === "admin" || access === "sign-in")
    throw errorOf("role_not_allowed", { role, roles: roles.join(", ") });
  // Elsewhere callers send their keys, and an operator without the right has none that is valid.
  throw invalidKey(`An operator with the role ${role} cannot use this operation.`);
}

/** The operations that a session may call. */
export function operationsOfSession(
  operations: readonly Operation[],
  operator: Operator | undefined,
): OperationId[] {
  const mayCall = (operation: Operation): boolean =>
    operator === undefined ? !forOperators.has(operation.access) : allowsRole(operation, operator.role);
  return operations.flatMap((operation) => (mayCall(operation) ? [operation.id] : []));
}

const forOperators: ReadonlySet<Operation["access"]> = new Set(["admin", "sign-in"]);

function allowsRole({ access, roles }: Operation, role: OperatorRole): boolean {
  return access === "public" || roles.includes(role);
}

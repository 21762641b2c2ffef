import { kindOf } from "@model-gateway/config/kinds/kinds";
import { type Model, namesOf } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { operationsOfSession } from "../../execution/operator-rights.js";
import type { Operation } from "../../execution/validation/spec.js";
import { mayCallAny } from "../../keys/may-call.js";
import type { ActiveSession, Sessions } from "../../sessions/sessions.js";
import type { SignInCodes } from "../../sessions/sign-in-codes.js";
import type { Catalog } from "../catalog.js";

export interface SessionHandlerServices {
  readonly sessions: Pick<Sessions, "create" | "end">;
  readonly codes: Pick<SignInCodes, "create">;
  readonly catalog: Catalog;
  /** Those of the spec. */
  readonly operations: readonly Operation[];
  /** The version of the gateway. */
  readonly version: string;
}

/** A session as the spec describes it. */
export function describeSession(
  { id, kind, key, operator, createdAt, expiresAt }: ActiveSession,
  { catalog, operations, version }: Pick<SessionHandlerServices, "catalog" | "operations" | "version">,
): Schemas["Session"] {
  const called = operationsOfSession(operations, operator);
  const mayCall = (model: Model): boolean =>
    mayCallAny(key, namesOf(model)) &&
    kindOf(model)
      .operationsOf(model)
      .some((operation) => called.includes(operation));
  return {
    object: "session",
    id,
    kind,
    operator: operator?.name ?? null,
    role: operator?.role ?? null,
    key_id: key.id,
    name: key.name,
    created_at: Math.floor(createdAt / 1000),
    expires_at: Math.floor(expiresAt / 1000),
    gateway_version: version,
    models: catalog.all().flatMap((model) => (mayCall(model) ? [model.id] : [])),
    operations: called,
  };
}

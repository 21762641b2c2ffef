import { GatewayRequestError } from "@model-gateway/client";
import { useState } from "react";
import {
  type ConfigurationEntries,
  useApplyChange,
  usePreviewChange,
} from "../../operations/changeConfiguration.js";
import type { Schemas } from "../../operations/schemas.js";
import type { Faults } from "./use-faults.js";

/** A change on its way: checked, reviewed, applied. */
export interface Review {
  /** The change as the gateway would make it, once it is checked. */
  readonly previewed: Schemas["ConfigurationChange"] | undefined;
  /** Its outcome, once it is applied or refused for a reason of the deployment. */
  readonly outcome: Schemas["ConfigurationChange"] | undefined;
  readonly isChecking: boolean;
  readonly isApplying: boolean;
  /** Why the check failed. */
  readonly checkError: Error | null;
  /** Why the change could not be applied, except by a change of the file in the meantime. */
  readonly applyError: Error | null;
  /** Whether the file has changed since the review. */
  readonly isOutdated: boolean;
  check(entries: ConfigurationEntries, events?: CheckEvents): void;
  /** Checks the same entries against the file of now. */
  checkAgain(): void;
  apply(): void;
}

interface CheckEvents {
  readonly onSuccess: () => void;
  readonly onError: (error: Error) => void;
}

export function useReview(): Review {
  const preview = usePreviewChange();
  const application = useApplyChange();
  const [entries, setEntries] = useState<ConfigurationEntries>({});
  const previewed = preview.data;
  const check = (checked: ConfigurationEntries, events?: CheckEvents) => {
    setEntries(checked);
    application.reset();
    preview.mutate(checked, events);
  };
  const isOutdated = codeOf(application.error) === "configuration_changed";
  return {
    previewed,
    outcome: application.data,
    isChecking: preview.isPending,
    isApplying: application.isPending,
    checkError: preview.error,
    applyError: isOutdated ? null : application.error,
    isOutdated,
    check,
    checkAgain: () => check(entries),
    apply: () => application.mutate({ ...entries, version: previewed?.version ?? null }),
  };
}

function codeOf(error: Error | null): string | null | undefined {
  return error instanceof GatewayRequestError ? error.code : undefined;
}

/**
 * The fault of a refused change at one of its fields.
 *
 * @param fields The fields, by the beginning of the path that the gateway names.
 * @returns Undefined if the error belongs to none of them.
 */
export function faultAt(error: Error | null, fields: Readonly<Record<string, string>>): Faults | undefined {
  const param = error instanceof GatewayRequestError ? error.param : null;
  if (error === null || param === null) return undefined;
  const fitting = Object.keys(fields)
    .filter((path) => param.startsWith(path) && /^([.[]|$)/.test(param.slice(path.length)))
    .sort((one, other) => other.length - one.length)[0];
  const field = fitting === undefined ? undefined : fields[fitting];
  return field === undefined ? undefined : { [field]: withoutPath(error.message, param) };
}

/** The path in front is for the reader of a response. The field says it here. */
function withoutPath(message: string, param: string): string {
  const path = `Invalid '${param}': `;
  const rest = message.startsWith(path) ? message.slice(path.length) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

import type { Schemas } from "../../operations/schemas.js";
import { plural } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { chosenZone, writeClock } from "../../parts/time-zone.js";

interface SkippedTargetProps {
  readonly skipped: Schemas["SkippedTarget"];
  /** Why it was not called, in general. */
  readonly reason: string;
}

/** Why a target was not called: its last real error, since when it failed, and when it was to be tried again. */
export function SkippedTarget({ skipped, reason }: SkippedTargetProps) {
  const { last_error } = skipped;
  const nowMs = Date.now();
  const state = describeSkipped(skipped, (seconds) => writeClock(seconds, nowMs, chosenZone()));
  return (
    <>
      <p>
        <Message text={last_error?.message ?? reason} />
      </p>
      {state !== "" && <p className="quiet small">{state}</p>}
    </>
  );
}

/** @param clock Writes Unix seconds as a clock time. */
export function describeSkipped(
  { failing_since, failures, paused_until, last_error }: Schemas["SkippedTarget"],
  clock: (seconds: number) => string,
): string {
  const count = failures > 0 ? `, ${plural(failures, "failure")}` : "";
  const status = typeof last_error?.status === "number" ? ` with status ${last_error.status}` : "";
  const parts = [
    failing_since !== null && `Down since ${clock(failing_since)}${count}.`,
    last_error !== null && `Last error at ${clock(last_error.at)}${status}.`,
    paused_until !== null && `Next try at ${clock(paused_until)}.`,
  ];
  return parts.filter(Boolean).join(" ");
}

import type { Schemas } from "../../operations/schemas.js";
import { formatTime, plural } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { When } from "../../parts/when.js";
import { linkTo } from "../../routes/address.js";
import { May } from "../../session/session-context.js";
import { describeFailing, describeProof, TargetStateBadge } from "../target-state.js";
import { SpaceDrift } from "./accept-space.js";

interface TargetStateCellProps {
  readonly target: Schemas["TargetState"];
  readonly history: Schemas["TargetHistory"] | undefined;
  /** The links to the dialogs that try the target, and that accept its vectors. */
  readonly probe: string;
  readonly accept: string;
}

/** The state of a target, its last failure, and what an operator can do. In one cell, so that a phone shows all. */
export function TargetStateCell({ target, history, probe, accept }: TargetStateCellProps) {
  const { upstream, model, space_check } = target;
  const name = `${upstream} / ${model}`;
  return (
    <div className="target-state">
      <TargetStateBadge target={target} />
      <May call="probeTarget">
        <a className="button" href={probe}>
          Try now
          <span className="visually-hidden">{` ${name}`}</span>
        </a>
      </May>
      <div>
        <p className="quiet small">{describeFailing(target, Date.now())}</p>
        {needsProof(target) && <p className="quiet small">{describeProof(target, Date.now(), formatTime)}</p>}
        <FailedCalls target={target} history={history} />
        <SpaceDrift target={target} />
        {space_check?.drifted === true && (
          <May call="acceptSpace">
            <a className="button" href={accept}>
              Accept vectors
              <span className="visually-hidden">{` of ${name}`}</span>
            </a>
          </May>
        )}
      </div>
    </div>
  );
}

/** A target that works without traffic is not worth a sentence here. */
function needsProof({ state }: Schemas["TargetState"]): boolean {
  return state !== "healthy";
}

type FailedCallsProps = Pick<TargetStateCellProps, "target" | "history">;

/**
 * Why calls failed in the last 24 hours, and how many. The gateway sends a failed call to another target if it can, so that
 * callers need not have seen any of these failures.
 */
function FailedCalls({ target: { upstream, last_error }, history }: FailedCallsProps) {
  const [latest = last_error, ...others] = history?.failures ?? [];
  if (latest === null) return null;
  const failed = history?.half_hours.reduce((sum, one) => sum + one.failed, 0) ?? 0;
  return (
    <>
      <p className="small">
        <span className="quiet">
          Last failure, <When at={latest.at} />:
        </span>{" "}
        <Message text={latest.message} />
      </p>
      {others.length > 0 && (
        <details className="small">
          <summary>{plural(others.length, "other reason")} in 24 hours</summary>
          <ul>
            {others.map(({ at, code, status, message }) => (
              <li key={`${code} ${status}`}>
                <Message text={message} />{" "}
                <span className="quiet">
                  <When at={at} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {failed > 0 && (
        <p className="small">
          {plural(failed, "failed call")} in 24 hours.{" "}
          <a href={linkTo("/requests", { time: "24h", failed: "true", upstream })}>
            Requests that failed<span className="visually-hidden"> at {upstream}</span>
          </a>
          {" · "}
          <a href={linkTo("/requests", { time: "24h", recovered: "true", recovered_from: upstream })}>
            Requests that a retry saved<span className="visually-hidden"> after {upstream} failed</span>
          </a>
        </p>
      )}
    </>
  );
}

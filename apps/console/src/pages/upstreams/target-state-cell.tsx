import type { Schemas } from "../../operations/schemas.js";
import { Message } from "../../parts/message.js";
import { When } from "../../parts/when.js";
import { describeFailing, TargetStateBadge } from "../target-state.js";
import { SpaceDrift } from "./accept-space.js";

interface TargetStateCellProps {
  readonly target: Schemas["TargetState"];
  /** The links to the dialogs that try the target, and that accept its vectors. */
  readonly probe: string;
  readonly accept: string;
}

/** The state of a target, its last failure, and what an operator can do. In one cell, so that a phone shows all. */
export function TargetStateCell({ target, probe, accept }: TargetStateCellProps) {
  const { upstream, model, space_check, last_error } = target;
  const name = `${upstream} / ${model}`;
  return (
    <div className="target-state">
      <TargetStateBadge target={target} />
      <a className="button" href={probe}>
        Try now
        <span className="visually-hidden">{` ${name}`}</span>
      </a>
      <div>
        <p className="quiet small">{describeFailing(target, Date.now())}</p>
        {last_error !== null && (
          <p className="small">
            <span className="quiet">
              Last failure, <When at={last_error.at} />:
            </span>{" "}
            <Message text={last_error.message} />
          </p>
        )}
        <SpaceDrift target={target} />
        {space_check?.drifted === true && (
          <a className="button" href={accept}>
            Accept vectors
            <span className="visually-hidden">{` of ${name}`}</span>
          </a>
        )}
      </div>
    </div>
  );
}

import type { ShownModel } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { formatSpan } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { When } from "../../parts/when.js";
import { linkTo } from "../../routes/address.js";

interface ModelHealthProps {
  readonly model: ShownModel;
}

const tones: Readonly<Record<ShownModel["status"], Tone>> = {
  ready: "good",
  degraded: "warn",
  failing: "bad",
  unavailable: "bad",
};

export function ModelBadge({ model: { status, targets } }: ModelHealthProps) {
  // Nothing shows yet that it works.
  const isProven = status !== "ready" || !targets?.every(({ state }) => state === "unknown");
  return <Badge tone={isProven ? (tones[status] ?? "quiet") : "quiet"}>{status}</Badge>;
}

/** Which targets are down and why, and who serves instead. */
export function ModelHealth({ model }: ModelHealthProps) {
  const { id, status, failingSince, fallback, servedBy, targets } = model;
  if (status !== "failing" && status !== "degraded") return null;
  const instead = servedBy.map(({ upstream, model: name }) => `${upstream} / ${name}`);
  const isFailing = status === "failing";
  const since = failingSince === undefined ? "" : ` for ${formatSpan(Date.now() / 1000 - failingSince)}`;
  return (
    <div className="model-health">
      <p className={isFailing ? "tone-bad" : "quiet"}>
        {failingSince === undefined
          ? `Some targets are down or have drifted.${instead.length === 0 ? "" : ` Served by ${instead.join(", ")}.`}`
          : `No healthy target${since}. ${isFailing ? "Requests fail." : `${fallback} serves instead.`}`}
      </p>
      {targets !== undefined && (
        <>
          {downTargets(targets).map((target) => (
            <TargetReason key={`${target.upstream}/${target.model}`} target={target} />
          ))}
          <p className="small">
            <a href={linkTo("/requests", { model: id, failed: "true" })}>
              Its failed requests<span className="visually-hidden"> ({id})</span>
            </a>
          </p>
        </>
      )}
    </div>
  );
}

/** Targets that do not work, with the error that shows why. */
function downTargets(targets: readonly Schemas["AdminTarget"][]): readonly Schemas["AdminTarget"][] {
  return targets.filter(
    ({ serving, last_error, state }) => state === "drifted" || (!serving && last_error !== null),
  );
}

function TargetReason({ target }: { readonly target: Schemas["AdminTarget"] }) {
  const { upstream, model, state, last_error } = target;
  return (
    <p className="small">
      <a href={linkTo("/upstreams", { upstream, target: model })}>{upstream}</a>
      {": "}
      {state === "drifted" || last_error === null ? (
        "Its vectors have changed."
      ) : (
        <>
          <Message text={last_error.message} />{" "}
          <span className="quiet">
            Last failure <When at={last_error.at} />.
          </span>
        </>
      )}
    </p>
  );
}

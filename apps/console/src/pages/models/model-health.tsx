import type { ShownModel } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge } from "../../parts/badge.js";
import { formatSpan } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { When } from "../../parts/when.js";
import { linkTo } from "../../routes/address.js";

interface ModelHealthProps {
  readonly model: ShownModel;
}

export function ModelBadge({ model: { isReady, health, targets } }: ModelHealthProps) {
  if (!isReady) return <Badge tone="bad">unavailable</Badge>;
  if (health?.state === "failing") return <Badge tone="bad">failing</Badge>;
  if (health?.state === "degraded") return <Badge tone="warn">degraded</Badge>;
  // Nothing shows yet that it works.
  if (targets?.every(({ state, called }) => state !== null && !called))
    return <Badge tone="quiet">never called</Badge>;
  return <Badge tone="good">ready</Badge>;
}

/** Which targets are down and why, and who serves instead. */
export function ModelHealth({ model }: ModelHealthProps) {
  const { id, isReady, health, fallback, targets } = model;
  if (!isReady || health === undefined || health.state === "healthy") return null;
  const instead = health.served_by.map(({ upstream, model: name }) => `${upstream} / ${name}`);
  const isFailing = health.state === "failing";
  const since =
    health.failing_since === null ? "" : ` for ${formatSpan(Date.now() / 1000 - health.failing_since)}`;
  return (
    <div className="model-health">
      <p className={isFailing ? "tone-bad" : "quiet"}>
        {isFailing
          ? `No healthy target${since}. ${fallback === undefined ? "Requests fail." : `${fallback} serves instead.`}`
          : `Some targets are down. Served by ${instead.join(", ")}.`}
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
    ({ serving, last_error, state }) => !serving && (last_error !== null || state === "drifted"),
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

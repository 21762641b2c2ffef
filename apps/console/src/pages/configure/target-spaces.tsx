import { distinctTargets } from "../../operations/named-target.js";
import type { Schemas } from "../../operations/schemas.js";
import type { useProbeVectors } from "../../operations/tryUpstream.js";
import { TextField } from "../../parts/fields.js";
import { Message } from "../../parts/message.js";
import { comparedTexts } from "../space-verdict.js";
import type { DraftTarget } from "./model-draft.js";
import { hasNamedSpace, namesDiffer } from "./target-space.js";
import { compareTargets, type TargetComparison } from "./targets-to-mix.js";

interface TargetSpacesProps {
  readonly targets: readonly DraftTarget[];
  readonly space: string;
  /** A name that keeps the space that the model has now. */
  readonly suggested: string;
  /** The model that exists, so that indexes may have its vectors. */
  readonly present: Schemas["Configuration"]["models"][string] | undefined;
  readonly upstreams: Schemas["Configuration"]["upstreams"];
  /** The last comparison, maybe of other targets. */
  readonly probe: ReturnType<typeof useProbeVectors>;
  readonly fault: string | undefined;
  readonly onChange: (space: string) => void;
}

/** Whether the targets of an embedding model give the same vectors, and the name of the space that they share. */
export function TargetSpaces(props: TargetSpacesProps) {
  const { targets, space, suggested, present, upstreams, probe, fault, onChange } = props;
  const isNeeded = namesDiffer(targets);
  const name = space.trim();
  const isNew = present !== undefined && name !== suggested && (name !== "" || hasNamedSpace(targets));
  return (
    <fieldset className="group stack">
      <legend className="legend">Vector space</legend>
      <p className="small quiet">
        Any target may serve a request, so all of them must give the same vectors. Equal names and widths do
        not prove it.
      </p>
      {targets.length > 1 && (
        <Comparison
          targets={targets}
          present={present}
          upstreams={upstreams}
          probe={probe}
          joinAs={isNeeded && name === "" ? suggested : undefined}
          onJoin={onChange}
        />
      )}
      <TextField
        label={isNeeded ? "Name of the space" : "Name of the space (optional)"}
        hint={
          isNeeded
            ? "One name says that the targets are the same model under different names, so that one index may hold their vectors."
            : "Empty: the name that the targets have at their upstreams."
        }
        fault={fault}
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        placeholder={isNeeded ? suggested : ""}
        value={space}
        onChange={(event) => onChange(event.target.value)}
      />
      {isNew && (
        <p className="small tone-warn" role="status">
          The space was {suggested}. Another name starts a new one: cached vectors are not used, and requests
          with the old x-gateway-space get a 409.
        </p>
      )}
    </fieldset>
  );
}

interface ComparisonProps extends Pick<TargetSpacesProps, "targets" | "present" | "upstreams" | "probe"> {
  /** The space to offer if the vectors are the same. */
  readonly joinAs: string | undefined;
  readonly onJoin: (space: string) => void;
}

/** Embeds the doctor's texts at each target, in the configuration or not, and says whether the vectors may be mixed. */
function Comparison({ targets, present, upstreams, probe, joinAs, onJoin }: ComparisonProps) {
  const named = distinctTargets(targets.map(({ upstream, model }) => ({ upstream, model: model.trim() })));
  const requests = named.flatMap(({ upstream, model }) => {
    const entry = upstreams[upstream];
    return entry === undefined || model === ""
      ? []
      : [{ upstream: entry, name: upstream, model: { type: "embedding" as const, name: model } }];
  });
  const isComplete = requests.length === named.length && named.length > 1;
  const comparison = compareTargets(targets, { probed: probe.data, present });
  return (
    <>
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={!isComplete || probe.isPending}
          onClick={() => probe.mutate(requests)}
        >
          {probe.isPending ? "Comparing…" : "Compare the targets"}
        </button>
        <span className="small quiet">
          {isComplete
            ? `Embeds ${comparedTexts} texts at each, about 300 tokens.`
            : "Choose the upstream and the model of each target first. They must not be the same."}
        </span>
      </div>
      {comparison && <Verdict comparison={comparison} joinAs={joinAs} onJoin={onJoin} />}
    </>
  );
}

interface VerdictProps extends Pick<ComparisonProps, "joinAs" | "onJoin"> {
  readonly comparison: TargetComparison;
}

function Verdict({ comparison: { verdict, tone, outcome, probed }, joinAs, onJoin }: VerdictProps) {
  const isToJoin = outcome === "safe" && joinAs !== undefined;
  return (
    <>
      <p role="status" className={`doctor-verdict tone-${tone}`}>
        {isToJoin
          ? "Safe to mix: the targets give the same vectors, and can be joined in one space."
          : verdict}
      </p>
      {probed.map(
        ({ name, error }) =>
          error !== undefined && (
            <p key={name} className="small">
              {`${name}: `}
              <Message text={error} />
            </p>
          ),
      )}
      {isToJoin && (
        <div>
          <button type="button" className="button" onClick={() => onJoin(joinAs)}>
            Join them in the space {joinAs}
          </button>
        </div>
      )}
    </>
  );
}

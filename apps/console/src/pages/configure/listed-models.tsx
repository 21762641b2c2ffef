import { useEffect } from "react";
import { formatCount, plural } from "../../parts/format.js";
import { Fault } from "../../parts/states.js";
import { TrialResult } from "./trial.js";
import type { TrialState, Trials } from "./use-trials.js";

/** A list of models that is loaded, or has failed. */
export interface Listing extends TrialState {
  /** Lists them again. */
  readonly run: () => void;
}

interface ListingOptions {
  readonly upstream: string;
  /** The upstream as the configuration has it. Undefined if none is chosen. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  /** Whether a model is still to be chosen. */
  readonly isWanted: boolean;
}

/** Lists the models of an upstream as soon as it is chosen. That costs nothing: no model is called. */
export function useListing(trials: Trials, { upstream, entry, isWanted }: ListingOptions): Listing {
  const request = { upstream: entry ?? {}, name: upstream, list_only: true };
  const state = trials.of(request);
  const run = () => trials.run(request);
  const isNew = !state.isPending && state.data === undefined && state.error === undefined;
  const isToList = entry !== undefined && isWanted && isNew;
  useEffect(() => {
    if (isToList) run();
  }, [isToList, upstream]);
  return { ...state, run };
}

/** Of a longer list, the field finds the others. */
const shownMax = 20;

interface ListedModelsProps {
  readonly upstream: string;
  readonly names: readonly string[];
  /** The ids under which some of them are served already. */
  readonly served: ReadonlyMap<string, string>;
  readonly typed: string;
  readonly listing: Listing;
  readonly onChoose: (name: string) => void;
}

/** The models of an upstream, as choices for the field above: those that it has listed, or is known to have. */
export function ListedModels({ upstream, names, served, typed, listing, onChoose }: ListedModelsProps) {
  const newFirst = names.toSorted((one, other) => Number(served.has(one)) - Number(served.has(other)));
  const fitting = listing.data === undefined ? [] : fittingNames(newFirst, typed);
  const left = fitting.length - shownMax;
  return (
    <>
      <ListingState upstream={upstream} count={names.length} listing={listing} />
      {fitting.length > 0 && (
        <fieldset className="row bare listed" aria-label={`Models of ${upstream}`}>
          {fitting.slice(0, shownMax).map((name) => (
            <button
              key={name}
              type="button"
              className="button mono"
              aria-pressed={name === typed}
              onClick={() => onChoose(name)}
            >
              {name}
              <Added id={served.get(name)} name={name} />
            </button>
          ))}
        </fieldset>
      )}
      {left > 0 && (
        <p className="small quiet">
          And {formatCount(left)} more: type a part of a name into “Its model” to find them.
        </p>
      )}
    </>
  );
}

interface AddedProps {
  /** Undefined if no model has it as a target. */
  readonly id: string | undefined;
  readonly name: string;
}

function Added({ id, name }: AddedProps) {
  if (id === undefined) return null;
  return <span className="quiet"> {id === name ? "added" : `added as ${id}`}</span>;
}

/** All names while nothing is typed, or one of them; else those that contain it. */
function fittingNames(names: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  return names.includes(typed) ? names : names.filter((name) => name.toLowerCase().includes(wanted));
}

interface ListingStateProps extends Pick<ListedModelsProps, "upstream" | "listing"> {
  readonly count: number;
}

function ListingState({ upstream, count, listing: { data, error, isPending, run } }: ListingStateProps) {
  if (isPending)
    return (
      <p role="status" className="small quiet">
        Listing the models of {upstream}…
      </p>
    );
  if (error !== undefined) return <Fault error={error} onRetry={run} />;
  if (data === undefined) return null;
  if (data.ok && data.models?.length !== 0)
    return (
      <p role="status" className="small quiet">
        {data.models === null
          ? `${upstream} has no list of models.${count > 0 ? " Its provider is known to have these:" : ""}`
          : `${upstream} lists ${plural(count, "model")}:`}
      </p>
    );
  return (
    <>
      <TrialResult trial={data} />
      <div>
        <button type="button" className="button" onClick={run}>
          List its models again
        </button>
      </div>
    </>
  );
}

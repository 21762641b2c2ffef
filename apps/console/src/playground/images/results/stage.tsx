import { formatBytes, formatUsd, plural } from "../../../parts/format.js";
import { Panel } from "../../../parts/panel.js";
import { type ImageResult, sumCosts, usualBounds } from "./image-result.js";
import { type ImageSessionState, resultsOnShow } from "./image-session.js";
import { type ResultActions, ResultTile } from "./result-tile.js";

interface StageProps {
  readonly state: ImageSessionState;
  readonly actions: ResultActions;
  readonly onPick: (result: ImageResult) => void;
}

/** The results of the last run or the chosen ones, side by side, and all results of this tab as a strip. */
export function Stage({ state, actions, onPick }: StageProps) {
  const shown = resultsOnShow(state);
  const isFinished = shown.every((result) => result.state === "finished");
  const sum = shown.length > 1 ? sumCosts(shown) : undefined;
  return (
    <>
      <Panel
        title={shown.length > 1 ? "Results side by side" : "Result"}
        actions={sum !== undefined && <span className="small quiet">{formatUsd(sum)} together</span>}
      >
        {shown.length === 0 && <div className="image-place">The image appears here.</div>}
        <div className={shown.length > 1 ? "result-tiles several" : "result-tiles"}>
          {shown.map((result) => (
            <ResultTile
              key={result.id}
              result={result}
              isPinned={state.pinned.includes(result.id)}
              actions={actions}
            />
          ))}
        </div>
        {shown.length === 1 && isFinished && (
          <p className="small quiet after-tiles">Pin a result, and the next one appears beside it.</p>
        )}
      </Panel>
      <SessionStrip state={state} shown={shown} onPick={onPick} />
    </>
  );
}

interface SessionStripProps {
  readonly state: ImageSessionState;
  readonly shown: readonly ImageResult[];
  readonly onPick: (result: ImageResult) => void;
}

/** The newest result first. */
function SessionStrip({ state: { results, pinned, removedCount }, shown, onPick }: SessionStripProps) {
  const { resultsMax, bytesMax } = usualBounds;
  const finished = results.flatMap((result) => {
    const first = result.images.find(({ isFinished }) => isFinished);
    return first === undefined ? [] : [{ result, image: first.image }];
  });
  if (finished.length === 0) return null;
  return (
    <Panel title="This session">
      <ul className="strip" aria-label="Results of this session">
        {finished.toReversed().map(({ result, image }) => (
          <li key={result.id}>
            <button type="button" aria-pressed={shown.includes(result)} onClick={() => onPick(result)}>
              <img src={image.url} alt={`${result.settings.model}: ${result.settings.prompt}`} />
              {pinned.includes(result.id) && <span className="pin-mark">Pinned</span>}
            </button>
          </li>
        ))}
      </ul>
      <p className="small quiet" role="status">
        {removedCount === 0
          ? "Kept in this tab until you sign out or close it."
          : `The oldest ${plural(removedCount, "result")} left the strip: it keeps ${resultsMax} results and ${formatBytes(bytesMax)}.`}
      </p>
    </Panel>
  );
}

import { useState } from "react";
import { saveFile } from "../../../parts/download.js";
import { Panel } from "../../../parts/panel.js";
import { Fault } from "../../../parts/states.js";
import { FactsLine } from "../../facts-line.js";
import { LensPanel, type SentEdit } from "../mask/lens-panel.js";
import type { OpenedImage } from "../opened-image.js";
import type { Run, Shown } from "./use-images.js";

interface ImageResultProps {
  readonly run: Run;
  readonly sent: SentEdit | undefined;
  /** Undefined if the model cannot edit. */
  readonly onEdit: ((image: OpenedImage) => void) | undefined;
}

/** The newest image, and every one that came before it as a strip. */
export function ImageResult({ run, sent, onEdit }: ImageResultProps) {
  const [picked, pick] = useState<Shown>();
  const { shown, facts, error, isRunning, wasStopped } = run;
  const current = shown.find((one) => one === picked) ?? shown.at(-1);
  return (
    <Panel title="Result">
      <div className="stack">
        {current === undefined ? (
          <div className="image-place">{isRunning ? "Creating…" : "The image appears here."}</div>
        ) : (
          <img
            className="shown-image"
            src={current.image.url}
            alt={current.isFinished ? "The result" : "Unfinished result"}
            width={current.image.width}
            height={current.image.height}
          />
        )}
        <p role="status" className="small quiet">
          {current !== undefined && describeStage(current)}
          {wasStopped && " Stopped. The upstream may charge for it all the same."}
        </p>
        {error !== undefined && <Fault error={error} />}
        {shown.length > 1 && <Strip shown={shown} current={current} onPick={pick} />}
        {current?.isFinished === true && (
          <div className="row">
            {onEdit !== undefined && (
              <button type="button" className="button" onClick={() => onEdit(current.image)}>
                Edit this one
              </button>
            )}
            <button type="button" className="button" onClick={() => save(current.image)}>
              Save
            </button>
          </div>
        )}
        {current?.isFinished === true && sent !== undefined && (
          <LensPanel key={current.id} sent={sent} result={current.image} />
        )}
        {facts !== undefined && <FactsLine facts={facts} also={[]} />}
      </div>
    </Panel>
  );
}

function describeStage({ isFinished, id, afterMs }: Shown): string {
  const seconds = `${(afterMs / 1000).toFixed(1)} s`;
  return isFinished ? `Finished after ${seconds}.` : `Unfinished image ${id + 1}, after ${seconds}.`;
}

function save({ blob }: OpenedImage): void {
  saveFile(`image.${blob.type.replace("image/", "")}`, blob);
}

interface StripProps {
  readonly shown: readonly Shown[];
  readonly current: Shown | undefined;
  readonly onPick: (shown: Shown) => void;
}

function Strip({ shown, current, onPick }: StripProps) {
  return (
    <ul className="strip" aria-label="Images so far">
      {shown.map((one) => (
        <li key={one.id}>
          <button type="button" aria-pressed={one === current} onClick={() => onPick(one)}>
            <img
              src={one.image.url}
              alt={`${one.isFinished ? "Finished" : "Unfinished"}, number ${one.id + 1}`}
            />
          </button>
        </li>
      ))}
    </ul>
  );
}

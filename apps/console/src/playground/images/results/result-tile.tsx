import { GatewayRequestError } from "@model-gateway/client";
import { useMemo, useState } from "react";
import { saveFile } from "../../../parts/download.js";
import { type Fact, Facts } from "../../../parts/facts.js";
import { Money } from "../../../parts/money.js";
import { Fault } from "../../../parts/states.js";
import { FactsLine } from "../../facts-line.js";
import type { OpenedImage } from "../../opened-image.js";
import { LensPanel } from "../mask/lens-panel.js";
import { maskOf } from "../mask/mask-of.js";
import { describeOptions, type ImageEdit, type ImageResult, type ShownImage } from "./image-result.js";

/** Actions on a result. */
export interface ResultActions {
  readonly onPin: (result: ImageResult) => void;
  /** Fills in the prompt, the model and the options of the result. */
  readonly onReuse: (result: ImageResult) => void;
  /** Undefined if the chosen models cannot edit. */
  readonly onEdit: ((image: OpenedImage) => void) | undefined;
}

interface ResultTileProps {
  readonly result: ImageResult;
  readonly isPinned: boolean;
  readonly actions: ResultActions;
}

/** One result: its image, and below it the request, the cost and the facts of the response. */
export function ResultTile({ result, isPinned, actions }: ResultTileProps) {
  const [picked, pick] = useState<ShownImage>();
  const { settings, images, state, facts, error } = result;
  const current = images.find((one) => one === picked) ?? images.at(-1);
  return (
    <article className="result-tile" aria-label={`${settings.model}: ${settings.prompt}`}>
      {current !== undefined && <LargeImage shown={current} />}
      {current === undefined && state === "running" && <div className="image-place">Generating…</div>}
      <p role="status" className="small quiet">
        {current !== undefined && describeStage(current, images)}
        {state === "stopped" && " Stopped. The upstream may charge for it all the same."}
      </p>
      {error !== undefined && <Failure error={error} />}
      {images.length > 1 && <Steps images={images} current={current} onPick={pick} />}
      <Facts facts={describeResult(result)} />
      {facts !== undefined && <FactsLine facts={facts} also={[]} />}
      <Actions result={result} current={current} isPinned={isPinned} actions={actions} />
      {current?.isFinished === true && settings.edit !== undefined && settings.edit.strokes.length > 0 && (
        <Lens key={current.image.url} edit={settings.edit} result={current.image} />
      )}
    </article>
  );
}

function LargeImage({ shown: { image, isFinished } }: { readonly shown: ShownImage }) {
  return (
    <img
      className="shown-image"
      src={image.url}
      alt={isFinished ? "The result" : "Unfinished result"}
      width={image.width}
      height={image.height}
    />
  );
}

function describeStage(current: ShownImage, images: readonly ShownImage[]): string {
  const seconds = `${(current.afterMs / 1000).toFixed(1)} s`;
  return current.isFinished
    ? `Finished after ${seconds}.`
    : `Unfinished image ${images.indexOf(current) + 1}, after ${seconds}.`;
}

function describeResult({ settings, state, costUsd }: ImageResult): readonly Fact[] {
  const cost = costUsd === undefined ? "…" : <Money usd={costUsd} />;
  return [
    ["Prompt", settings.prompt],
    [
      "Model",
      <span key="model" className="mono">
        {settings.model}
      </span>,
    ],
    ["Options", describeOptions(settings)],
    ...(state === "finished" ? ([["Cost", cost]] as const) : []),
  ];
}

/** A browser reports a lost connection as a `TypeError`. Other errors say what is wrong with the image. */
function Failure({ error }: { readonly error: Error }) {
  if (error instanceof GatewayRequestError || error instanceof TypeError) return <Fault error={error} />;
  return (
    <p className="fault" role="alert">
      {error.message}
    </p>
  );
}

interface ActionsProps extends ResultTileProps {
  readonly current: ShownImage | undefined;
}

function Actions({ result, current, isPinned, actions: { onPin, onReuse, onEdit } }: ActionsProps) {
  const finished = current?.isFinished === true ? current.image : undefined;
  return (
    <div className="row">
      {finished !== undefined && (
        <button type="button" className="button" aria-pressed={isPinned} onClick={() => onPin(result)}>
          {isPinned ? "Pinned" : "Pin"}
        </button>
      )}
      {result.state !== "running" && (
        <button type="button" className="button" onClick={() => onReuse(result)}>
          Use these settings
        </button>
      )}
      {finished !== undefined && onEdit !== undefined && (
        <button type="button" className="button" onClick={() => onEdit(finished)}>
          Edit this one
        </button>
      )}
      {finished !== undefined && (
        <button type="button" className="button" onClick={() => save(finished)}>
          Save
        </button>
      )}
    </div>
  );
}

function save({ blob }: OpenedImage): void {
  saveFile(`image.${blob.type.replace("image/", "")}`, blob);
}

interface StepsProps {
  readonly images: readonly ShownImage[];
  readonly current: ShownImage | undefined;
  readonly onPick: (shown: ShownImage) => void;
}

/** All images of one result, partial ones included. */
function Steps({ images, current, onPick }: StepsProps) {
  return (
    <ul className="strip" aria-label="Images so far">
      {images.map((one, at) => (
        <li key={one.image.url}>
          <button type="button" aria-pressed={one === current} onClick={() => onPick(one)}>
            <img
              src={one.image.url}
              alt={`${one.isFinished ? "Finished" : "Unfinished"}, number ${at + 1}`}
            />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Lens({
  edit: { source, strokes },
  result,
}: {
  readonly edit: ImageEdit;
  readonly result: OpenedImage;
}) {
  const sent = useMemo(() => ({ source, mask: maskOf(strokes, source) }), [source, strokes]);
  return <LensPanel sent={sent} result={result} />;
}

import { type ReactNode, useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { Code } from "../../parts/code-sample.js";
import { Diff } from "../../parts/diff.js";
import { Panel } from "../../parts/panel.js";
import { Fault, Loading } from "../../parts/states.js";
import { MixNotice } from "./mix-notice.js";
import { ModelPrices } from "./model-prices.js";
import { StoredSecrets } from "./stored-secrets.js";
import type { MixWarning } from "./targets-to-mix.js";
import { FailedTrial } from "./trial.js";
import type { Review } from "./use-review.js";

interface ReviewedProps {
  readonly review: Review;
  readonly configuration: Pick<Schemas["Configuration"], "not_editable_reason">;
}

interface ReviewStepProps extends ReviewedProps {
  readonly back: ReactNode;
  /** Why the last trial before it failed, if it did. */
  readonly failed: string | undefined;
  /** The reason why the targets of the model may not belong together. */
  readonly mix?: MixWarning | undefined;
}

/** The exact change to the file, and the button that makes it, or the lines to paste. */
export function ReviewStep({ back, failed, mix, ...reviewed }: ReviewStepProps) {
  const [isMixAccepted, setMixAccepted] = useState(false);
  const { review } = reviewed;
  const file = review.previewed?.file ?? "the file";
  return (
    <>
      {failed !== undefined && <FailedTrial reason={failed} />}
      {mix && <MixNotice warning={mix} />}
      <Panel title={obstacleOf(reviewed) === undefined ? `Change to ${file}` : "Paste these lines yourself"}>
        <ReviewedChange {...reviewed} />
      </Panel>
      {mix?.isDifferent && canApply(reviewed) && (
        <label className="check">
          <input
            type="checkbox"
            checked={isMixAccepted}
            onChange={(event) => setMixAccepted(event.target.checked)}
          />
          I know that their vectors may not be comparable
        </label>
      )}
      <div className="row">
        {canApply(reviewed) && (
          <button
            type="button"
            className="button primary"
            disabled={
              review.isApplying ||
              review.isChecking ||
              review.isOutdated ||
              (mix?.isDifferent === true && !isMixAccepted)
            }
            onClick={review.apply}
          >
            {review.isApplying ? "Applying…" : "Apply"}
          </button>
        )}
        {back}
      </div>
    </>
  );
}

/** The diff, or the lines to paste, and what stands against the change. */
export function ReviewedChange(reviewed: ReviewedProps) {
  const { previewed, isChecking, isOutdated, checkError, applyError, checkAgain } = reviewed.review;
  if (checkError !== null) return <Fault error={checkError} />;
  if (previewed === undefined) return <Loading />;
  const obstacle = obstacleOf(reviewed);
  return (
    <div className="stack">
      {previewed.diff === "" && obstacle !== "unsupported_yaml" ? (
        <p role="status">This changes nothing.</p>
      ) : obstacle === undefined ? (
        <Diff text={previewed.diff} label={`The change to ${previewed.file}`} />
      ) : (
        <PasteInstead change={previewed} obstacle={obstacle} />
      )}
      {obstacle === undefined && <StoredSecrets change={previewed} />}
      <ModelPrices models={previewed.models} />
      {isOutdated && (
        <div className="notice" role="alert">
          <p>
            The file was changed in the meantime. Nothing was written, and nothing that you typed is lost.
          </p>
          <button type="button" className="button" disabled={isChecking} onClick={checkAgain}>
            {isChecking ? "Reloading…" : "Reload and review again"}
          </button>
        </div>
      )}
      {applyError !== null && <Fault error={applyError} />}
    </div>
  );
}

export function canApply(reviewed: ReviewedProps): boolean {
  const { previewed, checkError } = reviewed.review;
  return checkError === null && (previewed?.diff ?? "") !== "" && obstacleOf(reviewed) === undefined;
}

type Obstacle = Exclude<Schemas["ConfigurationChange"]["not_applied_reason"], "dry_run" | null>;

/** Why the file cannot be changed by the gateway. */
function obstacleOf({ review, configuration }: ReviewedProps): Obstacle | undefined {
  const { outcome, previewed } = review;
  const reasons = [
    outcome?.not_applied_reason,
    configuration.not_editable_reason,
    previewed?.not_applied_reason,
  ];
  return reasons.find((reason) => reason != null && reason !== "dry_run");
}

const sentences: Readonly<Record<Obstacle, (file: string) => string>> = {
  disabled: () => "The configuration does not let the console change it.",
  shared_deployment: () =>
    "Several gateways may share this configuration, so its file belongs to the deployment. Change it there, and roll it out.",
  read_only_file: (file) => `The gateway may not write ${file}.`,
  linked_file: (file) => `${file} is a link or a mount, which the gateway cannot replace.`,
  unsupported_yaml: (file) => `The entry cannot be changed in place, because of the way ${file} is written.`,
};

interface PasteInsteadProps {
  readonly change: Schemas["ConfigurationChange"];
  readonly obstacle: Obstacle;
}

/** For a file that the gateway cannot write: why, the lines to paste, and how to pass a secret. */
function PasteInstead({ change: { file, lines, diff }, obstacle }: PasteInsteadProps) {
  const variables = [...new Set([...lines.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name))];
  return (
    <>
      <p role="status">{sentences[obstacle]?.(file) ?? "The gateway cannot change the file."}</p>
      {lines === "" ? (
        <Diff text={diff} label={`The change to ${file}`} />
      ) : (
        <Code text={lines} label={`The lines for ${file}`} />
      )}
      {variables.length > 0 && (
        <p>
          A key stays out of the file. Set it in the environment of the gateway, and restart the gateway:{" "}
          {variables.map((name, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <code>{name}</code>
            </span>
          ))}
          .
        </p>
      )}
      {lines !== "" && diff !== "" && (
        <details>
          <summary>Show it as a diff</summary>
          <Diff text={diff} label={`The change to ${file}`} />
        </details>
      )}
    </>
  );
}

import type { Schemas } from "../../operations/schemas.js";
import { Badge } from "../../parts/badge.js";
import { Panel } from "../../parts/panel.js";
import { linkTo } from "../../routes/address.js";
import { CompareTargets } from "../compare-targets.js";
import { modelKinds } from "../models/model-kinds.js";
import { MixNotice } from "./mix-notice.js";
import type { ModelType } from "./model-choices.js";
import { StoredSecrets } from "./stored-secrets.js";
import type { MixWarning } from "./targets-to-mix.js";
import { FailedTrial } from "./trial.js";

interface AppliedModel {
  readonly id: string;
  readonly type: ModelType | undefined;
  /** Whether it has targets whose vectors can be compared. */
  readonly hasVectorsToCompare?: boolean;
}

interface AppliedProps {
  readonly outcome: Schemas["ConfigurationChange"];
  /** A sentence that says which change was made. */
  readonly done: string;
  /** The models to go to. */
  readonly models: readonly AppliedModel[];
  /** Why the last trial before it failed, if it did. */
  readonly failed?: string | undefined;
  /** The reason why the targets of the model may not belong together. */
  readonly mix?: MixWarning | undefined;
}

/** The change is in the file: where to go now. */
export function Applied({ outcome, done, models, failed, mix }: AppliedProps) {
  const { file, in_force } = outcome;
  return (
    <Panel title="Applied">
      <div className="stack">
        <p role="status">
          <Badge tone="good">{done}</Badge>
        </p>
        <p>
          The change is in <code>{file}</code>.{" "}
          {in_force
            ? "It is in force."
            : "The gateway is still reading it. The pages will show it in a moment."}
        </p>
        <StoredSecrets change={outcome} />
        {failed !== undefined && <FailedTrial reason={failed} />}
        {mix && <MixNotice warning={mix} />}
        {models.length > 0 && (
          <ul className="applied">
            {models.map(({ id, type, hasVectorsToCompare }) => (
              <li key={id} className="row">
                <span className="mono">{id}</span>
                {/* An id with a * has no model of its own to try. */}
                {!id.includes("*") && type && (
                  <a className="button" href={linkTo(modelKinds[type].playground, { model: id })}>
                    Try it in the playground
                    <span className="visually-hidden">{` ${id}`}</span>
                  </a>
                )}
                {!id.includes("*") && hasVectorsToCompare === true && <CompareTargets model={id} />}
                {!id.includes("*") && (
                  <a className="button" href={linkTo("/models", { model: id, use: id })}>
                    Use it in code
                    <span className="visually-hidden">{` ${id}`}</span>
                  </a>
                )}
                <a className="button" href={linkTo("/models", { model: id })}>
                  See the model
                  <span className="visually-hidden">{` ${id}`}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
        <div className="row">
          <a href={linkTo("/upstreams")}>All upstreams</a>
          <a href={linkTo("/models")}>All models</a>
        </div>
      </div>
    </Panel>
  );
}

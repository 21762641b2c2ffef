import type { KeyboardEvent } from "react";
import { plural } from "../../parts/format.js";
import { Panel } from "../../parts/panel.js";
import { SourceField } from "./mask/source-field.js";
import { ModelList } from "./model-list.js";
import { describeSum } from "./options/image-price.js";
import { pricesOf } from "./prepare-requests.js";
import { PromptList } from "./prompt-list.js";
import type { Playground } from "./use-playground.js";

/** The prompts, the models that get them, and the button that runs them. */
export function PromptPanel({
  playground,
  formId,
}: {
  readonly playground: Playground;
  readonly formId: string;
}) {
  const { models, chosen, draft, image, isRunning, canRun } = playground;
  return (
    <Panel title="Prompt and model">
      <form
        id={formId}
        className="stack"
        onKeyDown={submitOnControlEnter}
        onSubmit={(event) => {
          event.preventDefault();
          playground.submit();
        }}
      >
        <PromptList prompts={draft.prompts} onChange={(prompts) => playground.change({ prompts })} />
        <ModelList models={models} chosen={chosen} onChange={playground.chooseModels} />
        <div className="row">
          <button type="submit" className="button primary" disabled={!canRun}>
            {labelOf(playground)}
          </button>
          {isRunning && (
            <button type="button" className="button" onClick={playground.stop}>
              Stop
            </button>
          )}
          {image.edits && (
            <SourceField hasSource={draft.source !== undefined} onChange={playground.openSource} />
          )}
        </div>
        {draft.source !== undefined && !image.edits && (
          <p className="small quiet">
            {chosen.length > 1
              ? "Not every chosen model edits images"
              : `${chosen[0].id} does not edit images`}
            . The image to edit is kept, and not sent.
          </p>
        )}
      </form>
    </Panel>
  );
}

/** The number of images and the expected cost. One image needs no number. */
function labelOf({ settings, chosen }: Pick<Playground, "settings" | "chosen">): string {
  const verb = settings[0]?.edit === undefined ? "Generate" : "Edit";
  const count = settings.reduce((sum, { sent }) => sum + Number(sent.n ?? 1), 0);
  const cost = describeSum(pricesOf(settings, chosen));
  return [count === 1 ? verb : `${verb} ${plural(count, "image")}`, cost].filter(Boolean).join(", ");
}

function submitOnControlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}

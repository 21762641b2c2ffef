import type { Schemas } from "../../../operations/schemas.js";
import { Panel } from "../../../parts/panel.js";
import type { Draft } from "../results/image-session.js";
import { ImageOptions } from "./image-options.js";

interface OptionsPanelProps {
  readonly image: Schemas["ImageCapabilities"];
  /** Formats of the models that this page does not offer. */
  readonly hiddenFormats: readonly string[];
  readonly draft: Draft;
  /** The form that sends the options. */
  readonly formId: string;
  readonly onChange: (draft: Partial<Draft>) => void;
}

export function OptionsPanel({ image, hiddenFormats, draft, formId, onChange }: OptionsPanelProps) {
  return (
    <Panel title="Options">
      <div className="stack">
        {draft.models.length > 1 && <p className="small quiet">The options that all chosen models take.</p>}
        <div className="form-grid">
          <ImageOptions
            image={image}
            chosen={draft.chosen}
            formId={formId}
            onChange={(chosen) => onChange({ chosen })}
          />
        </div>
        {hiddenFormats.length > 0 && (
          <p className="small quiet">
            This page cannot show {hiddenFormats.join(" and ")}. Requests through the API can ask for it.
          </p>
        )}
        {image.streaming && (
          <div>
            <label className="check">
              <input
                type="checkbox"
                checked={draft.wantsPartials}
                onChange={(event) => onChange({ wantsPartials: event.target.checked })}
              />
              Partial images
            </label>
            <p className="small quiet">
              Show the image while it is generated. Some providers charge for each partial image.
            </p>
          </div>
        )}
      </div>
    </Panel>
  );
}

import { useId } from "react";
import { type ShownModel, useListModels } from "../../operations/listModels.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Loaded } from "../../parts/states.js";
import { useAddress } from "../../routes/address.js";
import { chooseModel } from "../model-select.js";
import { MaskBrush } from "./mask/mask-brush.js";
import { hiddenFormats } from "./options/common-capabilities.js";
import { OptionsPanel } from "./options/options-panel.js";
import { editOf, type ImageModel, modelsOf } from "./prepare-requests.js";
import { PromptPanel } from "./prompt-panel.js";
import type { ImageResult } from "./results/image-result.js";
import { useImageSession } from "./results/kept-images.js";
import { Stage } from "./results/stage.js";
import { type Playground, usePlayground } from "./use-playground.js";

export default function ImagesPage() {
  const models = useListModels();
  const wanted = useAddress().query.get("model");
  const { draft } = useImageSession().state;
  return (
    <Page title="Images" lead="Generate images from a prompt, edit them, and compare prompts and models.">
      <Loaded query={models}>
        {(all) => {
          const { models: usable, chosen } = chooseModel(all, "image", wanted);
          const imageModels = usable.filter(isImageModel);
          const first = imageModels.find(({ id }) => id === chosen?.id);
          if (first === undefined) return <Empty>This key may call no image model.</Empty>;
          return (
            <ImagesPlayground models={imageModels} chosen={modelsOf(draft, imageModels, { wanted, first })} />
          );
        }}
      </Loaded>
    </Page>
  );
}

function isImageModel(model: ShownModel): model is ImageModel {
  return model.image !== undefined;
}

/** The result comes before the options: on a phone it follows the button. */
function ImagesPlayground(props: Parameters<typeof usePlayground>[0]) {
  const { session, state } = useImageSession();
  const playground = usePlayground(props);
  const formId = useId();
  const { image, draft, change, editResult, dialog } = playground;
  const reuse = (result: ImageResult) => {
    playground.reuse(result);
    document.getElementById(formId)?.querySelector("textarea")?.focus();
  };
  return (
    <div className="images-page">
      <div className="stack">
        <PromptPanel playground={playground} formId={formId} />
        <EditPanel playground={playground} />
        <Stage
          state={state}
          onPick={({ id }) => session.pick(id)}
          actions={{
            onPin: ({ id }) => session.togglePin(id),
            onReuse: reuse,
            onEdit: image.edits ? editResult : undefined,
          }}
        />
      </div>
      <OptionsPanel
        image={image}
        hiddenFormats={hiddenFormats(props.chosen.map((model) => model.image))}
        draft={draft}
        formId={formId}
        onChange={change}
      />
      {dialog}
    </div>
  );
}

/** The image to edit, with a brush where the models take a mask. */
function EditPanel({ playground: { draft, image, change } }: { readonly playground: Playground }) {
  const edit = editOf({ draft, image });
  if (edit === undefined) return null;
  return (
    <Panel title="Image to edit">
      {image.mask ? (
        <MaskBrush image={edit.source} strokes={draft.strokes} onChange={(strokes) => change({ strokes })} />
      ) : (
        <div className="stack">
          <img className="shown-image" src={edit.source.url} alt="The one to edit" />
          <p className="small quiet">The chosen model takes no mask.</p>
        </div>
      )}
    </Panel>
  );
}

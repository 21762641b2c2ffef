import { useState } from "react";
import { type ShownModel, useListModels } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import { TextArea } from "../../parts/fields.js";
import { formatUsd } from "../../parts/format.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Loaded } from "../../parts/states.js";
import { useAddress } from "../../routes/address.js";
import { chooseModel, ModelSelect } from "../model-select.js";
import type { SentEdit } from "./mask/lens-panel.js";
import { MaskBrush } from "./mask/mask-brush.js";
import { maskOf, maskPixels, type Stroke } from "./mask/mask-of.js";
import { SourceField } from "./mask/source-field.js";
import { type OpenedImage, pngOf } from "./opened-image.js";
import { type ChosenOptions, ImageOptions, readOptions } from "./options/image-options.js";
import { imagePrice } from "./options/image-price.js";
import { ImageResult } from "./results/image-result.js";
import { useImages } from "./results/use-images.js";

/** Number of partial images to request from a model that streams. */
const partialImages = 2;

export default function ImagesPage() {
  const models = useListModels();
  const wanted = useAddress().query.get("model");
  return (
    <Page title="Images" lead="Create an image from a prompt, or paint an area and edit it.">
      <Loaded query={models}>
        {(all) => {
          const { models: usable, chosen } = chooseModel(all, "image", wanted);
          if (chosen?.image === undefined) return <Empty>This key may call no image model.</Empty>;
          return <Playground models={usable} model={chosen} image={chosen.image} />;
        }}
      </Loaded>
    </Page>
  );
}

interface PlaygroundProps {
  readonly models: readonly ShownModel[];
  readonly model: ShownModel;
  readonly image: Schemas["ImageCapabilities"];
}

function Playground({ models, model, image }: PlaygroundProps) {
  const [prompt, setPrompt] = useState("a red fox in the snow");
  const [chosen, setChosen] = useState<ChosenOptions>({});
  const [edited, setEdited] = useState<OpenedImage>();
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [sent, setSent] = useState<SentEdit>();
  const { run, start, stop } = useImages();
  const options = readOptions(chosen, image);
  const source = image.edits ? edited : undefined;
  const price = imagePrice(model.targets, {
    size: String(options.size ?? "auto"),
    quality: String(options.quality ?? "auto"),
    count: Number(options.n ?? 1),
  });

  const edit = (next: OpenedImage | undefined) => {
    setEdited(next);
    setStrokes([]);
  };
  const submit = async () => {
    const mask = source && image.mask && strokes.length > 0 ? maskOf(strokes, source) : undefined;
    setSent(source && mask && { source, mask });
    await start({
      model: model.id,
      prompt,
      options,
      partialImages: image.streaming ? partialImages : undefined,
      ...(source && { image: source.blob }),
      ...(source && mask && { mask: await pngOf(maskPixels(mask), source) }),
    });
  };
  const verb = source === undefined ? "Create" : "Edit";
  return (
    <div className="split">
      <Panel title={verb}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <ModelSelect models={models} chosen={model} />
          <TextArea
            label="Prompt"
            rows={3}
            required
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
          <ImageOptions image={image} chosen={chosen} onChange={setChosen} />
          <div className="row">
            <button type="submit" className="button primary" disabled={run.isRunning || prompt.trim() === ""}>
              {price === undefined ? verb : `${verb}, about ${formatUsd(price)}`}
            </button>
            {run.isRunning && (
              <button type="button" className="button" onClick={stop}>
                Stop
              </button>
            )}
          </div>
        </form>
        {image.edits && (
          <div className="stack source">
            <SourceField hasSource={source !== undefined} onChange={edit} />
            {source !== undefined && image.mask && (
              <MaskBrush image={source} strokes={strokes} onChange={setStrokes} />
            )}
            {source !== undefined && !image.mask && (
              <>
                <img className="shown-image" src={source.url} alt="The one to edit" />
                <p className="small quiet">This model takes no mask.</p>
              </>
            )}
          </div>
        )}
      </Panel>
      <ImageResult run={run} sent={sent} onEdit={image.edits ? edit : undefined} />
    </div>
  );
}

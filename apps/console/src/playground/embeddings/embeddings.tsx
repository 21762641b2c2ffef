import { type KeyboardEvent, useState } from "react";
import { type Embedded, useCreateEmbedding } from "../../operations/createEmbedding.js";
import { type ShownModel, useListModels } from "../../operations/listModels.js";
import { hasVectorsToCompare, nameTarget } from "../../operations/named-target.js";
import { CopyButton } from "../../parts/copy.js";
import { optionsOf, SelectField, TextArea, TextField } from "../../parts/fields.js";
import { formatCount, formatUsd, plural } from "../../parts/format.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { linkTo, useAddress } from "../../routes/address.js";
import { FactsLine } from "../facts-line.js";
import { chooseModel, ModelSelect } from "../model-select.js";
import { ComparisonPanels } from "./comparison.js";
import { faultOf, ImageInputs, type ImageToEmbed, LeftOutImages, useFreedImages } from "./image-inputs.js";

/** A browser compares this many in half a second, and more dots cannot be told apart. */
const inputsMax = 500;
/** A response with more vectors would hold up the page while it is read. */
const batchMax = 128;

const firstTexts = `The cat sleeps on the sofa.
A kitten naps on the couch.
Stock prices fell on Monday.
The market dropped at the start of the week.
How do I reset my password?
I forgot my login and need a new one.`;

export default function EmbeddingsPage() {
  const models = useListModels();
  const wanted = useAddress().query.get("model");
  return (
    <Page title="Embeddings" lead="Turn texts and images into vectors, and compare them.">
      <Loaded query={models}>
        {(all) => {
          const { models: usable, chosen } = chooseModel(all, "embedding", wanted);
          if (chosen === undefined) return <Empty>This key may call no embedding model.</Empty>;
          return <Playground models={usable} model={chosen} />;
        }}
      </Loaded>
    </Page>
  );
}

function Playground({
  models,
  model,
}: {
  readonly models: readonly ShownModel[];
  readonly model: ShownModel;
}) {
  const [text, setText] = useState(firstTexts);
  const [images, setImages] = useState<readonly ImageToEmbed[]>([]);
  const [dimensions, setDimensions] = useState("");
  const [inputType, setInputType] = useState("");
  const embed = useCreateEmbedding();
  // Those of the last request are shown with its result, which may be still to come.
  useFreedImages([...images, ...(embed.variables?.inputs ?? [])]);
  const { matryoshka = false, input_type_values = [], dimensions: width } = model.embedding ?? {};
  const limits = model.embedding?.input_images ?? undefined;
  const texts = text.split("\n").filter((line) => line.trim() !== "");
  const inputs = [...texts.map((line) => ({ text: line })), ...(limits === undefined ? [] : images)];
  const isRefused = limits !== undefined && images.some((image) => faultOf(image, limits) !== undefined);
  const canEmbed = inputs.length > 0 && inputs.length <= inputsMax && !isRefused && !embed.isPending;
  const run = () => {
    if (!canEmbed) return;
    embed.mutate({
      batchSize: Math.min(batchMax, model.embedding?.max_inputs ?? batchMax),
      model: model.id,
      inputs,
      ...(matryoshka && dimensions !== "" && { dimensions: Number(dimensions) }),
      ...(input_type_values.includes(inputType) && { input_type: inputType }),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  };
  return (
    <div className="split">
      <Panel title={limits === undefined ? "Texts" : "Texts and images"}>
        <div className="stack">
          <ModelSelect models={models} chosen={model} />
          {hasVectorsToCompare(model) && (
            <p className="small">
              <a href={linkTo("/upstreams", { examine: model.id })}>Compare targets</a>
            </p>
          )}
          <TextArea
            label="One text a line"
            rows={9}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            {...(inputs.length > inputsMax
              ? {
                  fault: `At most ${inputsMax} inputs are compared here. These are ${formatCount(inputs.length)}.`,
                }
              : { hint: plural(texts.length, "text") })}
          />
          {limits === undefined ? (
            <LeftOutImages model={model.id} count={images.length} />
          ) : (
            <ImageInputs
              images={images}
              limits={limits}
              room={Math.max(0, inputsMax - inputs.length)}
              onChange={setImages}
            />
          )}
          {matryoshka && (
            <TextField
              label="Dimensions"
              type="number"
              min="1"
              {...(width != null && { max: width, placeholder: String(width) })}
              value={dimensions}
              onChange={(event) => setDimensions(event.target.value)}
            />
          )}
          {input_type_values.length > 0 && (
            <SelectField
              label="Input type"
              value={inputType}
              options={[{ value: "", label: "Not said" }, ...optionsOf(input_type_values)]}
              onChange={setInputType}
            />
          )}
          <div className="row">
            <button type="button" className="button primary" disabled={!canEmbed} onClick={run}>
              {embed.isPending ? "Embedding…" : "Embed"}
            </button>
            <span className="small quiet">
              <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </span>
          </div>
          {embed.error !== null && <Fault error={embed.error} />}
          {embed.data !== undefined && <Facts embedded={embed.data} model={model} />}
        </div>
      </Panel>
      <div className="stack">
        {embed.data === undefined ? (
          <Panel title="Similarity">
            <Empty>The cosines and a map of the inputs appear here.</Empty>
          </Panel>
        ) : (
          <ComparisonPanels embedded={embed.data} />
        )}
      </div>
    </div>
  );
}

function Facts({ embedded, model }: { readonly embedded: Embedded; readonly model: ShownModel }) {
  const { inputs, vectors, tokens, facts, requests } = embedded;
  const [target, ...others] = model.targets?.filter(({ upstream }) => upstream === facts.upstream) ?? [];
  // An image may have another price than its tokens.
  const [price] = inputs.some(({ image }) => image !== undefined) ? [] : (target?.pricing ?? []);
  const also = [
    `${plural(vectors.length, "vector")} of ${vectors[0]?.length ?? 0} numbers`,
    plural(tokens, "token"),
    ...(requests > 1 ? [plural(requests, "request")] : []),
    ...(price === undefined || price.usd === 0
      ? []
      : [`about ${formatUsd((tokens * price.usd) / price.per)}`]),
  ];
  return (
    <div>
      <FactsLine
        facts={facts}
        also={also}
        // The response names the upstream alone, which may have several of the model's targets.
        target={target === undefined || others.length > 0 ? undefined : nameTarget(target)}
      />
      <div className="facts-line">
        <span className="copy-line">
          Vectors as JSON
          <CopyButton
            text={() => JSON.stringify(vectors.map((vector) => Array.from(vector)))}
            label="Copy the vectors as JSON"
          />
        </span>
      </div>
    </div>
  );
}

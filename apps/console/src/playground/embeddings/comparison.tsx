import { useMemo, useState } from "react";
import type { Embedded } from "../../operations/createEmbedding.js";
import type { InputToEmbed } from "../../operations/embedding-inputs.js";
import { Panel } from "../../parts/panel.js";
import { Empty } from "../../parts/states.js";
import { HeatMap } from "./heat-map.js";
import { NeighboursPanel, PairsPanel } from "./neighbour-tables.js";
import { groupedOrder, neighboursOf } from "./neighbours.js";
import { SimilarityMatrix } from "./similarity-matrix.js";
import { type Comparison, useComparison } from "./use-comparison.js";
import { VectorMap } from "./vector-map.js";

/** A table of the cosines of more inputs than this cannot be read. They are shown as a heat map. */
const tableMax = 15;
const neighboursMax = 10;
/** The map marks one neighbour of five inputs, and at most five. */
const markedMax = 5;
const inputsForMark = 5;

/** How similar the inputs are: a table or a heat map, a map, and the nearest neighbours. */
export function ComparisonPanels({ embedded: { inputs, vectors } }: { readonly embedded: Embedded }) {
  const comparison = useComparison(vectors);
  if (inputs.length < 2)
    return (
      <Panel title="Similarity">
        <Empty>Add a second input to compare it with.</Empty>
      </Panel>
    );
  if (comparison === undefined)
    return (
      <Panel title="Similarity">
        <p role="status">Comparing…</p>
      </Panel>
    );
  return <Compared inputs={inputs} comparison={comparison} />;
}

interface ComparedProps {
  readonly inputs: readonly InputToEmbed[];
  readonly comparison: Comparison;
}

function Compared({ inputs, comparison: { vectors, similarity, projection } }: ComparedProps) {
  const [choice, setChoice] = useState({ vectors, input: 0 });
  // The choice is one of the vectors that it was made for.
  const chosen = choice.vectors === vectors ? choice.input : 0;
  const onChoose = (input: number) => setChoice({ vectors, input });
  const neighbours = useMemo(() => neighboursOf(similarity, chosen, neighboursMax), [similarity, chosen]);
  return (
    <>
      <Panel title="Similarity (cosine)">
        {inputs.length <= tableMax ? (
          <SimilarityMatrix inputs={inputs} similarity={similarity} />
        ) : (
          <OrderedHeatMap inputs={inputs} similarity={similarity} onChoose={onChoose} />
        )}
      </Panel>
      <Panel title="Map">
        <VectorMap
          inputs={inputs}
          projection={projection}
          chosen={chosen}
          neighbours={neighbours.slice(0, Math.min(markedMax, Math.floor(inputs.length / inputsForMark)))}
          onChoose={onChoose}
        />
      </Panel>
      <NeighboursPanel inputs={inputs} chosen={chosen} neighbours={neighbours} onChoose={onChoose} />
      {inputs.length > tableMax && <PairsPanel inputs={inputs} similarity={similarity} />}
    </>
  );
}

interface OrderedHeatMapProps extends Pick<Comparison, "similarity"> {
  readonly inputs: readonly InputToEmbed[];
  readonly onChoose: (input: number) => void;
}

function OrderedHeatMap({ inputs, similarity, onChoose }: OrderedHeatMapProps) {
  const [isGrouped, setIsGrouped] = useState(true);
  const order = useMemo(
    () => (isGrouped ? groupedOrder(similarity) : inputs.map((_, at) => at)),
    [similarity, isGrouped, inputs],
  );
  return (
    <div className="stack">
      <label className="check">
        <input type="checkbox" checked={isGrouped} onChange={(event) => setIsGrouped(event.target.checked)} />
        Similar inputs beside each other
      </label>
      <HeatMap inputs={inputs} similarity={similarity} order={order} onChoose={onChoose} />
    </div>
  );
}

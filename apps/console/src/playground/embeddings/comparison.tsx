import { useMemo, useState } from "react";
import type { Embedded } from "../../operations/createEmbedding.js";
import { Panel } from "../../parts/panel.js";
import { Empty } from "../../parts/states.js";
import { HeatMap } from "./heat-map.js";
import { NeighboursPanel, PairsPanel } from "./neighbour-tables.js";
import { groupedOrder, neighboursOf } from "./neighbours.js";
import { SimilarityMatrix } from "./similarity-matrix.js";
import { type Comparison, useComparison } from "./use-comparison.js";
import { VectorMap } from "./vector-map.js";

/** A table of the cosines of more texts than this cannot be read. They are shown as a heat map. */
const tableMax = 15;
const neighboursMax = 10;
/** The map marks one neighbour of five texts, and at most five. */
const markedMax = 5;
const textsForMark = 5;

/** How similar the texts are: a table or a heat map, a map, and the nearest neighbours. */
export function ComparisonPanels({ embedded: { texts, vectors } }: { readonly embedded: Embedded }) {
  const comparison = useComparison(vectors);
  if (texts.length < 2)
    return (
      <Panel title="Similarity">
        <Empty>Write a second text to compare it with.</Empty>
      </Panel>
    );
  if (comparison === undefined)
    return (
      <Panel title="Similarity">
        <p role="status">Comparing…</p>
      </Panel>
    );
  return <Compared texts={texts} comparison={comparison} />;
}

interface ComparedProps {
  readonly texts: readonly string[];
  readonly comparison: Comparison;
}

function Compared({ texts, comparison: { vectors, similarity, projection } }: ComparedProps) {
  const [choice, setChoice] = useState({ vectors, text: 0 });
  // The choice is one of the vectors that it was made for.
  const chosen = choice.vectors === vectors ? choice.text : 0;
  const onChoose = (text: number) => setChoice({ vectors, text });
  const neighbours = useMemo(() => neighboursOf(similarity, chosen, neighboursMax), [similarity, chosen]);
  return (
    <>
      <Panel title="Similarity (cosine)">
        {texts.length <= tableMax ? (
          <SimilarityMatrix texts={texts} similarity={similarity} />
        ) : (
          <OrderedHeatMap texts={texts} similarity={similarity} onChoose={onChoose} />
        )}
      </Panel>
      <Panel title="Map">
        <VectorMap
          texts={texts}
          projection={projection}
          chosen={chosen}
          neighbours={neighbours.slice(0, Math.min(markedMax, Math.floor(texts.length / textsForMark)))}
          onChoose={onChoose}
        />
      </Panel>
      <NeighboursPanel texts={texts} chosen={chosen} neighbours={neighbours} onChoose={onChoose} />
      {texts.length > tableMax && <PairsPanel texts={texts} similarity={similarity} />}
    </>
  );
}

interface OrderedHeatMapProps extends Pick<Comparison, "similarity"> {
  readonly texts: readonly string[];
  readonly onChoose: (text: number) => void;
}

function OrderedHeatMap({ texts, similarity, onChoose }: OrderedHeatMapProps) {
  const [isGrouped, setIsGrouped] = useState(true);
  const order = useMemo(
    () => (isGrouped ? groupedOrder(similarity) : texts.map((_, at) => at)),
    [similarity, isGrouped, texts],
  );
  return (
    <div className="stack">
      <label className="check">
        <input type="checkbox" checked={isGrouped} onChange={(event) => setIsGrouped(event.target.checked)} />
        Similar texts beside each other
      </label>
      <HeatMap texts={texts} similarity={similarity} order={order} onChoose={onChoose} />
    </div>
  );
}

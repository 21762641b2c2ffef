import { SelectField } from "../../parts/fields.js";
import { Panel } from "../../parts/panel.js";
import { Table } from "../../parts/table.js";
import { type Neighbour, nearestPairs } from "./neighbours.js";
import type { Similarity } from "./similarity.js";

interface NeighboursPanelProps {
  readonly texts: readonly string[];
  readonly chosen: number;
  readonly neighbours: readonly Neighbour[];
  readonly onChoose: (text: number) => void;
}

/** Letters of a text in the list to choose from. */
const optionLength = 80;

/** The texts that are most similar to a chosen one. */
export function NeighboursPanel({ texts, chosen, neighbours, onChoose }: NeighboursPanelProps) {
  return (
    <Panel title="Nearest neighbours">
      <div className="stack">
        <SelectField
          label="Text"
          value={String(chosen)}
          options={texts.map((text, at) => ({
            value: String(at),
            label: `${at + 1} ${text.slice(0, optionLength)}`,
          }))}
          onChange={(value) => onChoose(Number(value))}
        />
        <Table
          caption={`Nearest neighbours of text ${chosen + 1}`}
          rows={neighbours}
          rowKey={({ index }) => String(index)}
          columns={[
            {
              head: "Neighbour",
              cell: ({ index }) => (
                <button type="button" className="plain-button" onClick={() => onChoose(index)}>
                  <NumberedText texts={texts} at={index} />
                </button>
              ),
            },
            { head: "Cosine", cell: ({ cosine }) => cosine.toFixed(4), kind: "number" },
          ]}
        />
      </div>
    </Panel>
  );
}

const pairsMax = 10;

interface PairsPanelProps {
  readonly texts: readonly string[];
  readonly similarity: Similarity;
}

/** The most similar pairs of all: duplicates come first. */
export function PairsPanel({ texts, similarity }: PairsPanelProps) {
  return (
    <Panel title="Most similar pairs">
      <Table
        caption="Pairs of texts by their cosine"
        rows={nearestPairs(similarity, pairsMax)}
        rowKey={({ first, second }) => `${first} ${second}`}
        columns={[
          {
            head: "Pair",
            cell: ({ first, second }) => (
              <>
                <NumberedText texts={texts} at={first} />
                <br />
                <NumberedText texts={texts} at={second} isSame={texts[first] === texts[second]} />
              </>
            ),
          },
          { head: "Cosine", cell: ({ cosine }) => cosine.toFixed(4), kind: "number" },
        ]}
      />
    </Panel>
  );
}

interface NumberedTextProps {
  readonly texts: readonly string[];
  readonly at: number;
  /** Whether it is the same text as the one before it. */
  readonly isSame?: boolean;
}

function NumberedText({ texts, at, isSame = false }: NumberedTextProps) {
  return (
    <span className="numbered" title={texts[at]}>
      <strong>{at + 1}</strong> {isSame ? <span className="quiet">the same text</span> : texts[at]}
    </span>
  );
}

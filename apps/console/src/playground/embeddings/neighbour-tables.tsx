import { type InputToEmbed, nameInput } from "../../operations/embedding-inputs.js";
import { SelectField } from "../../parts/fields.js";
import { Panel } from "../../parts/panel.js";
import { Table } from "../../parts/table.js";
import { InputName } from "./input-name.js";
import { type Neighbour, nearestPairs } from "./neighbours.js";
import type { Similarity } from "./similarity.js";

interface NeighboursPanelProps {
  readonly inputs: readonly InputToEmbed[];
  readonly chosen: number;
  readonly neighbours: readonly Neighbour[];
  readonly onChoose: (input: number) => void;
}

/** Letters of an input in the list to choose from. */
const optionLength = 80;

/** The inputs that are most similar to a chosen one. */
export function NeighboursPanel({ inputs, chosen, neighbours, onChoose }: NeighboursPanelProps) {
  return (
    <Panel title="Nearest neighbours">
      <div className="stack">
        <SelectField
          label="Input"
          value={String(chosen)}
          options={inputs.map((input, at) => ({
            value: String(at),
            label: `${at + 1} ${nameInput(input).slice(0, optionLength)}`,
          }))}
          onChange={(value) => onChoose(Number(value))}
        />
        <Table
          caption={`Nearest neighbours of input ${chosen + 1}`}
          rows={neighbours}
          rowKey={({ index }) => String(index)}
          columns={[
            {
              head: "Neighbour",
              cell: ({ index }) => (
                <button type="button" className="plain-button" onClick={() => onChoose(index)}>
                  <NumberedInput inputs={inputs} at={index} />
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
  readonly inputs: readonly InputToEmbed[];
  readonly similarity: Similarity;
}

/** The most similar pairs of all: duplicates come first. */
export function PairsPanel({ inputs, similarity }: PairsPanelProps) {
  return (
    <Panel title="Most similar pairs">
      <Table
        caption="Pairs of inputs by their cosine"
        rows={nearestPairs(similarity, pairsMax)}
        rowKey={({ first, second }) => `${first} ${second}`}
        columns={[
          {
            head: "Pair",
            cell: ({ first, second }) => (
              <>
                <NumberedInput inputs={inputs} at={first} />
                <br />
                <NumberedInput
                  inputs={inputs}
                  at={second}
                  isSame={isSameText(inputs[first], inputs[second])}
                />
              </>
            ),
          },
          { head: "Cosine", cell: ({ cosine }) => cosine.toFixed(4), kind: "number" },
        ]}
      />
    </Panel>
  );
}

function isSameText(one: InputToEmbed | undefined, other: InputToEmbed | undefined): boolean {
  return one?.image === undefined && other?.image === undefined && one?.text === other?.text;
}

interface NumberedInputProps {
  readonly inputs: readonly InputToEmbed[];
  readonly at: number;
  /** Whether it is the same text as the one before it. */
  readonly isSame?: boolean;
}

function NumberedInput({ inputs, at, isSame = false }: NumberedInputProps) {
  const input = inputs[at];
  return (
    <span className="numbered" title={input && nameInput(input)}>
      {isSame ? (
        <>
          <strong>{at + 1}</strong> <span className="quiet">the same text</span>
        </>
      ) : (
        <InputName inputs={inputs} at={at} />
      )}
    </span>
  );
}

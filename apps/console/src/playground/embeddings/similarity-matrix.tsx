import { type InputToEmbed, nameInput } from "../../operations/embedding-inputs.js";
import { InputName } from "./input-name.js";
import { cosineAt, type Similarity } from "./similarity.js";

/** More than this, in percent, and the figures cannot be read in the dark theme. */
const tintMax = 40;

interface SimilarityMatrixProps {
  readonly inputs: readonly InputToEmbed[];
  readonly similarity: Similarity;
}

/** The cosines as a table. The tint spans the range of the inputs, since one model's cosines are close together. */
export function SimilarityMatrix({ inputs, similarity }: SimilarityMatrixProps) {
  const { least, most } = rangeOf(similarity);
  const tint = (value: number) =>
    most > least ? Math.round(((value - least) / (most - least)) * tintMax) : 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className="table-scroll" tabIndex={0} aria-label="Cosines">
      <table className="matrix">
        <caption className="visually-hidden">The cosine of each input with each other</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Input</span>
            </th>
            {inputs.map((input, at) => (
              <th key={at} scope="col" title={nameInput(input)}>
                {at + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inputs.map((input, row) => (
            <tr key={row}>
              <th scope="row" title={nameInput(input)}>
                <InputName inputs={inputs} at={row} />
              </th>
              {inputs.map((_, column) => {
                const value = cosineAt(similarity, row, column);
                const background = `color-mix(in oklab, var(--brand) ${tint(value)}%, var(--card))`;
                return (
                  <td
                    key={column}
                    className={column === row ? "quiet" : undefined}
                    style={column === row ? undefined : { background }}
                  >
                    {value.toFixed(2)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The least and the greatest cosine of two different inputs. */
export function rangeOf({ size, cosines }: Similarity): { readonly least: number; readonly most: number } {
  let [least, most] = [1, -1];
  for (let row = 1; row < size; row++)
    for (let column = 0; column < row; column++) {
      const value = cosines[row * size + column] ?? 0;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  return { least, most };
}

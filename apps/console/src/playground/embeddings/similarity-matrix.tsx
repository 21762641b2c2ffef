/** More than this, in percent, and the figures cannot be read in the dark theme. */
const tintMax = 40;

interface SimilarityMatrixProps {
  readonly texts: readonly string[];
  readonly matrix: readonly (readonly number[])[];
}

/** The cosines as a table. The tint spans the range of the texts, since one model's cosines are close together. */
export function SimilarityMatrix({ texts, matrix }: SimilarityMatrixProps) {
  const others = matrix.flatMap((row, at) => row.filter((_, column) => column !== at));
  const [least, most] = [Math.min(...others), Math.max(...others)];
  const tint = (value: number) =>
    most > least ? Math.round(((value - least) / (most - least)) * tintMax) : 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className="table-scroll" tabIndex={0} aria-label="Cosines">
      <table className="matrix">
        <caption className="visually-hidden">The cosine of each text with each other</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Text</span>
            </th>
            {texts.map((text, at) => (
              <th key={at} scope="col" title={text}>
                {at + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.map((row, at) => (
            <tr key={at}>
              <th scope="row" title={texts[at]}>
                <strong>{at + 1}</strong> {texts[at]}
              </th>
              {row.map((value, column) => (
                <td
                  key={column}
                  className={column === at ? "quiet" : undefined}
                  style={
                    column === at
                      ? undefined
                      : { background: `color-mix(in oklab, var(--brand) ${tint(value)}%, var(--card))` }
                  }
                >
                  {value.toFixed(2)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

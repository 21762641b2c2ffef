import { type MouseEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { InputToEmbed } from "../../operations/embedding-inputs.js";
import { InputName } from "./input-name.js";
import { cosineAt, type Similarity } from "./similarity.js";
import { rangeOf } from "./similarity-matrix.js";

interface HeatMapProps {
  readonly inputs: readonly InputToEmbed[];
  readonly similarity: Similarity;
  /** The inputs in the order of rows and columns. */
  readonly order: readonly number[];
  readonly onChoose: (input: number) => void;
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The cosines of many inputs as an image: one pixel for each pair. The tables below it have the same as words. */
export function HeatMap({ inputs, similarity, order, onChoose }: HeatMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [cell, setCell] = useState<Cell>();
  const theme = useSyncExternalStore(followTheme, readScheme);
  // Another theme has other colours.
  useEffect(() => paint(canvas.current, similarity, order), [similarity, order, theme]);
  const cellAt = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLCanvasElement>): Cell => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const place = (offset: number, of: number) =>
      order[Math.min(order.length - 1, Math.max(0, Math.floor((offset / of) * order.length)))] ?? 0;
    return { row: place(clientY - top, height), column: place(clientX - left, width) };
  };
  const { least, most } = rangeOf(similarity);
  return (
    <figure className="heat">
      <canvas
        ref={canvas}
        role="img"
        aria-label="Heat map of the cosines. The nearest neighbours of each input are in the tables below."
        onMouseMove={(event) => setCell(cellAt(event))}
        onMouseLeave={() => setCell(undefined)}
        onClick={(event) => onChoose(cellAt(event).row)}
      />
      <figcaption className="small">
        <span className="heat-scale">
          {least.toFixed(2)} <span className="ramp" aria-hidden="true" /> {most.toFixed(2)}
        </span>
        {cell === undefined ? (
          <span className="quiet">
            Point at a cell for its two inputs; click for the neighbours of its row.
          </span>
        ) : (
          <>
            <strong>{cosineAt(similarity, cell.row, cell.column).toFixed(4)}</strong>
            {[cell.row, cell.column].map((input, at) => (
              <span key={at} className="one-line">
                <InputName inputs={inputs} at={input} />
              </span>
            ))}
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** Tints each pixel by its cosine, over the range of the inputs. */
function paint(canvas: HTMLCanvasElement | null, similarity: Similarity, order: readonly number[]): void {
  const context = canvas?.getContext("2d");
  if (canvas === null || context == null) return;
  const { size } = similarity;
  canvas.width = size;
  canvas.height = size;
  const [red = 0, green = 0, blue = 0] =
    getComputedStyle(canvas)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? [];
  const { least, most } = rangeOf(similarity);
  const image = context.createImageData(size, size);
  for (const [y, row] of order.entries())
    for (const [x, column] of order.entries()) {
      const share = (cosineAt(similarity, row, column) - least) / Math.max(1e-9, most - least);
      image.data.set([red, green, blue, Math.round(share * 255)], (y * size + x) * 4);
    }
  context.putImageData(image, 0, 0);
}

const darkScheme = "(prefers-color-scheme: dark)";

function readScheme(): string {
  return document.documentElement.dataset.theme ?? String(matchMedia(darkScheme).matches);
}

function followTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const media = matchMedia(darkScheme);
  media.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", onChange);
  };
}

import { type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { TextField } from "../../../parts/fields.js";
import { formatShare } from "../../../parts/format.js";
import type { OpenedImage } from "../../opened-image.js";
import { type Mask, maskOf, type Point, paintedShare, paintSegment, type Stroke } from "./mask-of.js";

interface MaskBrushProps {
  readonly image: OpenedImage;
  readonly strokes: readonly Stroke[];
  readonly onChange: (strokes: readonly Stroke[]) => void;
}

/** A brush that paints which part of an image may change, and a rectangle for those who cannot paint. */
export function MaskBrush({ image, strokes, onChange }: MaskBrushProps) {
  const [radius, setRadius] = useState(40);
  const [kind, setKind] = useState<"brush" | "eraser">("brush");
  const share = useMemo(() => paintedShare(maskOf(strokes, image)), [strokes, image]);
  const add = (stroke: Stroke) => onChange([...strokes, stroke]);
  return (
    <div className="brush">
      <Easel image={image} strokes={strokes} tool={{ kind, radius }} onStroke={add} />
      <div className="stack">
        <label className="brush-size">
          Brush
          <input
            type="range"
            min="4"
            max="160"
            value={radius}
            onChange={(event) => setRadius(Number(event.target.value))}
          />
          <output>{radius} px</output>
        </label>
        <div className="row">
          <button
            type="button"
            className="button"
            aria-pressed={kind === "eraser"}
            onClick={() => setKind(kind === "eraser" ? "brush" : "eraser")}
          >
            Erase
          </button>
          <button
            type="button"
            className="button"
            disabled={strokes.length === 0}
            onClick={() => onChange(strokes.slice(0, -1))}
          >
            Undo
          </button>
          <button
            type="button"
            className="button"
            disabled={strokes.length === 0}
            onClick={() => onChange([])}
          >
            Clear
          </button>
        </div>
        <p className="small quiet" role="status">
          {share === 0
            ? "Nothing is painted: the whole image may change."
            : `${formatShare(share)} of the image is painted, and may change.`}
        </p>
        <RectangleFields image={image} onStroke={add} />
      </div>
    </div>
  );
}

interface EaselProps {
  readonly image: OpenedImage;
  readonly strokes: readonly Stroke[];
  readonly tool: { readonly kind: "brush" | "eraser"; readonly radius: number };
  readonly onStroke: (stroke: Stroke) => void;
}

/** The image with a veil over the painted area. During a stroke, only its new piece is painted. */
function Easel({ image, strokes, tool, onStroke }: EaselProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const painting = useRef<{ readonly mask: Mask; readonly points: Point[] }>(undefined);
  useEffect(() => {
    if (canvas.current !== null) drawVeil(canvas.current, maskOf(strokes, image));
  }, [strokes, image]);

  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent): Point => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    return {
      x: Math.round(((clientX - left) / width) * image.width),
      y: Math.round(((clientY - top) / height) * image.height),
    };
  };
  const paint = (to: Point) => {
    if (painting.current === undefined || canvas.current === null) return;
    const { mask, points } = painting.current;
    paintSegment(mask, image, { from: points.at(-1) ?? to, to, ...tool });
    points.push(to);
    drawVeil(canvas.current, mask);
  };
  const finish = () => {
    const points = painting.current?.points ?? [];
    painting.current = undefined;
    if (points.length > 0) onStroke({ ...tool, points });
  };
  return (
    <div className="easel">
      <img className="shown-image" src={image.url} alt="The one to edit" />
      <canvas
        ref={canvas}
        width={image.width}
        height={image.height}
        role="img"
        aria-label="Paint the area that may change. The four numbers below do the same without painting."
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          painting.current = { mask: maskOf(strokes, image), points: [] };
          paint(pointOf(event));
        }}
        onPointerMove={(event) => paint(pointOf(event))}
        onPointerUp={finish}
        onPointerCancel={finish}
      />
    </div>
  );
}

/** Pink, which few images have much of. */
const veil = [214, 51, 132, 255] as const;

function drawVeil(canvas: HTMLCanvasElement, mask: Mask): void {
  const pixels = new Uint8ClampedArray(mask.length * 4);
  for (const [at, mayChange] of mask.entries()) if (mayChange === 1) pixels.set(veil, at * 4);
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, canvas.width, canvas.height), 0, 0);
}

interface RectangleFieldsProps {
  readonly image: OpenedImage;
  readonly onStroke: (stroke: Stroke) => void;
}

function RectangleFields({ image, onStroke }: RectangleFieldsProps) {
  const lasts = {
    left: image.width - 1,
    top: image.height - 1,
    right: image.width - 1,
    bottom: image.height - 1,
  };
  return (
    <details>
      <summary>Mark a rectangle by numbers</summary>
      <form
        className="stack rectangle"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const number = (name: keyof typeof lasts) => Number(form.get(name));
          onStroke({
            kind: "rectangle",
            from: { x: number("left"), y: number("top") },
            to: { x: number("right"), y: number("bottom") },
          });
        }}
      >
        <div className="form-grid">
          {Object.entries(lasts).map(([name, last]) => (
            <TextField
              key={name}
              label={name}
              name={name}
              type="number"
              min="0"
              max={last}
              required
              defaultValue={name === "right" || name === "bottom" ? last : 0}
            />
          ))}
        </div>
        <button type="submit" className="button">
          Mark
        </button>
      </form>
    </details>
  );
}

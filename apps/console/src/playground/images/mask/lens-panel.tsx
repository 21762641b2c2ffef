import { useEffect, useMemo, useRef, useState } from "react";
import { formatShare } from "../../../parts/format.js";
import { type OpenedImage, pixelsOf } from "../../opened-image.js";
import { type ChangeMap, type Changes, changeMapOf, changesOf, tintChanges } from "./mask-lens.js";
import { type Mask, maskPixels } from "./mask-of.js";

/** The request behind the edit that is shown. */
export interface SentEdit {
  readonly source: OpenedImage;
  readonly mask: Mask;
}

interface LensPanelProps {
  readonly sent: SentEdit;
  readonly result: OpenedImage;
}

/** The mask as it was sent, and how much changed on both sides of it: whether a model keeps to a mask at all. */
export function LensPanel({ sent: { source, mask }, result }: LensPanelProps) {
  const map = useChangeMap(source, result);
  const sentMask = useMemo(() => maskPixels(mask), [mask]);
  const tint = useMemo(() => map && tintChanges(map, mask), [map, mask]);
  return (
    <details>
      <summary>
        {isSameSize(source, result)
          ? describeChanges(map && changesOf(map, mask))
          : "The result has another size, so it cannot be compared"}
      </summary>
      <div className="lenses">
        <figure>
          <Veiled image={source} veil={sentMask} label="The image that was sent, dark where it must stay" />
          <figcaption className="small quiet">
            The mask as it was sent, over the image. Dark areas must stay.
          </figcaption>
        </figure>
        {tint !== undefined && (
          <figure>
            <Veiled image={result} veil={tint} label="The result, tinted where it changed" />
            <figcaption className="small quiet">
              What changed: <span className="tint-inside">blue inside</span> the mask,{" "}
              <span className="tint-outside">orange outside</span> of it.
            </figcaption>
          </figure>
        )}
      </div>
    </details>
  );
}

/** Undefined while it is compared, and if the sizes differ. */
function useChangeMap(source: OpenedImage, result: OpenedImage): ChangeMap | undefined {
  const [map, setMap] = useState<ChangeMap>();
  useEffect(() => {
    if (!isSameSize(source, result)) return;
    let isCurrent = true;
    void Promise.all([pixelsOf(source), pixelsOf(result)]).then(([before, after]) => {
      if (isCurrent) setMap(changeMapOf(before, after));
    });
    return () => {
      isCurrent = false;
    };
  }, [source, result]);
  return map;
}

function isSameSize(one: OpenedImage, other: OpenedImage): boolean {
  return one.width === other.width && one.height === other.height;
}

interface VeiledProps {
  readonly image: OpenedImage;
  readonly veil: Uint8ClampedArray<ArrayBuffer>;
  readonly label: string;
}

function Veiled({ image: { url, width, height }, veil, label }: VeiledProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    canvas.current?.getContext("2d")?.putImageData(new ImageData(veil, width, height), 0, 0);
  }, [veil, width, height]);
  return (
    <div className="easel">
      <img className="shown-image" src={url} alt="" />
      <canvas ref={canvas} className="lens" width={width} height={height} role="img" aria-label={label} />
    </div>
  );
}

function describeChanges(changes: Changes | undefined): string {
  if (changes === undefined) return "Comparing…";
  return `Outside the mask: ${formatShare(changes.outside)} changed. Inside: ${formatShare(changes.inside)}.`;
}

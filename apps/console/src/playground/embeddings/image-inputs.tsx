import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import type { InputToEmbed } from "../../operations/embedding-inputs.js";
import type { Schemas } from "../../operations/schemas.js";
import { FileDrop } from "../../parts/file-drop.js";
import { formatBytes, plural } from "../../parts/format.js";
import { openImage } from "../opened-image.js";

/** An image that is chosen, and the text that goes with it. */
export type ImageToEmbed = Required<InputToEmbed>;

type Limits = Pick<Schemas["InputImageLimits"], "max_bytes" | "mixes_parts">;

interface ImageInputsProps {
  readonly images: readonly ImageToEmbed[];
  readonly limits: Limits;
  /** The most images that may be added. */
  readonly room: number;
  readonly onChange: Dispatch<SetStateAction<readonly ImageToEmbed[]>>;
}

/** Takes images beside texts, and says which of them the model does not take. */
export function ImageInputs({ images, limits, room, onChange }: ImageInputsProps) {
  const [refused, setRefused] = useState<string>();
  const add = async (files: readonly File[]) => {
    const opened = await Promise.all(files.slice(0, room).map(openFile));
    const bad = files.filter((_, at) => opened[at] === undefined).map(({ name }) => name);
    setRefused(
      files.length > room
        ? `There is room for ${plural(room, "more input")} here. The other files were not added.`
        : bad.length > 0
          ? `Not a PNG, JPEG or WebP image: ${bad.join(", ")}.`
          : undefined,
    );
    // Files that were added meanwhile stay.
    onChange((present) => [...present, ...opened.filter((image) => image !== undefined)]);
  };
  const bytes = images.reduce((sum, { image }) => sum + image.blob.size, 0);
  return (
    <div className="field">
      <span className="legend">Images</span>
      <FileDrop
        label="Add images…"
        hint="or drop them here"
        accept="image/png,image/jpeg,image/webp"
        multiple
        onFiles={(files) => void add(files)}
      />
      {refused !== undefined && (
        <p className="tone-bad small" role="alert">
          {refused}
        </p>
      )}
      <ul className="image-inputs">
        {images.map((one, at) => (
          <ImageInput
            key={one.image.url}
            input={one}
            limits={limits}
            onChange={(next) => onChange(images.toSpliced(at, 1, ...(next === undefined ? [] : [next])))}
          />
        ))}
      </ul>
      <span className="hint">
        {`PNG, JPEG or WebP, up to ${formatBytes(limits.max_bytes)} each. `}
        {images.length > 0 && `${plural(images.length, "image")}, ${formatBytes(bytes)}.`}
      </span>
    </div>
  );
}

/** Images stay chosen while another model is tried. */
export function LeftOutImages({ model, count }: { readonly model: string; readonly count: number }) {
  if (count === 0) return null;
  return (
    <p className="small" role="status">
      {`${model} takes text alone. ${plural(count, "image is", "images are")} left out.`}
    </p>
  );
}

interface ImageInputProps {
  readonly input: ImageToEmbed;
  readonly limits: Limits;
  /** Undefined removes it. */
  readonly onChange: (input: ImageToEmbed | undefined) => void;
}

function ImageInput({ input, limits, onChange }: ImageInputProps) {
  const { text, image } = input;
  const fault = faultOf(input, limits);
  return (
    <li>
      <img className="thumb" src={image.url} alt="" />
      <span className="one-line" title={image.name}>
        {image.name}
      </span>
      <button
        type="button"
        className="button"
        aria-label={`Remove ${image.name}`}
        onClick={() => onChange(undefined)}
      >
        Remove
      </button>
      {(limits.mixes_parts || text !== "") && (
        <input
          aria-label={`Text with ${image.name}`}
          placeholder="Text with it, if any"
          value={text}
          onChange={(event) => onChange({ ...input, text: event.target.value })}
        />
      )}
      {fault !== undefined && <p className="tone-bad small">{fault}</p>}
    </li>
  );
}

/** Why a model does not take an image. Undefined if it does. */
export function faultOf(
  { text, image }: ImageToEmbed,
  { max_bytes, mixes_parts }: Limits,
): string | undefined {
  if (image.blob.size > max_bytes)
    return `It has ${formatBytes(image.blob.size)}. This model takes up to ${formatBytes(max_bytes)}.`;
  return text === "" || mixes_parts ? undefined : "This model takes an image without text.";
}

async function openFile(file: File): Promise<ImageToEmbed | undefined> {
  const opened = await openImage(file).catch(() => undefined);
  return opened && { text: "", image: { blob: opened.blob, url: opened.url, name: file.name } };
}

/** Frees the images that are no longer shown, and all of them when the page is left. */
export function useFreedImages(shown: readonly InputToEmbed[]): void {
  const open = useRef(new Set<string>());
  useEffect(() => {
    const used = new Set(shown.flatMap(({ image }) => image?.url ?? []));
    for (const url of open.current) if (!used.has(url)) URL.revokeObjectURL(url);
    open.current = used;
  });
  useEffect(
    () => () => {
      for (const url of open.current) URL.revokeObjectURL(url);
    },
    [],
  );
}

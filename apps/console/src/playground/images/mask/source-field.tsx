import { useState } from "react";
import { type OpenedImage, openImage } from "../../opened-image.js";

interface SourceFieldProps {
  readonly hasSource: boolean;
  readonly onChange: (image: OpenedImage | undefined) => void;
}

/** Takes a file to edit, or removes it. */
export function SourceField({ hasSource, onChange }: SourceFieldProps) {
  const [error, setError] = useState<string>();
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      onChange(await openImage(file));
      setError(undefined);
    } catch {
      setError(`${file.name} is not a PNG, JPEG or WebP image.`);
    }
  };
  return (
    <>
      <label className="button file">
        {hasSource ? "Another image…" : "Edit an image…"}
        <input
          type="file"
          className="visually-hidden"
          accept="image/png,image/jpeg,image/webp"
          onChange={(event) => {
            void open(event.target.files?.[0]);
            // The same file may be chosen again.
            event.target.value = "";
          }}
        />
      </label>
      {hasSource && (
        <button type="button" className="button" onClick={() => onChange(undefined)}>
          Remove the image
        </button>
      )}
      {error !== undefined && (
        <p className="tone-bad" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

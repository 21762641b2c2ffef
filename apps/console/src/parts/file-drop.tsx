import { type DragEvent, useState } from "react";

interface FileDropProps {
  /** The words of the button, and those beside it. */
  readonly label: string;
  readonly hint: string;
  /** Types of files to choose from. Others may be dropped. */
  readonly accept: string;
  readonly multiple?: boolean;
  /** Called with at least one file. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
}

/** Takes files that are chosen or dropped. */
export function FileDrop({ label, hint, accept, multiple = false, onFiles }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const follow = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === "dragover");
  };
  const take = (files: FileList | null) => {
    const [first, ...others] = files ?? [];
    if (first !== undefined) onFiles([first, ...others]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first.
    <div
      className={isOver ? "file-drop over" : "file-drop"}
      onDragOver={follow}
      onDragLeave={follow}
      onDrop={(event) => {
        follow(event);
        take(event.dataTransfer.files);
      }}
    >
      <label className="button file">
        {label}
        <input
          type="file"
          className="visually-hidden"
          accept={accept}
          multiple={multiple}
          onChange={(event) => {
            take(event.target.files);
            // The same file may be chosen again.
            event.target.value = "";
          }}
        />
      </label>
      <span className="quiet">{hint}</span>
    </div>
  );
}

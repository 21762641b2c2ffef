import { type DragEvent, useState } from "react";

interface FileDropProps {
  readonly hasFile: boolean;
  readonly onFile: (file: File) => void;
}

/** Takes a file that is chosen or dropped. */
export function FileDrop({ hasFile, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const accept = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === "dragover");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first.
    <div
      className={isOver ? "file-drop over" : "file-drop"}
      onDragOver={accept}
      onDragLeave={accept}
      onDrop={(event) => {
        accept(event);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) onFile(file);
      }}
    >
      <label className="button file">
        {hasFile ? "Another file…" : "Choose a file…"}
        <input
          type="file"
          className="visually-hidden"
          accept=".jsonl,.ndjson,application/jsonl,application/x-ndjson"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) onFile(file);
            // The same file may be chosen again.
            event.target.value = "";
          }}
        />
      </label>
      <span className="quiet">or drop a JSONL file here</span>
    </div>
  );
}

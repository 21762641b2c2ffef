import { useEffect, useState } from "react";
import { type FilePreview, previewFile } from "./preview-file.js";

interface Preview {
  /** Undefined until the first piece is read. */
  readonly found?: FilePreview;
  readonly isDone: boolean;
  /** The browser could not read the file, which may have changed since it was chosen. */
  readonly isUnreadable: boolean;
}

const nothing: Preview = { isDone: false, isUnreadable: false };
/** A file of many pieces is not drawn again after each. */
const drawnEveryMs = 100;

/** Reads a file that was chosen. Another one, or closing the dialog, ends the reading. */
export function usePreview(file: File | undefined): Preview {
  const [preview, setPreview] = useState(nothing);
  useEffect(() => {
    setPreview(nothing);
    if (file === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    let drawnAt = 0;
    const onProgress = (found: FilePreview) => {
      if (performance.now() - drawnAt < drawnEveryMs) return;
      drawnAt = performance.now();
      setPreview({ found, isDone: false, isUnreadable: false });
    };
    previewFile(file, { signal, onProgress }).then(
      (found) => {
        if (!signal.aborted) setPreview({ found, isDone: true, isUnreadable: false });
      },
      () => {
        if (!signal.aborted) setPreview({ isDone: true, isUnreadable: true });
      },
    );
    return () => controller.abort();
  }, [file]);
  return preview;
}

import { unwrap } from "@model-gateway/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useSignedIn } from "../session/session-context.js";
import { uploadFile } from "../session/upload-file.js";
import type { Schemas } from "./schemas.js";

interface NewBatch {
  readonly file: File;
  readonly endpoint: Schemas["BatchEndpoint"];
}

/** Uploads a file, and creates a batch of it. A second attempt goes on with the file that is uploaded already. */
export function useCreateBatch() {
  const { client, session } = useSignedIn();
  const queries = useQueryClient();
  const uploaded = useRef<{ readonly file: File; readonly id: string }>(undefined);
  const upload = useRef<AbortController>(undefined);
  const [share, setShare] = useState(0);
  const create = useMutation({
    mutationFn: async ({ file, endpoint }: NewBatch) => {
      if (uploaded.current?.file !== file) {
        upload.current = new AbortController();
        setShare(0);
        const { signal } = upload.current;
        const options = { value: session.value, signal, onProgress: setShare };
        const { id } = unwrap(await uploadFile({ file, purpose: "batch" }, options));
        uploaded.current = { file, id };
      }
      const { id: input_file_id } = uploaded.current;
      const batch = unwrap(await client.createBatch({ input_file_id, endpoint, completion_window: "24h" }));
      uploaded.current = undefined;
      return batch;
    },
    onSuccess: () =>
      Promise.all(
        ["listAllBatches", "listBatches"].map((operation) =>
          queries.invalidateQueries({ queryKey: [operation] }),
        ),
      ),
  });
  /** Stops an upload, and deletes a file that no batch reads. */
  const discard = () => {
    upload.current?.abort(new UploadStoppedError());
    const { id } = uploaded.current ?? {};
    uploaded.current = undefined;
    // It expires by itself if this fails.
    if (id !== undefined) void client.deleteFile(id).catch(() => undefined);
  };
  return { create, share, discard };
}

/** The reason of an abort: the person has stopped the upload. */
export class UploadStoppedError extends Error {}

import { unwrap } from "@model-gateway/client";
import { useMutation } from "@tanstack/react-query";
import { saveFile } from "../parts/download.js";
import { useSignedIn } from "../session/session-context.js";
import { useOperation } from "./use-operation.js";

interface SavedFile {
  readonly id: string;
  /** The name that it is saved under. */
  readonly name: string;
}

/** Fetches a file, and hands it to the browser to save. */
export function useSaveFile() {
  const { client } = useSignedIn();
  return useMutation({
    mutationFn: async ({ id, name }: SavedFile) =>
      saveFile(name, unwrap(await client.retrieveFileContent(id))),
  });
}

/** Enough for the first dozens of lines of an error file. */
const beginningBytes = 64 * 1024;

/**
 * The whole lines at the beginning of a file.
 *
 * @param id `null` to load nothing.
 */
export function useFirstLines(id: string | null) {
  return useOperation(
    ["retrieveFileContent", id],
    async (client, signal) => {
      const headers = { range: `bytes=0-${beginningBytes - 1}` };
      const result = await client.retrieveFileContent(id ?? "", { headers, signal });
      return result.ok ? { ...result, data: wholeLines(await result.data.text()) } : result;
    },
    { isEnabled: id !== null },
  );
}

/** Every line of a file ends in a line feed, so what stands behind the last one is cut off. */
export function wholeLines(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

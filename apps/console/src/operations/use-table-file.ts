import { type GatewayClient, type Result, unwrap } from "@model-gateway/client";
import { useMutation } from "@tanstack/react-query";
import { saveFile } from "../parts/download.js";
import { useSignedIn } from "../session/session-context.js";

/** Fetches the page's rows as CSV, and saves them as a file. */
export function useTableFile(name: string, fetchTable: (client: GatewayClient) => Promise<Result<string>>) {
  const { client } = useSignedIn();
  return useMutation({
    mutationFn: async () => {
      const text = unwrap(await fetchTable(client));
      saveFile(`${name}.csv`, new Blob([text], { type: "text/csv" }));
    },
  });
}

import type { ReactNode } from "react";
import { Code } from "../../parts/code-sample.js";
import { Icon } from "../../parts/icons.js";
import { gatewayRoot } from "../../session/session-client.js";

interface CreateHintProps {
  readonly children: ReactNode;
  /** The commands that create one. */
  readonly code: string;
  readonly label: string;
  /** The file name of the guide. */
  readonly guide: string;
}

/** Nothing was created yet: one sentence, the commands, and the guide. */
export function CreateHint({ children, code, label, guide }: CreateHintProps) {
  return (
    <div className="stack">
      <p>
        {children}{" "}
        <a href={`${gatewayRoot}/docs/guides/${guide}/`} target="_blank" rel="noopener noreferrer">
          Guide to {label}
          <Icon name="external" size={14} />
        </a>
      </p>
      <Code text={code} label={`Commands for ${label}`} />
    </div>
  );
}

const authorization = '-H "Authorization: Bearer $GATEWAY_KEY"';

export function jobCommands(model: string): string {
  return `curl ${gatewayRoot}/v1/images/generations \\
  ${authorization} -H "Content-Type: application/json" \\
  -H "Prefer: respond-async" \\
  -d '${JSON.stringify({ model, prompt: "a red fox in the snow" })}'`;
}

export function batchCommands(model: string): string {
  const line = {
    custom_id: "row-1",
    method: "POST",
    url: "/v1/embeddings",
    body: { model, input: "One." },
  };
  return `echo '${JSON.stringify(line)}' > requests.jsonl
curl ${gatewayRoot}/v1/files ${authorization} \\
  -F purpose=batch -F file=@requests.jsonl
# With the id of the response:
curl ${gatewayRoot}/v1/batches ${authorization} \\
  -H "Content-Type: application/json" \\
  -d '{"input_file_id": "file-...", "endpoint": "/v1/embeddings", "completion_window": "24h"}'`;
}

import { useRetrieveOwnRequest } from "../../operations/retrieveOwnRequest.js";
import type { Schemas } from "../../operations/schemas.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatBytes, formatCount, formatMs, formatTime } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import { Loaded } from "../../parts/states.js";
import { Failure } from "../requests/failure.js";
import { StatusBadge } from "../requests/status-badge.js";

type OwnRequest = Schemas["OwnRequest"];

interface OwnRequestSheetProps {
  readonly id: string;
  /** The request as the list has it. An address may name one that the list does not show. */
  readonly listed: OwnRequest | undefined;
  readonly onClose: () => void;
}

/** One request of the key that is signed in. */
export function OwnRequestSheet({ id, listed, onClose }: OwnRequestSheetProps) {
  const retrieved = useRetrieveOwnRequest(listed === undefined ? id : undefined);
  return (
    <Dialog kind="sheet" title="Request" onClose={onClose}>
      {listed === undefined ? (
        <Loaded query={retrieved}>{(request) => <OwnRequestFacts request={request} />}</Loaded>
      ) : (
        <OwnRequestFacts request={listed} />
      )}
    </Dialog>
  );
}

function OwnRequestFacts({ request }: { readonly request: OwnRequest }) {
  const facts: readonly Fact[] = [
    ["Id", <CopyId key="id" id={request.id} what="the request" />],
    ["Status", <StatusBadge key="status" request={request} />],
    ["Arrived", formatTime(request.created_at)],
    ["Took", formatMs(request.duration_ms)],
    ["Operation", request.operation],
    ["Model", request.model ?? "none"],
    ["Cache", request.cache ?? "none"],
    ["Tokens in", `${formatCount(request.input_tokens)}${request.tokens_estimated ? ", estimated" : ""}`],
    ["Tokens out", formatCount(request.output_tokens)],
    ["Images", formatCount(request.images)],
    ["Cost", <Money key="cost" usd={request.cost_usd} />],
    ["Request body", formatBytes(request.request_bytes)],
    ["Response body", formatBytes(request.response_bytes)],
  ];
  return (
    <>
      <Failure request={request} />
      <Facts facts={facts} />
    </>
  );
}

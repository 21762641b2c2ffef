import { useRetrieveRequest } from "../../operations/retrieveRequest.js";
import type { Schemas } from "../../operations/schemas.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatBytes, formatCount, formatMs, formatTime } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import { Loaded } from "../../parts/states.js";
import { linkTo } from "../../routes/address.js";
import { Failure } from "./failure.js";
import { StatusBadge } from "./status-badge.js";

type RequestRecord = Schemas["RequestRecord"];

interface RequestSheetProps {
  readonly id: string;
  /** The request as the list has it. An address may name one that the list does not show. */
  readonly listed: RequestRecord | undefined;
  readonly onClose: () => void;
}

/** One request, beside the list. */
export function RequestSheet({ id, listed, onClose }: RequestSheetProps) {
  const retrieved = useRetrieveRequest(listed === undefined ? id : undefined);
  return (
    <Dialog kind="sheet" title="Request" onClose={onClose}>
      {listed === undefined ? (
        <Loaded query={retrieved}>{(request) => <RequestFacts request={request} />}</Loaded>
      ) : (
        <RequestFacts request={listed} />
      )}
      <p className="small quiet sheet-hint">
        <kbd>j</kbd> next · <kbd>k</kbd> previous · <kbd>Esc</kbd> close
      </p>
    </Dialog>
  );
}

/** Few requests have one: a line of zeros would say nothing. */
function savingOf({ cached_inputs, saved_usd }: RequestRecord): Fact[] {
  if (cached_inputs === 0) return [];
  return [
    ["Inputs from the cache", formatCount(cached_inputs)],
    ["Saved", <Money key="saved" usd={saved_usd} />],
  ];
}

function RequestFacts({ request }: { readonly request: RequestRecord }) {
  const facts: readonly Fact[] = [
    ["Id", <CopyId key="id" id={request.id} what="the request" />],
    ["Status", <StatusBadge key="status" request={request} />],
    ["Arrived", formatTime(request.created_at)],
    ["Took", formatMs(request.duration_ms)],
    ["Operation", request.operation],
    ["Model", request.model ?? "none"],
    [
      "Key",
      <a key="key" href={linkTo("/requests", { key: request.key_id })}>
        {request.key_name}
      </a>,
    ],
    ["Key id", request.key_id],
    [
      "Upstream",
      request.upstream === null ? (
        "none"
      ) : (
        <a key="upstream" href={linkTo("/upstreams", { upstream: request.upstream })}>
          {request.upstream}
        </a>
      ),
    ],
    ["Upstream calls", formatCount(request.attempts)],
    ["Cache", request.cache ?? "none"],
    ["Tokens in", `${formatCount(request.input_tokens)}${request.tokens_estimated ? ", estimated" : ""}`],
    ["Tokens out", formatCount(request.output_tokens)],
    ["Images", formatCount(request.images)],
    ["Cost", <Money key="cost" usd={request.cost_usd} />],
    ...savingOf(request),
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

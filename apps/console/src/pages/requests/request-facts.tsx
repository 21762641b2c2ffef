import type { ReactNode } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { CopyId } from "../../parts/copy.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatBytes, formatCount, formatMs, formatTime } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import { linkTo } from "../../routes/address.js";
import { KeyLink } from "../key-link.js";
import { credentialFacts } from "./content-credentials.js";
import { Failure, Recovery } from "./failure.js";
import { StatusBadge } from "./status-badge.js";

/** A request, as its caller or an operator sees it. */
export type ShownRequest = Schemas["OwnRequest"] | Schemas["RequestRecord"];

/** Why a request failed, if it did, and everything else that is known about it. */
export function RequestFacts({ request }: { readonly request: ShownRequest }) {
  const facts: readonly Fact[] = [
    ["Id", <CopyId key="id" id={request.id} what="the request" />],
    ["Status", <StatusBadge key="status" request={request} />],
    ["Arrived", formatTime(request.created_at)],
    ["Took", formatMs(request.duration_ms)],
    ["Operation", request.operation],
    ["Model", <RequestModel key="model" request={request} isLink />],
    ...("key_id" in request ? operatorFacts(request) : []),
    ...(request.batch_id === null
      ? []
      : [["Batch", linked("/jobs", { batch: request.batch_id }, request.batch_id)] as const]),
    ...(request.job_id === null ? [] : [["Image job", jobLink(request.job_id, request.created_at)] as const]),
    ["Cache", request.cache ?? "none"],
    ["Tokens in", `${formatCount(request.input_tokens)}${request.tokens_estimated ? ", estimated" : ""}`],
    ["Tokens out", formatCount(request.output_tokens)],
    ["Images", formatCount(request.images)],
    ...credentialFacts(request),
    ["Cost", <Money key="cost" usd={request.cost_usd} />],
    ...savingOf(request),
    ["Request body", formatBytes(request.request_bytes)],
    ["Response body", formatBytes(request.response_bytes)],
  ];
  return (
    <>
      <Failure request={request} />
      {"failed_attempts" in request && <Recovery attempts={request.failed_attempts} />}
      <Facts facts={facts} />
    </>
  );
}

function operatorFacts({ key_id, key_name, owner, upstream, attempts }: Schemas["RequestRecord"]): Fact[] {
  return [
    ["Key", <KeyLink key="key" id={key_id} name={key_name} />],
    ["Key id", key_id],
    ...(owner === null ? [] : [["Owner", owner] as const]),
    ["Upstream", upstream === null ? "none" : linked("/upstreams", { upstream }, upstream)],
    ["Upstream calls", formatCount(attempts)],
  ];
}

function linked(path: string, query: Readonly<Record<string, string>>, text: string): ReactNode {
  return <a href={linkTo(path, query)}>{text}</a>;
}

/** A job is deleted a day after it was created, which is when its request arrived or before. */
const jobSeconds = 86_400;

function jobLink(id: string, createdAt: number): ReactNode {
  const isDeleted = createdAt + jobSeconds < Date.now() / 1000;
  return isDeleted ? `${id} (deleted)` : linked("/jobs", { job: id }, id);
}

/** Few requests have one: a line of zeros would say nothing. */
function savingOf({ cached_inputs, saved_usd }: ShownRequest): Fact[] {
  if (cached_inputs === 0) return [];
  return [
    ["Inputs from the cache", formatCount(cached_inputs)],
    ["Saved", <Money key="saved" usd={saved_usd} />],
  ];
}

interface RequestModelProps {
  readonly request: Pick<ShownRequest, "model" | "failure">;
  readonly isLink?: boolean;
}

/** The model of a request. A request that was refused may have named one that it could not call. */
export function RequestModel({ request: { model, failure }, isLink = false }: RequestModelProps) {
  if (model !== null) return isLink ? linked("/models", { model }, model) : model;
  const requested = failure?.requested_model ?? null;
  return <span className="quiet">{requested === null ? "none" : `${requested} (asked for)`}</span>;
}

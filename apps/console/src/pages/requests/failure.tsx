import { useId } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatMs } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Message } from "../../parts/message.js";
import { type Column, Table } from "../../parts/table.js";
import { linkTo } from "../../routes/address.js";
import { gatewayRoot } from "../../session/session-client.js";
import { SkippedTarget } from "./skipped-target.js";

/** A request, for an operator or for its caller, who sees no attempts. */
interface FailedRequest
  extends Pick<Schemas["RequestRecord"], "error_code" | "status" | "duration_ms" | "model"> {
  readonly failure:
    | (NonNullable<Schemas["OwnFailure"]> & { readonly attempts?: readonly Schemas["FailedAttempt"][] })
    | null;
}

/** Why a request failed. Nothing for one that succeeded. */
export function Failure({ request }: { readonly request: FailedRequest }) {
  const id = useId();
  const { error_code: code, failure } = request;
  if (code === null) return null;
  const isCallers = request.status >= 400 && request.status < 500;
  const attempts = failure?.attempts?.map((attempt, index) => ({ ...attempt, number: index + 1 })) ?? [];
  const isSkipped = attempts.every(({ skipped }) => skipped !== null);
  return (
    <section className="failure" aria-labelledby={id}>
      <h3 id={id}>Why it failed</h3>
      <p className={isCallers ? "failure-message callers" : "failure-message"}>
        <Message text={sentenceOf(request)} />
      </p>
      <Facts facts={factsOf(request, code)} />
      {attempts.length > 0 && (
        <Table
          caption={isSkipped ? "Targets that were not called" : "Upstream calls that failed"}
          rows={attempts}
          rowKey={({ number }) => String(number)}
          columns={isSkipped ? [targetColumn, whyColumn] : columnsOf(failure?.message)}
        />
      )}
    </section>
  );
}

/** A request of an earlier version of the gateway has a code alone. */
function sentenceOf({ error_code, failure, duration_ms }: FailedRequest): string {
  if (error_code === "caller_left")
    return `The caller left: it, or a proxy in front of the gateway, closed the connection after ${formatMs(duration_ms)}, before the response was complete. Neither the gateway nor an upstream failed.`;
  return failure?.message ?? "The gateway recorded only the code.";
}

function factsOf({ model, failure }: FailedRequest, code: string): Fact[] {
  const { param, requested_model } = failure ?? { param: null, requested_model: null };
  return [
    ["Code", <ErrorCode key="code" code={code} />],
    ...(param === null ? [] : [["Parameter", <code key="param">{param}</code>] as const]),
    // Otherwise the same name stands below.
    ...(requested_model === null || model === null || requested_model === model
      ? []
      : [["Model asked for", <code key="model">{requested_model}</code>] as const]),
  ];
}

/** The code, with a link to its page in the docs. Every code has one, except that of a caller that left. */
function ErrorCode({ code }: { readonly code: string }) {
  if (code === "caller_left") return <code>{code}</code>;
  return (
    <a
      className="mono"
      href={`${gatewayRoot}/docs/errors/${encodeURIComponent(code)}/`}
      target="_blank"
      rel="noopener noreferrer"
    >
      {code}
      <Icon name="external" size={14} />
    </a>
  );
}

const targetColumn: Column<Schemas["FailedAttempt"]> = {
  head: "Target",
  cell: ({ upstream, model }) => (
    <>
      <a href={linkTo("/upstreams", { upstream, target: model })}>{upstream}</a>
      <span className="mono target-model">{model}</span>
    </>
  ),
};

/** For targets that were not called. */
const whyColumn: Column<Schemas["FailedAttempt"]> = {
  head: "Not called, because",
  cell: ({ reason, skipped }) => skipped && <SkippedTarget skipped={skipped} reason={reason} />,
};

/** @param message The message of the request, which most often is the reason of its last call. */
const columnsOf = (message: string | undefined): readonly Column<Schemas["FailedAttempt"]>[] => [
  targetColumn,
  { head: "Status", cell: ({ status }) => status ?? "none", kind: "nowrap" },
  {
    head: "Time",
    cell: ({ duration_ms }) => (duration_ms === null ? "not called" : formatMs(duration_ms)),
    kind: "number",
  },
  {
    head: "Reason",
    cell: ({ reason }) => (reason === message ? "as above" : <Message text={reason} />),
  },
];

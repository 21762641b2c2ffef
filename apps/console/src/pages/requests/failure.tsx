import { lazy, Suspense, useId } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatMs, listOf } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { type Column, Table } from "../../parts/table.js";
import { linkTo } from "../../routes/address.js";
import { ErrorCode, isDocumented } from "../error-code.js";
import { SkippedTarget } from "./skipped-target.js";

const ErrorRemedy = lazy(() => import("./error-remedy.js"));

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
      {failure?.attempts !== undefined && <OperatorLinks request={request} code={code} />}
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

interface RecoveryProps {
  readonly attempts: readonly Schemas["FailedAttempt"][];
}

/** The calls that failed before the request succeeded. Nothing if none did. */
export function Recovery({ attempts }: RecoveryProps) {
  const id = useId();
  if (attempts.length === 0) return null;
  const rows = attempts.map((attempt, index) => ({ ...attempt, number: index + 1 }));
  return (
    <section className="failure" aria-labelledby={id}>
      <h3 id={id}>Recovered by a retry</h3>
      <p className="failure-message callers">
        The caller saw no error: {describeRetries(attempts)} failed, and another call succeeded.
      </p>
      <Table
        caption="Upstream calls that failed"
        rows={rows}
        rowKey={({ number }) => String(number)}
        columns={columnsOf(undefined)}
      />
    </section>
  );
}

/** The upstreams whose calls failed, in order, such as "studio and spare". */
export function describeRetries(attempts: RecoveryProps["attempts"]): string {
  return listOf([...new Set(attempts.map(({ upstream }) => upstream))]);
}

/** A request of an earlier version of the gateway has a code alone. */
function sentenceOf({ error_code, failure, duration_ms }: FailedRequest): string {
  if (error_code === "caller_left")
    return `The caller left: it, or a proxy in front of the gateway, closed the connection after ${formatMs(duration_ms)}, before the response was complete. Neither the gateway nor an upstream failed.`;
  return failure?.message ?? "The gateway recorded only the code.";
}

function factsOf({ model, failure }: FailedRequest, code: string): Fact[] {
  const { param, requested_model, attempts } = failure ?? { param: null, requested_model: null };
  return [
    ["Code", <ErrorCode key="code" code={code} />],
    ...(param === null ? [] : [["Parameter", <code key="param">{param}</code>] as const]),
    // Otherwise the same name stands below.
    ...(requested_model === null || model === null || requested_model === model
      ? []
      : [["Model asked for", <code key="model">{requested_model}</code>] as const]),
    ...(!isDocumented(code)
      ? []
      : [
          [
            attempts === undefined ? "What to do" : "For the caller",
            <Suspense key="remedy" fallback="…">
              <ErrorRemedy code={code} />
            </Suspense>,
          ] as const,
        ]),
  ];
}

interface OperatorLinksProps {
  readonly request: FailedRequest;
  readonly code: string;
}

/** The ways on for an operator: requests that failed alike, and the upstreams whose keys were refused. */
function OperatorLinks({ request: { model, failure }, code }: OperatorLinksProps) {
  const locked =
    failure?.attempts?.filter(({ status, skipped }) =>
      [401, 403].includes(status ?? skipped?.last_error?.status ?? 0),
    ) ?? [];
  return (
    <div className="row">
      <a href={linkTo("/requests", { error_code: code, ...(model !== null && { model }) })}>
        Requests that failed like this
      </a>
      {[...new Set(locked.map(({ upstream }) => upstream))].map((upstream) => (
        <a key={upstream} href={linkTo("/upstreams/change", { upstream })}>
          Change the key of {upstream}
        </a>
      ))}
    </div>
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

import type { ResponseFacts } from "../operations/response-facts.js";
import { CopyId } from "../parts/copy.js";
import { formatMs } from "../parts/format.js";
import { linkTo } from "../routes/address.js";
import { useRequestsPath } from "../session/session-context.js";

interface FactsLineProps {
  readonly facts: ResponseFacts;
  /** Facts specific to this kind of response. */
  readonly also: readonly string[];
  /** The target that replied, if it is known. */
  readonly target?: string | undefined;
}

/** One line below a response: how it was made, and the id to ask about it. */
export function FactsLine({ facts, also, target }: FactsLineProps) {
  const { ms, upstream, attempts, cache, requestId } = facts;
  const requestsPath = useRequestsPath();
  const words = [
    ...also,
    formatMs(ms),
    upstream !== null && `from ${target ?? upstream}`,
    attempts !== null && attempts !== "1" && `${attempts} attempts`,
    cache !== null && `cache: ${cache}`,
  ].filter((word) => typeof word === "string");
  return (
    <div className="facts-line">
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
      {requestId !== null && (
        <CopyId id={requestId} what="the request" link={linkTo(requestsPath, { request: requestId })} />
      )}
    </div>
  );
}

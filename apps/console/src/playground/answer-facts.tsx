import type { ResponseFacts } from "../operations/response-facts.js";
import { CopyId } from "../parts/copy.js";
import { formatMs } from "../parts/format.js";

interface AnswerFactsProps {
  readonly facts: ResponseFacts;
  /** What is special to this kind of answer. */
  readonly also: readonly string[];
}

/** One line below an answer: how it was made, and the id to ask about it. */
export function AnswerFacts({ facts, also }: AnswerFactsProps) {
  const { ms, upstream, attempts, cache, requestId } = facts;
  const words = [
    ...also,
    formatMs(ms),
    upstream !== null && `from ${upstream}`,
    attempts !== null && attempts !== "1" && `${attempts} attempts`,
    cache !== null && `cache: ${cache}`,
  ].filter((word) => typeof word === "string");
  return (
    <div className="answer-facts">
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
      {requestId !== null && <CopyId id={requestId} what="the request" />}
    </div>
  );
}

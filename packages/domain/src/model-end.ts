/** The announced end of a model at its vendor, or by the operator. Days are `YYYY-MM-DD`, in UTC. */
export interface TargetEnd {
  readonly shutdownOn: string;
  /** Absent: the day of the announcement is unknown. */
  readonly deprecatedOn?: string;
  /** The model that the vendor recommends instead. */
  readonly successor?: string;
}

/** The end of a model, with the headers that announce it, so that a request has nothing to compute. */
export interface ModelEnd extends TargetEnd {
  /** From here on, responses have the headers. In milliseconds since 1970. */
  readonly noticeFromMs: number;
  readonly headers: { readonly deprecation: string; readonly sunset: string };
}

const dayMs = 86_400_000;
const noticeDays = 60;

/**
 * `Deprecation` of RFC 9745 and `Sunset` of RFC 8594. Where the day of the announcement is unknown, a model counts as deprecated
 * from the first day of the notice.
 */
export function announceEnd(end: TargetEnd): ModelEnd {
  const shutdownMs = Date.parse(end.shutdownOn);
  const noticeFromMs = shutdownMs - noticeDays * dayMs;
  const deprecatedMs = end.deprecatedOn === undefined ? noticeFromMs : Date.parse(end.deprecatedOn);
  return {
    ...end,
    noticeFromMs,
    headers: { deprecation: `@${deprecatedMs / 1000}`, sunset: new Date(shutdownMs).toUTCString() },
  };
}

/** When something ends or has ended, as the end of a sentence. Undefined before the notice begins. */
export function describeEnd(end: TargetEnd, now: number): string | undefined {
  const shutdownMs = Date.parse(end.shutdownOn);
  const days = Math.ceil((shutdownMs - now) / dayMs);
  if (days > noticeDays) return undefined;
  const when =
    days <= 0
      ? `shut down on ${end.shutdownOn}`
      : `shuts down on ${end.shutdownOn}, in ${days} ${days === 1 ? "day" : "days"}`;
  return end.successor === undefined ? when : `${when}; the vendor recommends ${end.successor}`;
}

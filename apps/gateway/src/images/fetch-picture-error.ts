/**
 * Why a picture can not be had:
 * - `refused`: the guard does not let anyone go there, or the name leads nowhere;
 * - `unreachable`: no connection, no trusted certificate, or the answer was cut;
 * - `bad_answer`: a status other than 200, too many redirects, or a compressed body.
 */
export type PictureFetchReason = "refused" | "unreachable" | "timed_out" | "bad_answer" | "too_large";

/** A picture that could not be fetched. The message may be shown to anyone; what the network said is in `cause`. */
export class PictureFetchError extends Error {
  constructor(
    readonly reason: PictureFetchReason,
    message: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = "PictureFetchError";
  }
}

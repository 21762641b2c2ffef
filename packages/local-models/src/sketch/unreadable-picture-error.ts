/** An input picture that cannot be used; the message says which one and why. */
export class UnreadablePictureError extends Error {
  override readonly name = "UnreadablePictureError";

  /** @param picture Which input it is: `image[0]`, `mask`. */
  constructor(
    readonly picture: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${picture} ${reason}`, options);
  }
}

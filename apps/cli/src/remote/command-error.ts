/** A command failed. The message is a sentence for the person at the terminal. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** Whether the same call may succeed later. */
  readonly isTransient: boolean;

  constructor(message: string, { isTransient = false }: { readonly isTransient?: boolean } = {}) {
    super(message);
    this.isTransient = isTransient;
  }
}

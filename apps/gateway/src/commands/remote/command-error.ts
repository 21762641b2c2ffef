/** A command failed. The message is a sentence for the person at the terminal. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** A text has more tokens than its model reads; nothing is ever cut off. */
export class InputTooLongError extends Error {
  override readonly name = "InputTooLongError";
  readonly index: number;
  readonly tokenCount: number;
  readonly maxTokens: number;

  constructor(refusal: { readonly index: number; readonly tokenCount: number; readonly maxTokens: number }) {
    super(
      `Text ${refusal.index} has ${refusal.tokenCount} tokens; the model reads at most ${refusal.maxTokens}.`,
    );
    this.index = refusal.index;
    this.tokenCount = refusal.tokenCount;
    this.maxTokens = refusal.maxTokens;
  }
}

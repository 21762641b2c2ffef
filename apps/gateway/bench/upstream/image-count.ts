/** The images that were bought, by their prompts. */
export class ImageCount {
  readonly prompts = new Map<string, number>();

  /** Returns how many images a request buys. */
  add(request: Buffer): number {
    const { prompt, n = 1 } = JSON.parse(request.toString()) as { prompt: string; n?: number };
    this.prompts.set(prompt, (this.prompts.get(prompt) ?? 0) + n);
    return n;
  }
}

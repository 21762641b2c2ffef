/** What may be asked at once, so that no other client of Redis waits long for its turn. */
const sizeMax = 64;

/**
 * Gathers what is asked in one turn of the event loop and has it answered together: under load that is one message for
 * many requests. Undefined is the answer where nobody could be asked.
 */
export class Batcher<Ask, Answer> {
  readonly #answerAll: (asks: readonly Ask[]) => Promise<readonly Answer[] | undefined>;
  #waiting: Waiting<Ask, Answer>[] = [];

  constructor(answerAll: (asks: readonly Ask[]) => Promise<readonly Answer[] | undefined>) {
    this.#answerAll = answerAll;
  }

  ask(ask: Ask): Promise<Answer | undefined> {
    return new Promise((answer) => {
      this.#waiting.push({ ask, answer });
      if (this.#waiting.length === 1) setImmediate(() => this.#send());
    });
  }

  #send(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < all.length; start += sizeMax)
      void this.#answer(all.slice(start, start + sizeMax));
  }

  async #answer(part: readonly Waiting<Ask, Answer>[]): Promise<void> {
    const answers = await this.#answerAll(part.map(({ ask }) => ask)).catch(() => undefined);
    for (const [index, { answer }] of part.entries()) answer(answers?.[index]);
  }
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  readonly answer: (answer: Answer | undefined) => void;
}

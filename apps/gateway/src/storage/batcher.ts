/** What may be asked at once, so that no other client of Redis waits long for its turn. */
const sizeMax = 64;

/**
 * Gathers what is asked in one turn of the event loop and has it answered together: under load that is one message for
 * many requests. Undefined is the answer where nobody could be asked.
 */
export class Batcher<Ask, Answer> {
  readonly #answerAll: (asks: readonly Ask[]) => Promise<readonly Answer[] | undefined>;
  #waiting: { readonly ask: Ask; readonly answer: (answer: Answer | undefined) => void }[] = [];

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
    for (let start = 0; start < all.length; start += sizeMax) {
      const part = all.slice(start, start + sizeMax);
      void this.#answerAll(part.map(({ ask }) => ask)).then((answers) => {
        for (const [index, { answer }] of part.entries()) answer(answers?.[index]);
      });
    }
  }
}

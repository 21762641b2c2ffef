/** The most texts of one call. */
export const textCount = 512;

const words =
  "the a of and to in is for that with as on by at from this when where while after before each every other same first last order customer account invoice payment refund password delivery address parcel warehouse contract manager report meeting budget quarter engineer server database backup network latency request response error failure deployment release version window kitchen garden window river mountain station ticket journey hotel weather winter summer doctor patient treatment medicine recipe butter flour oven morning evening yesterday tomorrow usually quickly carefully never always opens closes changes requires returns explains describes contains replaces arrives leaves measures compares recommends large small new old early late simple difficult expensive reliable international responsible unavailable temperature documentation".split(
    " ",
  );

/**
 * English sentences, the same in every run. Their lengths have the long tail of real corpora: half of the texts have up
 * to 30 words, one in ten more than 80. None is too long for the model.
 */
export function createTexts(): readonly string[] {
  const random = createRandom();
  return Array.from({ length: textCount }, (_, number) => {
    const length = Math.round(30 * Math.exp(0.8 * normal(random)));
    const count = Math.min(250, Math.max(3, length));
    const text = Array.from({ length: count }, (_, at) => {
      const word = words[Math.floor(random() * words.length)] ?? "";
      return at % 12 === 11 ? `${word}.` : word;
    });
    return `${number} ${text.join(" ")}.`;
  });
}

/** A linear congruential generator: numbers from 0 up to 1. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A normally distributed number, by the method of Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

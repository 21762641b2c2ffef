/** The local model that is measured. */
export const localModel = "all-MiniLM-L6-v2";

/** The order to a process that embeds texts: do so for this long. */
export interface EmbeddingJob {
  readonly ms: number;
}

export interface EmbeddingReport {
  readonly textsPerSecond: number;
}

const subjects = ["An invoice", "A recipe for bread", "The minutes of a meeting", "A letter from the bank"];
const details = ["that was paid twice", "with a page missing", "about the new office", "nobody has answered"];

/** Different texts of about 25 tokens each. */
export function createTexts(count: number): string[] {
  return Array.from({ length: count }, (_, number) => {
    const subject = subjects[number % subjects.length];
    const detail = details[Math.floor(number / subjects.length) % details.length];
    return `${subject} ${detail}, filed under number ${number} and found again by what it means, not by its words.`;
  });
}

/** The model that the measurements of local models are made with. */
export const localModel = "all-MiniLM-L6-v2";

const subjects = ["An invoice", "A recipe for bread", "The minutes of a meeting", "A letter from the bank"];
const matters = ["that was paid twice", "with a page missing", "about the new office", "nobody has answered"];

/** Different texts of some 25 tokens each. */
export function makeTexts(count: number): string[] {
  return Array.from({ length: count }, (_, number) => {
    const subject = subjects[number % subjects.length];
    const matter = matters[Math.floor(number / subjects.length) % matters.length];
    return `${subject} ${matter}, filed under number ${number} and found again by what it means, not by its words.`;
  });
}

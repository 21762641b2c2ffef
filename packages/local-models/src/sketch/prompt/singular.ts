const irregular: Readonly<Record<string, string>> = {
  children: "child",
  feet: "foot",
  geese: "goose",
  men: "man",
  mice: "mouse",
  oxen: "ox",
  people: "person",
  teeth: "tooth",
  women: "woman",
};

const rules: readonly (readonly [RegExp, string])[] = [
  [/(?:ss|us|is)$/, "$&"],
  [/(?<=.{2})ies$/, "y"],
  [/(?<=wol|lea|kni|hal|shel|loa|scar|thie)ves$/, "f"],
  [/(?<=ch|sh|s|x|z|tomato|potato|mango)es$/, ""],
  [/(?<=.{2})s$/, ""],
];

/** The singular of an English noun, by rule. It only has to agree with itself: names pass through it too. */
export function singular(word: string): string {
  const known = irregular[word];
  if (known !== undefined) return known;
  const rule = rules.find(([ending]) => ending.test(word));
  if (rule === undefined) return word;
  const stem = word.replace(rule[0], rule[1]);
  return stem === "knif" ? "knife" : stem;
}

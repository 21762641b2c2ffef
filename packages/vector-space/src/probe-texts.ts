/** Changes with the texts: vectors of two versions are not compared. */
export const probeTextsVersion = 1;

/**
 * The texts that two targets embed so that their spaces can be compared: some 300 tokens, in several languages and
 * lengths. Each is close in meaning to one or two others, so that an order of neighbours exists that a model must keep.
 */
export const probeTexts: readonly string[] = [
  "The cat sat on the mat.",
  "A kitten is sleeping on the rug.",
  "Die Katze liegt auf dem Teppich.",
  "El gato duerme en la alfombra.",
  "How do I reset my password?",
  "I cannot log in because I forgot my password, and the link in the e-mail has expired.",
  "Comment puis-je changer mon mot de passe ?",
  "Interest rates rose for the third time this year, and the central bank expects inflation to fall below three percent by the next summer.",
  "中央银行今年第三次提高利率。",
  "Shares fell after the company reported a loss.",
  "SELECT name, count(*) FROM orders GROUP BY name HAVING count(*) > 10;",
  "for (const order of orders) counts.set(order.name, (counts.get(order.name) ?? 0) + 1);",
  "Boil the pasta in salted water for nine minutes, keep a cup of the water, and stir both into the tomatoes with a little oil.",
  "トマトソースのパスタの作り方",
  "rain",
  "Heavy rain and strong wind are expected along the coast tonight; ferries may be cancelled at short notice.",
];

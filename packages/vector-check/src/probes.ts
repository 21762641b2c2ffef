/** Changes with the texts and the images: vectors of two versions are not compared. */
export const probesVersion = 1;

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

/** Width and height of each image, in pixels. */
export const probeImageSide = 256;

/**
 * The images that targets embed beside the texts, if they take images: PNGs as base64. Like the texts, they come in pairs
 * of neighbours. Large plain areas look the same however a server scales them, and take a few hundred bytes.
 * `probes.test.ts` draws them.
 */
export const probeImages: Readonly<Record<"disc" | "square" | "day" | "night", string>> = {
  disc: "iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAQMAAABmvDolAAAABlBMVEX////MAADNd7xaAAABlElEQVR42u2YS46EMAxEG7FgmSNwlByt+2gchSOwzALFs2hNN7Edl6IwiJFc2zyB7fBJ1ePhcrlcrjM1E+3W+khEtBpAJCLK4ALWJeY3UK/i+QYI3KF+j/ALJKsHqw/66GWXUCsifIFkl1Ar4vkF1EkMh3Va7Br1KqcjsNV3qr5f8Qhk0ITWRtGE1sZYAqvdhNZGKIFkd6n1GUsggy6VPtm6eKgGDiz2GOQgJg5srUDgQLLnJCcVOZBbAT5IMUqxzkY5SGBpA0YJrPYg+SghECSQ2oBZAnsbECWQ2wC5V2y3IKCsl9uJgEEDllOBUQPWFmDSgO1UIGhAuhaYNWC/FogakG8GaK9F8WI44IADfwH8i+/DHT6kd/ihXPDf7P+5X3AC6T8mnXBU6z8u9h9Z+4/N/Ud36A76DQj0ONgl9Rsx6PWgW+w3pNDzQtcMfTd27tD7w/QA5g8wwYAZCExRYA6DkxyYBcE0CeZRMNGCmRhO1WAuB5M9mA3idBHmkzDhhBkpTllhTguTXpwVw7TZ5XK5XFw/eLLCfAvIohgAAAAASUVORK5CYII=",
  square:
    "iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAQMAAABmvDolAAAABlBMVEX////MAADNd7xaAAAAMUlEQVR42u3KMREAAAgEoO9fWgvouTnBTALArUaCIAiCIAiCIAiCIAiCIAiC8BsA2DQiqxHCrQ84PwAAAABJRU5ErkJggg==",
  day: "iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAgMAAAAhHED1AAAADFBMVEVmsv//3TMzmTPMmWZ5e8NWAAAA5ElEQVR42u3XSw6CQBAFQFhwBO/jEVgwl/SSmhg/sJCYflGI1lszlekOge6uExEREflsDq219Hwi9NfzbQwvUL/C7QL1Kwx3YAorqNbwqKBaw/AEprCCYg2z8+24BdDPgTHrYa2L8x6WuhgDi/OVLqZAvwTG7wPDEpj+EVi+R4U3CQAA7AXwSdvDj2X7n+sOBox4RoqntO0HzXxWjqf1eF+IN5Z8Z4q3tnhvzDfXeHfOt3cRkRc5rwQAAAAAAAAAAAD8PnBayRpwfwYAAAAAAMB/Ae8EAAAAAAAAAAAAAAAAwM8DF/OjXACegzMSAAAAAElFTkSuQmCC",
  night:
    "iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAgMAAAAhHED1AAAADFBMVEURETPu7t0RMxFEMyJwZJnAAAAA6ElEQVR42u3YMQ6DMBQEUbtwn8b34Qgu2EvmkkmBSDoUMSAkMlvDk/fbyBKlGGOMMcacmwd8v0/s/Rq6gNAFzAxoGbTBBBtAoCW0AQRCN4ECNXAXGwX65UDoOaJAvRxoAqUL3AUYAuxeOATIpUALPEnHAIMCZBtq4BQxUEKnGDrFTqfYaYdGOyzbMNMpkg6hS+h0CcsUgVDzyUAd9n8Sa4fdg6ywwbcDPIzkOPcccTv4D8MYc0JeGxEQEBAQEBAQEBAQuD/w3MgWsD4jICAgICAg8F/ALxEQEBAQEBAQEBAQEBAQELg98AZAg7LP0ji8GAAAAABJRU5ErkJggg==",
};

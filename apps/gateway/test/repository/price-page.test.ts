import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import type { CatalogueRow } from "@model-gateway/catalogue/catalogue-file";
import { priceOfRates } from "@model-gateway/catalogue/rates";
import type { Price } from "@model-gateway/domain/price";
import { expect, test } from "vitest";
import { embeddingCost } from "../../src/embeddings/cost.js";
import { type ImageWork, imageCost } from "../../src/images/cost.js";

const writePage = "Run in apps/gateway: npx vitest run test/repository/price-page.test.ts -u";
const catalogue = builtInCatalogue();

test("the bills on the page about prices are those that the gateway computes", async () => {
  const file = new URL("../../../docs/guides/prices.md", import.meta.url);

  await expect(page(), writePage).toMatchFileSnapshot(file.pathname);
});

function rowOf(provider: string, model: string): CatalogueRow & { readonly price: Price } {
  const row = catalogue.find({ provider, model });
  const price = row?.prices && priceOfRates(row.prices, row.kind);
  if (row === undefined || price === undefined) throw new Error(`${model} has no price.`);
  return { ...row, price };
}

function embeddingBill(provider: string, model: string, tokens: number): string {
  const row = rowOf(provider, model);
  return billLine(row, `${number(tokens)} tokens of text`, embeddingCost(row.price, tokens));
}

function imageBill(provider: string, model: string, what: string, work: Omit<ImageWork, "price">): string {
  const row = rowOf(provider, model);
  return billLine(row, what, imageCost({ price: row.price, isListPrice: true, ...work }));
}

function billLine({ model, sources }: CatalogueRow, what: string, nanos: number | null) {
  const source = sources.find(({ facts }) => facts?.includes("prices"));
  if (source === undefined) throw new Error(`No page has the prices of ${model}.`);
  const { url, read_on, dated, quoted_by } = source;
  const quoted = quoted_by === undefined ? "" : `, as [quoted](${quoted_by})`;
  const page = `[${new URL(url).hostname}](${url}), ${dated ?? `read ${read_on}`}${quoted}`;
  return `| \`${model}\` | ${what} | $${dollars(nanos)} | ${page} |`;
}

/** Exact, without the last digits of a binary fraction. */
function dollars(nanos: number | null): string {
  if (nanos === null) throw new Error("A bill of the page is unknown.");
  return (nanos / 1e9).toFixed(9).replace(/0+$/, "").replace(/\.$/, "");
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}

const imageUsage = {
  input_tokens: 3000,
  input_tokens_details: {
    text_tokens: 1000,
    image_tokens: 2000,
    cached_tokens: 1600,
    cached_tokens_details: { text_tokens: 600, image_tokens: 1000 },
  },
  output_tokens: 4360,
  output_tokens_details: { text_tokens: 0, image_tokens: 4360 },
  total_tokens: 7360,
};

const openAiTokens =
  "400 text tokens and 600 cached, 1,000 image tokens and 1,000 cached, 4,160 tokens of an image and 2 partial images of 100 tokens";

/** Gemini's models think in text, at the price of text. */
const thoughtfulUsage = {
  input_tokens: 1220,
  input_tokens_details: { text_tokens: 100, image_tokens: 1120 },
  output_tokens: 1420,
  output_tokens_details: { text_tokens: 300, image_tokens: 1120 },
  total_tokens: 2640,
};

type Fact = NonNullable<CatalogueRow["sources"][number]["facts"]>[number];

/** How much of the catalogue was read. */
function evidence(): string {
  const count = (fact: Fact) =>
    catalogue.rows.filter(({ sources }) => sources.some(({ facts }) => facts?.includes(fact))).length;
  const silent = catalogue.rows.filter(({ sources }) => sources.length === 0).length;
  return `The catalogue of ${catalogue.date} has ${catalogue.rows.length} models. ${count("prices")} of them have a price, ${count("widths")} a width, ${count("limits")} a limit of tokens, and ${count("end")} an end or a successor. Of ${silent} it says only that the gateway can call them.`;
}

/** The price of the example on the page. */
const tokenPrice = {
  perMillionInputTokens: { text: 5, cachedText: 1.25, image: 8, cachedImage: 2 },
  perMillionOutputTokens: { text: 10, image: 30 },
};

/** An operator's price has no page. */
function ownBill(model: string, what: string, work: ImageWork): string {
  return `| \`${model}\` | ${what} | $${dollars(imageCost(work))} | Your own |`;
}

function page(): string {
  return `# Prices and shutdown dates

The gateway has a catalogue of facts about providers' models: width, limits, list prices, the day of shutdown and the successor. It is a file, \`packages/catalogue/src/catalogue.json\`, with a date. ${evidence()}

## Evidence

A price, a width or a limit is in the catalogue only if it was read in the vendor's own text: a page, an SDK, or a repository of the vendor. The row names that text in \`sources\`, the facts that were read there, and the day. \`dated\` is the date of the text itself, where it has one. Price lists of others, blogs and resellers do not count: a price that was not found is unknown.

Ends have a weaker rule, because a missing one costs an outage, and a wrong one costs a look. An end may be quoted: \`quoted_by\` then names the text that quotes the vendor's page. A price may be quoted too if two independent texts agree: those of \`gpt-image-2\` and \`gpt-image-2.5\`, of four Gemini models and of three of Stability AI are. The schema refuses anything else.

The operator's values win: \`price\` on a target or a model, and \`shutdownDate\` on a model. List prices hold only for the vendor's own hosts. The same model at a proxy has no known price.

\`GET /v1/models\` has the \`pricing\` and the \`shutdown_date\` of each model. A price is a list of rates, and a request costs the sum of those that fit it:

| Field | Values |
| --- | --- |
| \`billable\` | \`input_text\`, \`input_image\`, \`output_text\`, \`output_image\` |
| \`unit\` | \`token\`, \`image\`, \`megapixel\`, \`second\`, \`request\` |
| \`usd\`, \`per\` | The price in US dollars, and the number of units that it is for |
| \`variant\` | The units that it is for: \`size\`, \`quality\`, \`cached\`, \`megapixel\` (\`first\` or \`further\`). Absent: all |

## Worked bills

The ledger has these costs for these requests. The tests compute this table with the code that writes the ledger.

| Model | Billed | Cost | Prices from |
| --- | --- | --- | --- |
${[
  embeddingBill("openai", "text-embedding-3-small", 8000),
  embeddingBill("voyage", "voyage-4-large", 8000),
  imageBill("bfl", "flux-pro-1.1", "2 images", { images: [{}, {}] }),
  imageBill("bfl", "flux-2-pro", "An image of 1920x1080: the first megapixel and a further one", {
    images: [{ size: "1920x1080" }],
  }),
  imageBill("bfl", "flux-2-pro", "The same, edited from an image of one megapixel", {
    images: [{ size: "1920x1080" }],
    inputMegapixels: 1,
  }),
  imageBill("bfl", "flux-2-pro", "A reply that reports a cost of 4.5 credits", {
    images: [{ size: "1920x1080" }],
    reportedUsd: 0.045,
  }),
  imageBill("ideogram", "ideogram-v3", "2 images of high quality", {
    images: [{ quality: "high" }, { quality: "high" }],
  }),
  imageBill("recraft", "recraftv3", "2 images, and a reply that reports a cost of 80 units", {
    images: [{}, {}],
    reportedUsd: 0.08,
  }),
  imageBill("openai", "gpt-image-2", openAiTokens, { images: [{}], usage: imageUsage }),
  imageBill("openai", "gpt-image-2.5-flare", "The same", { images: [{}], usage: imageUsage }),
  imageBill("openai", "gpt-image-2.5-sunburst", "The same", { images: [{}], usage: imageUsage }),
  imageBill(
    "gemini",
    "gemini-3-pro-image",
    "100 text tokens, an input image of 1,120, an image of 1,120 and 300 tokens of thoughts",
    { images: [{}], usage: thoughtfulUsage },
  ),
  ownBill("any", "The first of these four, at the price [below](#your-own-prices)", {
    price: tokenPrice,
    images: [{}],
    usage: imageUsage,
  }),
  ownBill("any", "An image of 1536x1024 in medium quality, at `1536x1024: { medium: 0.05 }`", {
    price: { perImage: { "1536x1024": { medium: 0.05 } } },
    images: [{ size: "1536x1024", quality: "medium" }],
  }),
  ownBill("gemini-3-pro-image", "An image of 4096x4096, at `4K: 0.24`", {
    price: { perImage: { "4K": 0.24 } },
    images: [{ size: "4096x4096" }],
  }),
  ownBill("fal-ai/flux/schnell", "An image of 1920x1080, at `perMegapixel: 0.003`: 2 megapixels", {
    price: { perMegapixel: 0.003 },
    images: [{ size: "1920x1080" }],
  }),
  ownBill("owner/model on Replicate", "2.4 seconds, at `perSecond: 0.0014`", {
    price: { perSecond: 0.0014 },
    images: [{}],
    computeSeconds: 2.4,
  }),
].join("\n")}

A megapixel is 1024 x 1024 pixels, and a part of one counts as a whole one. The size is that of the created image.

The gateway takes the first of these that is known:

1. The cost that the upstream reports: \`cost\` of Black Forest Labs, \`credits\` of Recraft, or \`usage.cost\` of a service with OpenAI's API, for images and for embeddings. It counts more than a list price, and less than your own \`price\`. The cost of one call that several requests share is divided by their tokens.
2. The tokens that the upstream reports, if tokens have a price. Cached tokens whose kind is not reported count as text first, and then as images.
3. The seconds that the upstream reports, such as \`predict_time\` of Replicate, if a second has a price.
4. The megapixels, or else the size and quality, of the images that were returned.

If none is known, the cost is unknown. It is never counted as 0.

## Your own prices

Set a \`price\` for each model that you bill for and the catalogue does not price. This is the form for GPT image models, with the list prices of \`gpt-image-2\`:

\`\`\`yaml
models:
  gpt-image-2:
    type: image
    price:
      perMillionInputTokens: { text: 5, cachedText: 1.25, image: 8, cachedImage: 2 }
      perMillionOutputTokens: { text: 10, image: 30 }
    targets: [{ upstream: openai, model: gpt-image-2 }]
\`\`\`

[Limits and budgets](limits-and-budgets.md#prices) has the forms of \`price\` in the configuration.

## The end of a model

A model has a \`shutdown_date\` if its last target has one. From 60 days before that day, and after it:

- responses have \`Deprecation\` ([RFC 9745](https://www.rfc-editor.org/rfc/rfc9745)) and \`Sunset\` ([RFC 8594](https://www.rfc-editor.org/rfc/rfc8594));
- \`check\`, \`doctor\` and each start warn about each target that ends, and name the vendor's successor;
- the console shows the day and the successor beside the target.

The gateway goes on calling the model. Without a day of announcement, \`Deprecation\` has the first of the 60 days.

## A newer catalogue

A release brings a newer catalogue. Between releases, a signed one can be installed without another version:

\`\`\`sh
npx @model-gateway/gateway catalogue update --from catalogue.json --public-key catalogue-key.pub.pem --dry-run
npx @model-gateway/gateway catalogue update --from catalogue.json --public-key catalogue-key.pub.pem
\`\`\`

The command reads the file and its signature, \`catalogue.json.sig\`. A URL is taken as well, if it begins with \`https\` and does not lead to a private address. It checks the signature and the format, prints each model that was added, removed or changed, and writes \`catalogue.json\` to the data folder. A running gateway uses it within seconds. A catalogue that is older than the one in use is refused. The later of the built-in catalogue and that of the data folder counts.

The project publishes no signed catalogue between releases yet. Sign your own with OpenSSL:

\`\`\`sh
openssl genpkey -algorithm ed25519 -out catalogue-key.pem
openssl pkey -in catalogue-key.pem -pubout -out catalogue-key.pub.pem
openssl pkeyutl -sign -rawin -inkey catalogue-key.pem -in catalogue.json | base64 > catalogue.json.sig
\`\`\`

\`apps/gateway/generated/catalogue.schema.json\` is its JSON Schema.
`;
}

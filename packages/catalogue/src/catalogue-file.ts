import { modelFacts } from "@model-gateway/domain/model-facts";
import { modelTypes } from "@model-gateway/domain/operations";
import { name, positive } from "@model-gateway/domain/settings";
import { z } from "zod";
import { readNamePattern } from "./name-pattern.js";

/** The format of the catalogue: facts about providers' models, each with the vendor's page where it was read. */

const date = z.iso.date({ error: "must be a date such as 2027-06-30" });
const host = z.string().regex(/^[a-z0-9*.:-]{1,253}$/, "must be a host name");
const page = z
  .string()
  .max(500)
  .regex(/^[a-z0-9.-]+(\/[\w.-]+)*$/, "must be a domain, or a domain and a path");

const rateSchema = z.strictObject({
  billable: z
    .enum(["input_text", "input_image", "output_text", "output_image"])
    .describe("The billed thing. Vectors are billed by their input."),
  unit: z
    .enum(["token", "image", "megapixel", "second", "request"])
    .describe(
      "The counted thing. A megapixel is 1024 x 1024 pixels, and a part of one counts as a whole one. A second is one of the provider's hardware.",
    ),
  usd: z.number().min(0).max(1000).describe("The price in US dollars, as the vendor writes it."),
  per: positive.max(1_000_000).optional().describe("The number of units that the price is for. Default: 1."),
  variant: z
    .strictObject({
      size: name.optional().describe("Only images of this size: 1024x1024, or 0.5K, 1K, 2K or 4K."),
      quality: name.optional().describe("Only images of this quality."),
      cached: z.literal(true).optional().describe("Only tokens that the provider had in its cache."),
      megapixel: z
        .enum(["first", "further"])
        .optional()
        .describe("Only the first megapixel of an image, or each further one."),
    })
    .optional()
    .describe("The units that the price is for. Default: all."),
});

/** The facts that need evidence, and the fields of a row that each stands for. */
const factFields = {
  prices: ["prices"],
  widths: ["dimensions", "matryoshka", "widths"],
  limits: ["limits"],
  end: ["deprecated_on", "shutdown_on", "successor"],
  traits: ["modalities", "output_dtypes", "input_types", "options", "fields"],
} as const;
const factNames = Object.keys(factFields) as (keyof typeof factFields)[];

const sourceSchema = z.strictObject({
  url: z.url({ protocol: /^https$/ }).describe("A page of the vendor."),
  facts: z
    .array(z.enum(factNames))
    .optional()
    .describe("The facts of this row that were read there. Absent: only that the model exists."),
  read_on: date.describe("The day on which its text was read. The text may be older."),
  dated: date.optional().describe("The date of the text itself. Absent: unknown."),
  quoted_by: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe(
      "A public text that quotes the page, which itself was not read. Only for ends, and for prices with two.",
    ),
});

const modelSchema = z.strictObject({
  provider: name.describe("A key of providers."),
  model: name.describe("The name of the model at the provider."),
  id: name.optional().describe("The id that callers use where it is not the name."),
  kind: z.enum(modelTypes).describe("The type of the model in the configuration."),
  ...modelFacts,
  regions: z
    .array(name)
    .optional()
    .describe(
      "The regions or locations where it can be called by its name. * matches any text. Default: all.",
    ),
  prices: z.array(rateSchema).min(1).max(100).optional().describe("Its list prices. Absent: unknown."),
  deprecated_on: date.optional().describe("The day on which the vendor announced its end."),
  shutdown_on: date.optional().describe("The day on which the vendor shuts it down."),
  successor: name.optional().describe("The model that the vendor recommends instead."),
  sources: z
    .array(sourceSchema)
    .max(10)
    .describe("The vendor's pages that were read. Empty: the row only says that the gateway can call it."),
});

const patternsMax = 100;

const familySchema = z
  .strictObject({
    provider: name.describe("A key of providers."),
    models: z
      .array(
        name.refine((pattern) => readNamePattern(pattern) !== undefined, {
          error: "must be a name or a pattern: * for any text, and (4+) once for the number 4 or a later one",
        }),
      )
      .min(1)
      .max(patternsMax)
      .describe(
        "Names, or patterns. * matches any text. (4+) matches the number 4, and a later one, whose facts are then assumed. So are those of a pattern between two stars.",
      ),
    ...modelFacts,
    sources: z
      .array(sourceSchema)
      .max(10)
      .describe("The vendor's pages that were read. Empty: none is recorded."),
  })
  .describe(
    "Models with the same facts. The first one that fits a name holds, and the facts of its own row win.",
  );

/** A file is small. The bound is for files from elsewhere. */
const modelsMax = 5000;
const familiesMax = 500;

export const catalogueSchema = z
  .strictObject({
    $schema: z.string().optional(),
    date: date.describe("The version of the catalogue. A later one replaces an earlier one."),
    providers: z
      .record(
        name,
        z.strictObject({
          hosts: z.array(host).min(1).describe("The hosts that its prices hold for. * matches any text."),
          pages: z
            .array(page)
            .min(1)
            .describe("The domains of the vendor's own pages, and paths such as github.com/vendor."),
        }),
      )
      .describe("By the name of the provider in the configuration, or of a service with OpenAI's API."),
    models: z.array(modelSchema).max(modelsMax),
    families: z.array(familySchema).max(familiesMax),
  })
  .superRefine(({ providers, models, families }, context) => {
    for (const [index, { provider, sources }] of families.entries()) {
      const report = (key: string, message: string) =>
        context.addIssue({ code: "custom", path: ["families", index, key], message });
      if (!Object.hasOwn(providers, provider)) report("provider", unknownVendor(provider));
      else if (!sources.every(({ url }) => isOnPages(url, providers[provider]?.pages ?? [])))
        report("sources", "must be pages of the vendor");
    }
    const seen = new Set<string>();
    for (const [index, row] of models.entries()) {
      const { provider, model, sources } = row;
      const report = (key: string, message: string) =>
        context.addIssue({ code: "custom", path: ["models", index, key], message });
      const vendor = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
      if (vendor === undefined) report("provider", unknownVendor(provider));
      else if (!sources.every(({ url }) => isOnPages(url, vendor.pages)))
        report("sources", "must be pages of the vendor");
      if (sources.some(isQuotedFigure)) report("sources", "may be quoted only for ends and prices");
      if (sources.filter(isQuotedPrice).length === 1) report("sources", "must quote a price twice");
      const unread = factNames.filter((fact) => isStated(row, fact) && !isRead(row, fact));
      if (unread.length > 0) report("sources", `must include a page for: ${unread.join(", ")}`);
      const key = JSON.stringify([provider, model]);
      if (seen.has(key)) report("model", "is listed twice");
      seen.add(key);
    }
  });

function unknownVendor(provider: string): string {
  return `has no entry ${JSON.stringify(provider)} in providers: its hosts and pages`;
}

function isStated(row: CatalogueRow, fact: keyof typeof factFields): boolean {
  return factFields[fact].some((field) => row[field] !== undefined);
}

function isRead({ sources }: CatalogueRow, fact: keyof typeof factFields): boolean {
  return sources.some(({ facts }) => facts?.includes(fact));
}

/** A missing end is worse than a doubtful one: it costs an outage, and a warning too many costs a look. */
function isQuotedFigure({ facts = [], quoted_by }: z.output<typeof sourceSchema>): boolean {
  return quoted_by !== undefined && facts.some((fact) => fact !== "end" && fact !== "prices");
}

/** One text may have misread the page. Two that agree are enough for a model that most people pay for. */
function isQuotedPrice({ facts = [], quoted_by }: z.output<typeof sourceSchema>): boolean {
  return quoted_by !== undefined && facts.includes("prices");
}

function isOnPages(url: string, pages: readonly string[]): boolean {
  // The field has its own fault then, and this check runs all the same.
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return pages.some((page) => {
    const [domain, ...folders] = page.split("/");
    const isHost = hostname === domain || hostname.endsWith(`.${domain}`);
    return isHost && `${pathname}/`.startsWith(["", ...folders, ""].join("/"));
  });
}

export type CatalogueFile = z.output<typeof catalogueSchema>;
export type CatalogueFamily = z.output<typeof familySchema>;
export type CatalogueRow = z.output<typeof modelSchema>;
/** One price of a model. */
export type Rate = z.output<typeof rateSchema>;

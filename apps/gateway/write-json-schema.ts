/** Writes the JSON Schemas of the configuration file and of the catalogue, for editors. The build runs it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { catalogueSchema } from "@model-gateway/catalogue/catalogue-file";
import { configSchema } from "@model-gateway/config/schema/schema";
import { z } from "zod";

const folder = new URL("generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
write("config.schema.json", configSchema, {
  // The form that SchemaStore wants, from whose list editors learn which files a schema is for.
  $id: "https://json.schemastore.org/model-gateway.json",
  title: "Model Gateway configuration",
});
write("catalogue.schema.json", catalogueSchema, { title: "Model Gateway catalogue" });

function write(
  file: string,
  type: z.ZodType,
  names: { readonly $id?: string; readonly title: string },
): void {
  // Of the drafts, editors know the seventh best.
  const schema = { ...names, ...z.toJSONSchema(type, { io: "input", target: "draft-7" }) };
  writeFileSync(new URL(file, folder), `${JSON.stringify(schema, null, 2)}\n`);
}

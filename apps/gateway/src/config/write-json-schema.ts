/** Writes the JSON Schemas of the configuration file and of the catalogue, for editors. The build runs it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { catalogueSchema } from "../catalogue/catalogue-file.js";
import { configSchema } from "./schema/schema.js";

const folder = new URL("../../../generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
write("config.schema.json", "Model Gateway configuration", configSchema);
write("catalogue.schema.json", "Model Gateway catalogue", catalogueSchema);

function write(file: string, title: string, type: z.ZodType): void {
  const schema = z.toJSONSchema(type, { io: "input", target: "draft-2020-12" });
  writeFileSync(new URL(file, folder), `${JSON.stringify({ title, ...schema }, null, 2)}\n`);
}

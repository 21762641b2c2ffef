/** Writes the JSON Schema of the configuration file, for editors. The build runs it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { configSchema } from "./schema/schema.js";

const folder = new URL("../../../generated/", import.meta.url);
const schema = z.toJSONSchema(configSchema, { io: "input", target: "draft-2020-12" });
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL("config.schema.json", folder),
  `${JSON.stringify({ title: "Model Gateway configuration", ...schema }, null, 2)}\n`,
);

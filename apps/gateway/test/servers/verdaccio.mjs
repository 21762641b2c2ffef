/**
 * The program of `npm-registry.ts`: it serves a registry on a free port, keeps its packages in the folder that is named,
 * and asks no other registry. It ends with the process that has started it.
 */
import { once } from "node:events";
import { join } from "node:path";
import { runServer } from "verdaccio";

const [folder = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit());
const server = await runServer({
  self_path: join(folder, "config.yaml"),
  storage: join(folder, "storage"),
  auth: { htpasswd: { file: join(folder, "htpasswd") } },
  packages: { "@model-gateway/*": { access: "$all", publish: "$authenticated" } },
  // As large as the packages with the weights and with the libraries of a platform, in base64.
  max_body_size: "300mb",
  web: { enable: false },
  log: { type: "stdout", format: "pretty", level: "error" },
});
await once(server.listen(0, "127.0.0.1"), "listening");
process.send?.(server.address().port);

/** `npm run dev`: serves from the sources, and restarts when one of them changes. */
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";
import { watchGateway } from "./watch-gateway.mjs";

await prepare();
watchGateway({
  source: fileURLToPath(new URL("src/", import.meta.url)),
  // Beside `dist`, so that the bundle finds the same packages.
  out: fileURLToPath(new URL(".dev/", import.meta.url)),
  args: process.argv.slice(2),
});

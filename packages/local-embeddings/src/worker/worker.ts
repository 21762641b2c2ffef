import { constants, setPriority } from "node:os";
import { platform } from "node:process";
import { type MessagePort, parentPort } from "node:worker_threads";
import { reasonOf } from "../errors.js";
import { type LoadedModel, loadModel } from "./load-model.js";
import type { WorkerReply, WorkerRequest } from "./worker-slot.js";

// The entry of a worker thread. It loads a model for its first text and keeps it.
if (parentPort) {
  lowerPriority();
  serve(parentPort);
}

/**
 * Requests to other upstreams must not wait for local inference. With the lowest priority, on the other hand, inference
 * would not get on at all beside other busy processes. On Linux the priority applies to the calling thread; elsewhere it
 * would apply to the whole process, including the gateway.
 */
function lowerPriority(): void {
  if (platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

function serve(port: MessagePort): void {
  const models = new Map<string, LoadedModel>();
  port.on("message", async (request: WorkerRequest) => {
    const reply = await handle(request, models);
    port.postMessage(reply, reply.kind === "embedded" ? [reply.vector.buffer] : []);
  });
}

async function handle(request: WorkerRequest, models: Map<string, LoadedModel>): Promise<WorkerReply> {
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

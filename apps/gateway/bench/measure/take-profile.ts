import { ask, stopProgram } from "../processes.js";
import { benchKey, gateway } from "../rivals/gateway.js";
import type { ProbeCommand } from "../rivals/gateway-probe.js";
import { smallEmbedding } from "../workloads/embeddings.js";
import type { Testbed } from "./testbed.js";

/** Takes a CPU profile of the gateway under the smallest request, once V8 has compiled its code. */
export async function takeProfile(testbed: Testbed): Promise<unknown> {
  const { child, port } = await gateway.start(testbed);
  const askProbe = (command: ProbeCommand) => ask(child, command);
  const load = (windowMs: number, requestsMin: number) =>
    testbed.load({
      workload: smallEmbedding.name,
      label: "JSON",
      port,
      headers: { authorization: `Bearer ${benchKey}` },
      concurrency: 32,
      windowMs,
      windowMsMax: 20_000,
      requestsMin,
      samplesMax: 16,
    });
  try {
    await load(2000, 10_000);
    await askProbe("start profile");
    await load(8000, 1);
    const { profile } = (await askProbe("stop profile")) as { profile: unknown };
    return profile;
  } finally {
    await stopProgram(child);
  }
}

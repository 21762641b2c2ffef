import type { BenchGround } from "../measure/bench-ground.js";
import { nextMessage, stopProgram } from "../processes.js";
import { benchKey, gateway } from "../rivals/gateway.js";
import type { WatchOrder } from "../watch-gateway.js";
import type { CpuProfile } from "./self-times.js";

/** A CPU profile of the gateway under the smallest request, begun when its code is compiled. */
export async function takeProfile(ground: BenchGround): Promise<CpuProfile> {
  const { child, port } = await gateway.start(ground);
  const tell = async (order: WatchOrder): Promise<unknown> => {
    const answered = nextMessage(child);
    child.send(order);
    return answered;
  };
  const load = (windowMs: number, requestsMin: number) =>
    ground.load({
      workload: "small-embedding",
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
    await tell("begin profile");
    await load(8000, 1);
    const { profile } = (await tell("end profile")) as { profile: CpuProfile };
    return profile;
  } finally {
    await stopProgram(child);
  }
}

import { arch, cpus, platform, release, totalmem } from "node:os";

export function describeMachine(): string {
  const [first] = cpus();
  // Where the system does not name the processor, its architecture must do.
  const model =
    first === undefined || first.model === "unknown" ? `${arch()} cores` : `cores of ${first.model}`;
  return `${cpus().length} ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release().split("-")[0]}`;
}

import { execFileSync } from "node:child_process";

/** The processes that a process has started and that are alive. */
export function childrenOf(parent: number): number[] {
  return processes()
    .filter(({ ppid }) => ppid === parent)
    .map(({ pid }) => pid);
}

/** The processes that are alive. */
export function aliveOf(pids: readonly number[]): number[] {
  const alive = new Set(processes().map(({ pid }) => pid));
  return pids.filter((pid) => alive.has(pid));
}

function processes(): { pid: number; ppid: number }[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, ppid, state] = line.trim().split(/\s+/);
    // A dead process whose parent has not waited for it is still listed, as a Z.
    return state === undefined || state.startsWith("Z") ? [] : { pid: Number(pid), ppid: Number(ppid) };
  });
}

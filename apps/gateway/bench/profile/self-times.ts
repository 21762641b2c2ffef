/** A CPU profile as V8 writes it. https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

/** The share of time spent in a function itself, without the functions it calls. */
export interface SelfTime {
  /** The package, the file of the gateway, or the module of Node. */
  readonly owner: string;
  /** The function with its file and line. */
  readonly location: string;
  readonly share: number;
}

/** Self time by function as a share of the time in which the process was not idle, largest first. */
export function selfTimes({ nodes, samples = [], timeDeltas = [] }: CpuProfile): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, { owner: string; location: string; time: number }>();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const time = timeDeltas[index] ?? 0;
    if (frame === undefined || frame.functionName === "(idle)") continue;
    const owner = ownerOf(frame.functionName, frame.url);
    const location = locationOf(frame);
    const known = times.get(`${owner} ${location}`) ?? { owner, location, time: 0 };
    times.set(`${owner} ${location}`, { ...known, time: known.time + time });
    total += time;
  }
  return [...times.values()]
    .map(({ owner, location, time }) => ({ owner, location, share: time / total }))
    .sort((a, b) => b.share - a.share);
}

/** Self time by owner, largest first. */
export function byOwner(times: readonly SelfTime[]): Omit<SelfTime, "location">[] {
  const shares = new Map<string, number>();
  for (const { owner, share } of times) shares.set(owner, (shares.get(owner) ?? 0) + share);
  return [...shares].map(([owner, share]) => ({ owner, share })).sort((a, b) => b.share - a.share);
}

function ownerOf(functionName: string, url: string): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "native";
  if (url.startsWith("node:")) return url.replace(/^(node:internal\/[^/]+|node:[^/]+).*/, "$1");
  const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  return packageName ?? /\/(?:dist|src)\/(.+)$/.exec(url)?.[1] ?? url;
}

function locationOf({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  return url === "" ? name : `${name} ${url.slice(url.lastIndexOf("/") + 1)}:${lineNumber + 1}`;
}

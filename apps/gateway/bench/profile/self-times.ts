/** A CPU profile as V8 writes it. https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

/** Where time was spent itself, not in what was called from there. */
export interface SelfTime {
  /** The package, or the file of the gateway, or the part of Node. */
  readonly owner: string;
  /** The function and its line. */
  readonly place: string;
  readonly share: number;
}

/** The time of each function as a share of all time in which the process was not idle, longest first. */
export function selfTimes({ nodes, samples = [], timeDeltas = [] }: CpuProfile): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, { owner: string; place: string; time: number }>();
  let total = 0;
  for (const [at, id] of samples.entries()) {
    const frame = frames.get(id);
    const time = timeDeltas[at] ?? 0;
    if (frame === undefined || frame.functionName === "(idle)") continue;
    const owner = ownerOf(frame.functionName, frame.url);
    const place = placeOf(frame);
    const known = times.get(`${owner} ${place}`) ?? { owner, place, time: 0 };
    times.set(`${owner} ${place}`, { ...known, time: known.time + time });
    total += time;
  }
  return [...times.values()]
    .map(({ owner, place, time }) => ({ owner, place, share: time / total }))
    .sort((a, b) => b.share - a.share);
}

/** The same, summed by owner. */
export function byOwner(times: readonly SelfTime[]): Omit<SelfTime, "place">[] {
  const shares = new Map<string, number>();
  for (const { owner, share } of times) shares.set(owner, (shares.get(owner) ?? 0) + share);
  return [...shares].map(([owner, share]) => ({ owner, share })).sort((a, b) => b.share - a.share);
}

function ownerOf(functionName: string, url: string): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "native";
  if (url.startsWith("node:")) return url.replace(/^(node:internal\/[^/]+|node:[^/]+).*/, "$1");
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  return installed ?? /\/(?:dist|src)\/(.+)$/.exec(url)?.[1] ?? url;
}

function placeOf({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  return url === "" ? name : `${name} ${url.slice(url.lastIndexOf("/") + 1)}:${lineNumber + 1}`;
}

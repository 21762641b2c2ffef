/** A function in a CPU profile, as V8's inspector writes it. */
export interface CallFrame {
  readonly functionName: string;
  /** Empty for native functions and for code without a file. */
  readonly url: string;
  /** Line and column start at 0. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  /** The leaf of the stack at each sample. */
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before it. */
  readonly timeDeltas: readonly number[];
}

/** The file that a function was written in: below `modules/` for the gateway's code. */
export type SourceOf = (frame: CallFrame) => string;

/** The parts of the main thread's time, in the order of the page: first those that a bare proxy does not have. */
export const mainParts = [
  "validator",
  "router",
  "log",
  "ledger and metrics",
  "verification of vectors",
  "HTTP to the caller",
  "HTTP to the upstream",
  "other code of the gateway",
  "garbage collector",
  "event loop and other code of Node",
] as const;
export type MainPart = (typeof mainParts)[number];

/**
 * The share of each part in the busy time of the main thread. A sample belongs to the nearest function, from the leaf of
 * its stack upwards, that has an owner: a system call belongs to the library that made it.
 */
export function sharesOf(profile: CpuProfile, sourceOf: SourceOf): ReadonlyMap<MainPart, number> {
  const owners = ownersOf(profile, sourceOf);
  const micros = new Map<MainPart, number>(mainParts.map((part) => [part, 0]));
  let busy = 0;
  profile.samples.forEach((id, index) => {
    const owner = owners.get(id);
    const delta = Math.max(0, profile.timeDeltas[index] ?? 0);
    if (owner === undefined || owner === "left out") return;
    micros.set(owner, (micros.get(owner) ?? 0) + delta);
    busy += delta;
  });
  return new Map([...micros].map(([part, spent]) => [part, busy === 0 ? 0 : spent / busy]));
}

/** Where the CPU time of one request goes. */
export interface RequestTime {
  /** CPU time of all threads; undefined where the system does not provide it. */
  readonly micros: number | undefined;
  readonly parts: readonly RequestPart[];
  /** The CPU time of the bare proxy under the same load. */
  readonly bareMicros: number | undefined;
}

export interface RequestPart {
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
  readonly micros: number | undefined;
}

/** CPU time per request. */
export interface ThreadMicros {
  readonly main: number;
  readonly sqlite: number;
  /** V8's threads compile code and collect garbage. */
  readonly others: number;
}

/** Divides the main thread's time by its profile, and puts the other threads beside it: the sum is the whole request. */
export function divideTime(
  shares: ReadonlyMap<MainPart, number>,
  threads: ThreadMicros | undefined,
): Omit<RequestTime, "bareMicros"> {
  if (threads === undefined)
    return {
      micros: undefined,
      parts: [...shares].map(([name, share]) => ({ name, share, micros: undefined })),
    };
  const micros = threads.main + threads.sqlite + threads.others;
  const parts = [
    ...[...shares].map(([name, share]) => ({ name, micros: share * threads.main })),
    { name: "threads of SQLite", micros: threads.sqlite },
    { name: "threads of V8 and Node", micros: threads.others },
  ];
  return { micros, parts: parts.map((part) => ({ ...part, share: part.micros / micros })) };
}

/** Idle time and the profiler's work do not belong to a request. */
type Owner = MainPart | "left out";

/** Parents come before their children in a profile, but nothing promises it: the tree is walked from its root. */
function ownersOf({ nodes }: CpuProfile, sourceOf: SourceOf): ReadonlyMap<number, Owner> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Set(nodes.flatMap(({ children: ids = [] }) => ids));
  const owners = new Map<number, Owner>();
  const open = nodes
    .filter(({ id }) => !children.has(id))
    .map((node) => ({ node, above: "event loop and other code of Node" as Owner }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, above } = next;
    const owner = ownerOf(node.callFrame, sourceOf) ?? above;
    owners.set(node.id, owner);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) open.push({ node: child, above: owner });
    }
  }
  return owners;
}

/** Undefined for a function that works for its caller: native code, WebAssembly, streams, events, small packages. */
function ownerOf(frame: CallFrame, sourceOf: SourceOf): Owner | undefined {
  const { functionName, url } = frame;
  if (url === "") return anonymous.find(([name]) => name.test(functionName))?.[1];
  // The server's parser reads its sockets itself, so this function only reads those of the upstream.
  if (functionName === "onStreamRead" && url.startsWith("node:")) return "HTTP to the upstream";
  const source = sourceOf(frame);
  return files.find(([file]) => file.test(source))?.[1];
}

/** Functions without a file. ajv compiles a schema to functions with such names. */
const anonymous: readonly (readonly [RegExp, Owner])[] = [
  [/^\(idle\)$/, "left out"],
  [/^\(garbage collector\)$/, "garbage collector"],
  [/^\(program\)$/, "event loop and other code of Node"],
  [/^validate\d+$/, "validator"],
];

/** The first that fits decides. */
const files: readonly (readonly [RegExp, Owner])[] = [
  [/^node:inspector|\/gateway-probe\.js$/, "left out"],
  [packages("express-openapi-validator", "ajv", "ajv-formats", "ajv-draft-04"), "validator"],
  [modules("execution/validation/", "runtime/openapi-validator"), "validator"],
  [packages("express", "router"), "router"],
  [modules("runtime/express-prototypes"), "router"],
  [packages("pino", "@pinojs/redact", "sonic-boom", "safe-stable-stringify"), "log"],
  [modules("telemetry/log", "telemetry/text-log", "process/open-log"), "log"],
  [packages("kysely"), "ledger and metrics"],
  [modules("usage/", "telemetry/", "storage/"), "ledger and metrics"],
  [/\/vector-check\/dist\//, "verification of vectors"],
  [modules("providers/http/replies/", "embeddings/verify"), "verification of vectors"],
  // Only replies and large bodies are read by it.
  [modules("runtime/json-tokenizer", "runtime/base64-text"), "verification of vectors"],
  [/^node:_http_/, "HTTP to the caller"],
  [packages("undici"), "HTTP to the upstream"],
  [modules(""), "other code of the gateway"],
];

function packages(...names: readonly string[]): RegExp {
  return new RegExp(`/node_modules/(?:${names.join("|")})/`);
}

function modules(...starts: readonly string[]): RegExp {
  return new RegExp(`(?:^|/)modules/(?:${starts.join("|")})`);
}

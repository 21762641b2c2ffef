import { expect, test } from "vitest";
import { type CallFrame, type CpuProfile, divideTime, sharesOf } from "./shares.js";

const sourceOf = ({ url }: CallFrame) => url;

/** A profile of stacks, each with its microseconds. A frame is a name and a file: `writev` or `parse node:_http_common`. */
function profileOf(stacks: readonly (readonly [stack: string, micros: number])[]): CpuProfile {
  const nodes: { id: number; callFrame: CallFrame; children: number[] }[] = [];
  const ids = new Map<string, number>();
  const add = (path: readonly string[]): number => {
    const known = ids.get(path.join(" > "));
    if (known !== undefined) return known;
    const [, functionName = "", url = ""] = /^(.*?)(?: (\S*[:/]\S*))?$/.exec(path.at(-1) ?? "") ?? [];
    const id = nodes.length + 1;
    nodes.push({ id, callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 }, children: [] });
    ids.set(path.join(" > "), id);
    if (path.length > 1) nodes[add(path.slice(0, -1)) - 1]?.children.push(id);
    return id;
  };
  const samples = stacks.map(([stack]) => add(["(root)", ...stack.split(" > ")]));
  return { nodes, samples, timeDeltas: stacks.map(([, micros]) => micros) };
}

function knownShares(stacks: readonly (readonly [stack: string, micros: number])[]): Record<string, number> {
  return Object.fromEntries([...sharesOf(profileOf(stacks), sourceOf)].filter(([, share]) => share > 0));
}

test("a sample belongs to the nearest function that has an owner", () => {
  const server = "parserOnIncoming node:_http_server > serve modules/http/serve-operation.js";
  const shares = knownShares([
    [`${server} > validate modules/execution/validation/validate.js > validate12`, 20],
    [`${server} > handle /node_modules/router/lib/layer.js > emit node:events`, 10],
    [`${server} > write /node_modules/pino/lib/proto.js > writeString`, 5],
    [`${server} > end node:_http_outgoing > writeGeneric node:internal/stream_base_commons > writev`, 25],
    [`${server} > dispatch /node_modules/undici/lib/dispatcher/client.js > writeLatin1String`, 15],
    [`${server} > check /packages/vector-check/dist/index.js > scan wasm://wasm/1`, 10],
    [`${server} > record modules/usage/ledger/write.js > push`, 5],
    [server, 10],
  ]);

  expect(shares).toEqual({
    validator: 0.2,
    router: 0.1,
    log: 0.05,
    "HTTP to the caller": 0.25,
    "HTTP to the upstream": 0.15,
    "verification of vectors": 0.1,
    "ledger and metrics": 0.05,
    "other code of the gateway": 0.1,
  });
});

test("idle time and the profiler are left out, and functions without an owner belong to Node", () => {
  const shares = knownShares([
    ["(idle)", 900],
    ["run file:///bench/dist/rivals/gateway-probe.js > post node:inspector > dispatch", 50],
    ["(garbage collector)", 10],
    ["(program)", 20],
    ["processTicksAndRejections node:internal/process/task_queues", 30],
    ["onStreamRead node:internal/stream_base_commons > emit node:events", 40],
  ]);

  expect(shares).toEqual({
    "garbage collector": 0.1,
    "event loop and other code of Node": 0.5,
    "HTTP to the upstream": 0.4,
  });
});

test("a profile without samples has no shares", () => {
  expect(knownShares([])).toEqual({});
});

test("the parts of all threads add up to the time of a request", () => {
  const shares = new Map([
    ["validator", 0.25],
    ["router", 0.75],
  ] as const);

  expect(divideTime(shares, { main: 80, sqlite: 15, others: 5 })).toEqual({
    micros: 100,
    parts: [
      { name: "validator", micros: 20, share: 0.2 },
      { name: "router", micros: 60, share: 0.6 },
      { name: "threads of SQLite", micros: 15, share: 0.15 },
      { name: "threads of V8 and Node", micros: 5, share: 0.05 },
    ],
  });
  expect(divideTime(shares, undefined)).toEqual({
    micros: undefined,
    parts: [
      { name: "validator", micros: undefined, share: 0.25 },
      { name: "router", micros: undefined, share: 0.75 },
    ],
  });
});

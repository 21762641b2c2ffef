import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from "node:timers";
import { afterAll } from "vitest";

const real = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval };

// The files of a process share its globals: a fake timer that is left would make a later file wait for ever.
afterAll(() => {
  const left = Object.entries(real).filter(([name, timer]) => Reflect.get(globalThis, name) !== timer);
  Object.assign(globalThis, Object.fromEntries(left));
  const names = left.map(([name]) => name);
  if (left.length > 0) throw new Error(`This file leaves fake timers behind: ${names.join(", ")}.`);
});

/** Loaded before the gateway: the next message sets its clock back by two hours, and lets a minute pass. */
import { performance } from "node:perf_hooks";

process.once("message", () => {
  const wall = Date.now.bind(Date);
  const monotonic = performance.now.bind(performance);
  Date.now = () => wall() - 2 * 3_600_000;
  performance.now = () => monotonic() + 61_000;
  process.send?.("shifted");
});
process.channel?.unref();

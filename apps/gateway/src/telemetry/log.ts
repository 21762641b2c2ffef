import type { DestinationStream, Logger } from "pino";
import pino from "pino";

/** Structured lines, one JSON object each. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** The time as ISO 8601, of which most is the same for all lines of a second. */
function createTimestamp(): () => string {
  let second = -1;
  let prefix = "";
  return () => {
    const now = Date.now();
    const current = Math.floor(now / 1000);
    if (current !== second) {
      second = current;
      prefix = `,"time":"${new Date(now).toISOString().slice(0, 20)}`;
    }
    return `${prefix}${String(now % 1000).padStart(3, "0")}Z"`;
  };
}

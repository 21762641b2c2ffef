/** The zone of the clock times that are shown. It is not secret, so it outlives the tab. */
export type TimeZone = "local" | "utc";

const name = "model-gateway.time-zone";

export function readTimeZone(): TimeZone {
  return localStorage.getItem(name) === "utc" ? "utc" : "local";
}

export function applyTimeZone(zone: TimeZone): void {
  if (zone === "utc") localStorage.setItem(name, zone);
  else localStorage.removeItem(name);
}

/** "2026-11-17 14:02:11 UTC", or with the offset of a place: "GMT+1". `zone` is a name of the IANA list. */
export function writeTime(seconds: number, zone?: string): string {
  return `${writeParts(seconds, { dateStyle: "short", timeStyle: "medium" }, zone)} ${zoneName(seconds, zone)}`;
}

/** The time alone if it is of today, otherwise the day before it. The zone stands above the column. */
export function writeClock(seconds: number, nowMs: number, zone?: string): string {
  const day = (at: number) => writeParts(at, { dateStyle: "short" }, zone);
  const time = writeParts(seconds, { timeStyle: "medium" }, zone);
  return day(seconds) === day(nowMs / 1000) ? time : `${day(seconds)} ${time}`;
}

/** "14:30". */
export function writeMinute(seconds: number, zone?: string): string {
  return writeParts(seconds, { timeStyle: "short" }, zone);
}

/** "14:30 UTC": beside charts, whose hours are those of UTC whatever zone was chosen. */
export function writeUtcMinute(seconds: number): string {
  return `${writeMinute(seconds, "UTC")} UTC`;
}

/** "UTC" or "GMT+1", as it was at that time. */
export function zoneName(seconds: number, zone?: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZoneName: "shortOffset",
    ...(zone && { timeZone: zone }),
  });
  const found = format.formatToParts(seconds * 1000).find(({ type }) => type === "timeZoneName")?.value;
  return found === undefined || /^GMT(\+0)?$/.test(found) ? "UTC" : found;
}

/** The zone that was chosen, by its name in the IANA list. Undefined for that of the browser. */
export function chosenZone(): string | undefined {
  return readTimeZone() === "utc" ? "UTC" : undefined;
}

/** Sweden writes dates as ISO 8601 does. */
function writeParts(seconds: number, parts: Intl.DateTimeFormatOptions, zone: string | undefined): string {
  return new Date(seconds * 1000).toLocaleString("sv-SE", { ...parts, ...(zone && { timeZone: zone }) });
}

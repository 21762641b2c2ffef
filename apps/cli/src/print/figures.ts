/** `1 model`, `2 models`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** US dollars, with as many digits as a small amount needs. */
export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return "unknown";
  if (usd === 0) return "$0";
  if (usd >= 1) return `$${usd.toFixed(2)}`;
  const digits = Math.min(12, Math.max(4, 2 - Math.floor(Math.log10(usd))));
  return `$${usd.toFixed(digits).replace(/0+$/, "")}`;
}

/** A duration for people: the two largest units. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The local time of day, with the date unless it is today. */
export function clock(at: Date, now: Date): string {
  const pad = (number: number) => String(number).padStart(2, "0");
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(pad).join(":");
  if (at.toDateString() === now.toDateString()) return time;
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${time}`;
}

/** Unix seconds. */
export function clockOfSeconds(seconds: number, now: Date): string {
  return clock(new Date(seconds * 1000), now);
}

/** Billionths of a US dollar as dollars. What is not known stays so. */
export function dollars(nanos: number | null): number | null {
  return nanos === null ? null : nanos / 1e9;
}

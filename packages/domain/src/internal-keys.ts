/**
 * The keys under which the ledger has requests that no API key sent: those of operators in the console, and those of the
 * gateway itself.
 */
export const internalKeys = {
  operator: { id: "console:operator", name: "console" },
  probe: { id: "gateway:probe", name: "probe" },
  drift: { id: "gateway:drift", name: "drift" },
  shadow: { id: "gateway:shadow", name: "shadow" },
} as const;

export const internalKeyIds: readonly string[] = Object.values(internalKeys).map(({ id }) => id);

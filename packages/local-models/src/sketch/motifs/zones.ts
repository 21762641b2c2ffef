/** Where a motif stands: in the air, on (or in) the ground before the viewer, or behind everything. */
export type Zone = "sky" | "front" | "back";

const sky = `airplane airplane-arrival airplane-departure small-airplane rocket hot-air-balloon balloon kite parachute
  helicopter flying-saucer satellite comet ringed-planet rainbow cloud cloud-with-lightning
  cloud-with-lightning-and-rain cloud-with-rain cloud-with-snow sun sun-with-face sun-behind-cloud sun-behind-large-cloud
  sun-behind-rain-cloud sun-behind-small-cloud crescent-moon full-moon full-moon-face first-quarter-moon
  last-quarter-moon star glowing-star sparkles snowflake bird dove eagle bat butterfly honeybee blackbird
  lady-beetle fireworks high-voltage globe-showing-europe-africa globe-showing-americas phoenix-bird
  red-paper-lantern musical-notes musical-note person-fairy bubbles carp-streamer globe-showing-asia-australia`;

const back = `castle japanese-castle house houses house-with-garden hut church mosque synagogue hindu-temple
  classical-building bank hotel hospital school factory office-building department-store convenience-store
  post-office stadium tokyo-tower statue-of-liberty ferris-wheel roller-coaster circus-tent shinto-shrine
  deciduous-tree evergreen-tree palm-tree christmas-tree tanabata-tree mountain snow-capped-mountain mount-fuji
  volcano tent camping fountain windmill lighthouse derelict-house building-construction desert-island moai
  playground-slide`;

const zones: ReadonlyMap<string, Zone> = new Map([
  ...sky.split(/\s+/).map((name) => [name, "sky"] as const),
  ...back.split(/\s+/).map((name) => [name, "back"] as const),
]);

export function zoneOf(motif: string): Zone {
  return zones.get(motif) ?? "front";
}

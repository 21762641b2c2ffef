import type { Place } from "../prompt/prompt-plan.js";
import type { MotifSection } from "./drawn-motifs.js";

const natives: ReadonlyMap<string, Place> = new Map([
  ...at(
    "space",
    "rocket astronaut flying-saucer alien satellite ringed-planet comet man-astronaut woman-astronaut globe-showing-europe-africa globe-showing-americas alien-monster",
  ),
  ...at(
    "sea",
    "sailboat ship ferry passenger-ship motor-boat speedboat canoe whale spouting-whale dolphin lighthouse anchor ring-buoy person-merpeople",
  ),
  ...at(
    "underwater",
    "fish tropical-fish blowfish octopus jellyfish shark squid lobster coral seal diving-mask",
  ),
  ...at(
    "snow",
    "penguin polar-bear snowman snowman-without-snow snowflake sled skis skier snowboarder santa-claus christmas-tree mammoth",
  ),
  ...at(
    "beach",
    "crab palm-tree desert-island umbrella-on-ground spiral-shell person-surfing flamingo coconut",
  ),
  ...at("desert", "camel two-hump-camel cactus scorpion lizard moai"),
  ...at("lake", "duck swan frog otter beaver fishing-pole goose"),
  ...at(
    "forest",
    "bear wolf owl deer moose hedgehog badger mushroom brown-mushroom evergreen-tree chipmunk tent camping",
  ),
  ...at(
    "city",
    "automobile taxi bus oncoming-bus oncoming-taxi police-car fire-engine ambulance motorcycle motor-scooter delivery-truck office-building tram trolleybus racing-car skateboard kick-scooter",
  ),
  ...at(
    "mountains",
    "mountain snow-capped-mountain mount-fuji goat aerial-tramway mountain-cableway llama volcano",
  ),
  ...at("sky", "airplane small-airplane hot-air-balloon helicopter parachute rainbow kite"),
  ...at("room", "bed couch-and-lamp bathtub television chair door"),
]);

const sectionPlaces: Readonly<Record<MotifSection, Place>> = {
  nature: "meadow",
  people: "meadow",
  travel: "meadow",
  things: "studio",
};

/** The place of a motif if the prompt names none. */
export function nativePlace(motif: string, section: MotifSection): Place {
  return natives.get(motif) ?? sectionPlaces[section];
}

function at(place: Place, names: string): [string, Place][] {
  return names.split(" ").map((name) => [name, place]);
}

/** A motif's place: in the air, in front on the ground, or behind the others. */
type Zone = "sky" | "front" | "back";

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

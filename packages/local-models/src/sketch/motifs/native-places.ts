import type { Place } from "../prompt/prompt-plan.js";
import type { MotifSection } from "./motif-library.js";

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

/** Where a motif is at home when the prompt names no place. */
export function nativePlace(motif: string, section: MotifSection): Place {
  return natives.get(motif) ?? sectionPlaces[section];
}

function at(place: Place, names: string): [string, Place][] {
  return names.split(" ").map((name) => [name, place]);
}

import type { Light, Place, Weather } from "./prompt-plan.js";

/** The meaning of one word or phrase for the scene. */
export interface SceneHint {
  readonly place?: Place;
  readonly light?: Light;
  readonly weather?: Weather;
}

/** Phrases of up to three words, in the singular, each with its hint. */
export const sceneWords: ReadonlyMap<string, SceneHint> = new Map([
  ...hint(
    { light: "night" },
    "night,midnight,nighttime,evening,moon,moonlight,moonlit,starry,star,starlight,darkness",
  ),
  ...hint({ light: "sunset" }, "sunset,dusk,twilight,golden hour,afterglow"),
  ...hint({ light: "dawn" }, "dawn,sunrise,morning,daybreak"),
  ...hint({ light: "day" }, "day,daytime,daylight,noon,midday,afternoon,sun,sunny,summer,spring,sunlight"),
  ...hint({ light: "storm" }, "thunder,thunderstorm,lightning,cloudy,overcast,gloomy"),
  ...hint({ light: "storm", weather: "rain" }, "storm,stormy,rain,rainy,raining,drizzle,downpour"),
  ...hint({ weather: "fog" }, "fog,foggy,mist,misty,haze,hazy"),
  ...hint({ place: "snow", weather: "snow" }, "snow,snowy,snowing,snowfall,winter,blizzard,wintry"),
  ...hint({ place: "snow" }, "ice,icy,arctic,antarctic,antarctica,glacier,tundra,frozen,skiing,sledding"),
  ...hint({ place: "sea" }, "sea,ocean,seaside,wave,sailing,harbor,harbour,bay,pirate"),
  ...hint(
    { place: "underwater" },
    "underwater,under water,under the sea,deep sea,reef,coral reef,aquarium,diving,seabed,seafloor",
  ),
  ...hint({ place: "beach" }, "beach,shore,coast,sandy beach,tropical,surfing,seashore"),
  ...hint({ place: "lake" }, "lake,river,pond,stream,waterfall,fishing,rowing"),
  ...hint({ place: "forest" }, "forest,wood,woodland,jungle,rainforest,grove,camping"),
  ...hint({ place: "desert" }, "desert,dune,sahara,sand dune,canyon,savanna,savannah,wild west"),
  ...hint({ place: "mountains" }, "mountain,alp,peak,hill,cliff,valley,highland,hiking,himalaya"),
  ...hint(
    { place: "meadow" },
    "meadow,field,grass,grassland,park,garden,farm,countryside,pasture,lawn,prairie,backyard,picnic",
  ),
  ...hint(
    { place: "city" },
    "city,town,street,skyline,downtown,urban,cityscape,road,skyscraper,metropolis,traffic,alley",
  ),
  ...hint(
    { place: "space" },
    "space,outer space,galaxy,cosmos,cosmic,universe,orbit,nebula,milky way,mars,planet,spacewalk,interstellar",
  ),
  ...hint({ place: "sky" }, "in the sky,in the cloud,above the cloud,heaven,in the air"),
  // Every open place has a sky, so these words only take the colour before them.
  ...hint({}, "sky,cloud,horizon"),
  ...hint(
    { place: "room" },
    "room,bedroom,kitchen,living room,indoor,interior,office,cafe,classroom,library,studio apartment,restaurant",
  ),
]);

function hint(scene: SceneHint, phrases: string): [string, SceneHint][] {
  return phrases.split(",").map((phrase) => [phrase, scene]);
}

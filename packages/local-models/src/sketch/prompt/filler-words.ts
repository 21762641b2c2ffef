/** Words that say nothing a motif could show, or that name one by accident (to watch, to fly, to pick). */
export const fillerWords: ReadonlySet<string> = new Set(
  `a an the this that these those some any its it his her their my your our they he she we you i me us them
   and or but with of at by to from for as is are was were be been being am has have had do does did
   in on into onto over under above below behind beside between near next through across around along
   inside outside front back up down out off very really quite so too also just only more most much
   there here where when while which who whose what how then than all each every both other another
   add make draw put place create generate show paint render please give remove replace change turn edit use let
   image picture photo photograph photography illustration drawing painting sketch artwork art render rendering
   cartoon clipart clip watercolor watercolour style styled design poster wallpaper scene view background
   realistic photorealistic detailed quality resolution hd uhd 4k 8k high low medium digital vector flat minimal
   minimalist cinematic professional beautiful cute nice pretty lovely simple amazing awesome cool new free dark bright
   fly flies flew ride rides watch watches look looks stand stands sit sits run runs walk walks jump jumps
   hold holds wear wears eat eats drink drinks play plays sleep sleeps smile smiles swim swims chase chases
   pick picks seat link label light lights set sets wood mate sake top end full half left right side close
   color colour colored coloured tone tones shade shades kind type way thing things lot lots`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

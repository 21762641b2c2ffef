/**
 * Motifs that cannot stand in a scene: square scenes with a sky of their own, pictures with
 * writing, and those whose name is an everyday word for something else.
 */
export const unfitMotifs: ReadonlySet<string> = new Set(
  `bridge-at-night cityscape cityscape-at-dusk desert fog foggy milky-way motorway national-park night-with-stars
   railway-track shooting-star sunrise sunrise-over-mountains sunset mountain-railway fireworks sparkler
   moon-viewing-ceremony flower-playing-cards mahjong-red-dragon white-flower red-envelope love-hotel bus-stop
   mate sake fly hole pick dizzy collision hundred-points zzz anger-symbol dashing-away middle-finger
   breast-feeding cigarette sweat-droplets pile-of-poo water-wave wedding construction cooking seat link label
   clamp locked unlocked fork-and-knife pouring-liquid wind-face map-of-japan new-moon new-moon-face
   biting-lip drop-of-blood pregnant-man pregnant-person pregnant-woman speaking-head kaaba`
    .split(/\s+/)
    .filter((name) => name !== ""),
);

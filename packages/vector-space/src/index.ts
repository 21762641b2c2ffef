export {
  compareSpaces,
  cosineOf,
  type NormRange,
  neighboursKept,
  type SpaceComparison,
  type SpaceVector,
  type SpaceVerdict,
} from "./compare-spaces.js";
export { probeTexts, probeTextsVersion } from "./probe-texts.js";

/** A vector of any length. */
export type SpaceVector = ArrayLike<number>;

/**
 * - `same`: the vectors may be mixed in one index.
 * - `close`: the same space, computed with fewer digits. Mixing them changes a ranking only between near equals.
 * - `different`: do not mix them. Distances between them mean nothing.
 * - `different width`: they cannot be compared at all.
 */
export type SpaceVerdict = "same" | "close" | "different" | "different width";

/** Comparison of two sources' vectors for the same texts. */
export interface SpaceComparison {
  readonly verdict: SpaceVerdict;
  /** The cosine of each text's two vectors. Empty if their widths differ. */
  readonly cosines: readonly number[];
  readonly cosineMin: number;
  readonly cosineMedian: number;
  /** For how many texts the nearest other text is the same in both. */
  readonly neighboursKept: number;
  /** The lengths of the vectors: the smallest and the largest. */
  readonly norms: { readonly left: NormRange; readonly right: NormRange };
}

export interface NormRange {
  readonly min: number;
  readonly max: number;
}

/** Floating-point arithmetic on another machine stays above this for every text. */
const sameCosineMin = 0.999;
/** Weights rounded to 8 bits stay above this, and keep the neighbours. */
const closeCosineMin = 0.98;

/**
 * Compares two spaces by the vectors that they give for the same texts, in the same order. Two models can have one width
 * and different spaces, so widths alone show nothing.
 */
export function compareSpaces(left: readonly SpaceVector[], right: readonly SpaceVector[]): SpaceComparison {
  if (left.length === 0 || left.length !== right.length)
    throw new RangeError(
      `There are ${left.length} and ${right.length} vectors; compare those of the same texts.`,
    );
  const norms = { left: normRange(left), right: normRange(right) };
  if (left.some((vector, index) => vector.length !== right[index]?.length))
    return {
      verdict: "different width",
      cosines: [],
      cosineMin: 0,
      cosineMedian: 0,
      neighboursKept: 0,
      norms,
    };
  const cosines = left.map((vector, index) => cosineOf(vector, right[index] as SpaceVector));
  const kept = neighboursKept(left, right);
  const sorted = cosines.toSorted((a, b) => a - b);
  const cosineMin = sorted[0] as number;
  return {
    verdict: judge(cosineMin, kept, left.length),
    cosines,
    cosineMin,
    cosineMedian: median(sorted),
    neighboursKept: kept,
    norms,
  };
}

/** Comparison of several sources with one of them. */
export interface MajorityComparison {
  /** The index of the source that the others are compared with. Undefined if none has vectors. */
  readonly reference: number | undefined;
  /** In the order of the sources. Undefined for the reference, and for a source without vectors. */
  readonly comparisons: readonly (SpaceComparison | undefined)[];
}

/**
 * Compares sources with the first one of the largest group that agrees, so that one odd source does not make all others
 * look wrong.
 *
 * @param sources The vectors of the same inputs. Undefined for a source that has none.
 * @param preferred The source to compare with, if it belongs to the largest group.
 */
export function compareWithMajority(
  sources: readonly (readonly SpaceVector[] | undefined)[],
  preferred?: number,
): MajorityComparison {
  const groups: number[][] = [];
  for (const [index, vectors] of sources.entries()) {
    if (vectors === undefined) continue;
    const group = groups.find(([leader = 0]) => agree(sources[leader] ?? [], vectors));
    if (group === undefined) groups.push([index]);
    else group.push(index);
  }
  const largest = groups.reduce<number[]>((best, group) => (group.length > best.length ? group : best), []);
  const reference = largest.find((index) => index === preferred) ?? largest[0];
  const chosen = reference === undefined ? undefined : sources[reference];
  return {
    reference,
    comparisons: sources.map((vectors, index) =>
      chosen === undefined || vectors === undefined || index === reference
        ? undefined
        : compareSpaces(chosen, vectors),
    ),
  };
}

function agree(left: readonly SpaceVector[], right: readonly SpaceVector[]): boolean {
  return mayBeMixed(compareSpaces(left, right));
}

function mayBeMixed({ verdict }: Pick<SpaceComparison, "verdict">): boolean {
  return verdict === "same" || verdict === "close";
}

/** One source's vectors for a fixed set of inputs. */
export interface ProbeVectors<V extends SpaceVector = SpaceVector> {
  readonly texts: readonly V[];
  /** Undefined for a source that takes no images. */
  readonly images?: readonly V[] | undefined;
}

export type ProbeKind = "texts" | "images";

/** Comparison of two sources' vectors for texts, and for images where both take them. */
export interface ProbeComparison {
  /** The worse one of texts and images. */
  readonly verdict: SpaceVerdict;
  /** Undefined: the texts of others are compared with this source's. */
  readonly texts: SpaceComparison | undefined;
  /** Undefined: the same for images, or the source takes none. */
  readonly images: SpaceComparison | undefined;
  /** The inputs whose vectors must not be mixed. */
  readonly differsIn: readonly ProbeKind[];
}

/**
 * Compares texts and images separately, each with the largest group that agrees. A model can give texts the same vectors
 * and images others: its two encoders are separate.
 *
 * @param sources Undefined for a source without vectors.
 * @returns In the order of the sources. Undefined for a source without vectors, and where nothing was compared.
 */
export function compareProbes(
  sources: readonly (ProbeVectors | undefined)[],
): readonly (ProbeComparison | undefined)[] {
  const images = compareWithMajority(sources.map((source) => source?.images));
  // One reference for both where possible: then a reader has one target to trust.
  const texts = compareWithMajority(
    sources.map((source) => source?.texts),
    images.reference,
  );
  return sources.map((_, index) =>
    joinComparisons({ texts: texts.comparisons[index], images: images.comparisons[index] }),
  );
}

/** From best to worst. */
const verdicts: readonly SpaceVerdict[] = ["same", "close", "different", "different width"];

/** Undefined if neither was compared. */
export function joinComparisons({
  texts,
  images,
}: Pick<ProbeComparison, ProbeKind>): ProbeComparison | undefined {
  if (texts === undefined && images === undefined) return undefined;
  const places = [texts, images].map((one) => (one === undefined ? 0 : verdicts.indexOf(one.verdict)));
  const differs = (one: SpaceComparison | undefined) => one !== undefined && !mayBeMixed(one);
  return {
    verdict: verdicts[Math.max(...places)] ?? "same",
    texts,
    images,
    differsIn: [
      ...(differs(texts) ? ["texts" as const] : []),
      ...(differs(images) ? ["images" as const] : []),
    ],
  };
}

/** For how many texts the nearest other text is the same in two spaces, whose widths may differ. */
export function neighboursKept(left: readonly SpaceVector[], right: readonly SpaceVector[]): number {
  const nearest = nearestOf(right);
  return nearestOf(left).filter((index, text) => index === nearest[text]).length;
}

function judge(cosineMin: number, kept: number, texts: number): SpaceVerdict {
  if (cosineMin >= sameCosineMin) return "same";
  // Near equals may change places when digits are lost.
  const mostAreKept = kept >= texts - Math.ceil(texts / 8);
  return cosineMin >= closeCosineMin && mostAreKept ? "close" : "different";
}

/** The cosine of two vectors with equal width; 0 if one of them is zero. */
export function cosineOf(left: SpaceVector, right: SpaceVector): number {
  let product = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let index = 0; index < left.length; index += 1) {
    const a = left[index] as number;
    const b = right[index] as number;
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  const lengths = Math.sqrt(leftSquares) * Math.sqrt(rightSquares);
  // Rounding must not make it 1.0000000002.
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, product / lengths));
}

/** For each vector the index of the nearest other one; of equals the first. */
function nearestOf(vectors: readonly SpaceVector[]): number[] {
  return vectors.map((vector, index) => {
    let nearest = -1;
    let highest = Number.NEGATIVE_INFINITY;
    for (const [other, candidate] of vectors.entries()) {
      const cosine = other === index ? Number.NEGATIVE_INFINITY : cosineOf(vector, candidate);
      if (cosine > highest) {
        highest = cosine;
        nearest = other;
      }
    }
    return nearest;
  });
}

function normRange(vectors: readonly SpaceVector[]): NormRange {
  const norms = vectors.map((vector) => Math.sqrt(Array.from(vector).reduce((sum, x) => sum + x * x, 0)));
  return { min: Math.min(...norms), max: Math.max(...norms) };
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

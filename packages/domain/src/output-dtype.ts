/** Numbers that only a provider can make: it knows the range of each dimension over many vectors. */
export type CalibratedDtype = "int8" | "uint8";

/** One bit for each dimension, its sign. The gateway makes them from floats. */
export type BinaryDtype = "binary" | "ubinary";

/** The type of the numbers in a quantised vector, as `output_dtype` names it. */
export type QuantizedDtype = CalibratedDtype | BinaryDtype;

export const calibratedRanges: Readonly<Record<CalibratedDtype, { min: number; max: number }>> = {
  int8: { min: -128, max: 127 },
  uint8: { min: 0, max: 255 },
};

/** The type that a provider must make. Undefined where floats serve. */
export function calibratedDtype(dtype: QuantizedDtype | undefined): CalibratedDtype | undefined {
  return dtype === "int8" || dtype === "uint8" ? dtype : undefined;
}

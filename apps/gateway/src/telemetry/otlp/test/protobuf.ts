/**
 * Decodes OTLP in protobuf by the field numbers of its .proto files, into the objects that OTLP's JSON has. It shares
 * nothing with the encoder.
 * https://github.com/open-telemetry/opentelemetry-proto
 */
export function decodeMessage(bytes: Buffer, message: keyof typeof messages): Record<string, unknown> {
  const fields: Readonly<Record<number, Field>> = messages[message];
  const decoded: Record<string, unknown> = {};
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const tag = Number(reader.varint());
    const raw = reader.value(tag & 7);
    const field = fields[tag >> 3];
    if (field === undefined) throw new Error(`${message} has no field ${tag >> 3}.`);
    const [name, type, isRepeated] = field;
    const values = isPacked(type, raw) ? unpack(raw) : [raw];
    const read = values.map((value) => convert(value, type));
    if (isRepeated) decoded[name] = [...((decoded[name] as unknown[] | undefined) ?? []), ...read];
    else decoded[name] = read[0];
  }
  return decoded;
}

type Scalar = "text" | "hex" | "integer" | "boolean" | "fixed64" | "double" | "fixed32";
type Field = readonly [name: string, type: Scalar | Message, isRepeated?: "repeated"];
type Message =
  | "traces"
  | "resourceSpans"
  | "scopeSpans"
  | "span"
  | "status"
  | "resource"
  | "scope"
  | "keyValue"
  | "anyValue"
  | "metrics"
  | "resourceMetrics"
  | "scopeMetrics"
  | "metric"
  | "gauge"
  | "sum"
  | "histogram"
  | "numberPoint"
  | "histogramPoint";

const messages: Readonly<Record<Message, Readonly<Record<number, Field>>>> = {
  traces: { 1: ["resourceSpans", "resourceSpans", "repeated"] },
  resourceSpans: {
    1: ["resource", "resource"],
    2: ["scopeSpans", "scopeSpans", "repeated"],
    3: ["schemaUrl", "text"],
  },
  scopeSpans: { 1: ["scope", "scope"], 2: ["spans", "span", "repeated"], 3: ["schemaUrl", "text"] },
  span: {
    1: ["traceId", "hex"],
    2: ["spanId", "hex"],
    3: ["traceState", "text"],
    4: ["parentSpanId", "hex"],
    5: ["name", "text"],
    6: ["kind", "integer"],
    7: ["startTimeUnixNano", "fixed64"],
    8: ["endTimeUnixNano", "fixed64"],
    9: ["attributes", "keyValue", "repeated"],
    10: ["droppedAttributesCount", "integer"],
    12: ["droppedEventsCount", "integer"],
    14: ["droppedLinksCount", "integer"],
    15: ["status", "status"],
    16: ["flags", "fixed32"],
  },
  status: { 2: ["message", "text"], 3: ["code", "integer"] },
  resource: { 1: ["attributes", "keyValue", "repeated"], 2: ["droppedAttributesCount", "integer"] },
  scope: { 1: ["name", "text"], 2: ["version", "text"] },
  keyValue: { 1: ["key", "text"], 2: ["value", "anyValue"] },
  anyValue: {
    1: ["stringValue", "text"],
    2: ["boolValue", "boolean"],
    3: ["intValue", "integer"],
    4: ["doubleValue", "double"],
  },
  metrics: { 1: ["resourceMetrics", "resourceMetrics", "repeated"] },
  resourceMetrics: {
    1: ["resource", "resource"],
    2: ["scopeMetrics", "scopeMetrics", "repeated"],
    3: ["schemaUrl", "text"],
  },
  scopeMetrics: { 1: ["scope", "scope"], 2: ["metrics", "metric", "repeated"], 3: ["schemaUrl", "text"] },
  metric: {
    1: ["name", "text"],
    2: ["description", "text"],
    3: ["unit", "text"],
    5: ["gauge", "gauge"],
    7: ["sum", "sum"],
    9: ["histogram", "histogram"],
  },
  gauge: { 1: ["dataPoints", "numberPoint", "repeated"] },
  sum: {
    1: ["dataPoints", "numberPoint", "repeated"],
    2: ["aggregationTemporality", "integer"],
    3: ["isMonotonic", "boolean"],
  },
  histogram: { 1: ["dataPoints", "histogramPoint", "repeated"], 2: ["aggregationTemporality", "integer"] },
  numberPoint: {
    2: ["startTimeUnixNano", "fixed64"],
    3: ["timeUnixNano", "fixed64"],
    4: ["asDouble", "double"],
    6: ["asInt", "fixed64"],
    7: ["attributes", "keyValue", "repeated"],
  },
  histogramPoint: {
    2: ["startTimeUnixNano", "fixed64"],
    3: ["timeUnixNano", "fixed64"],
    4: ["count", "fixed64"],
    5: ["sum", "double"],
    6: ["bucketCounts", "fixed64", "repeated"],
    7: ["explicitBounds", "double", "repeated"],
    9: ["attributes", "keyValue", "repeated"],
  },
};

/** Numbers in a repeated field are packed into one value. */
function isPacked(type: Field[1], raw: bigint | Buffer): raw is Buffer {
  return (type === "fixed64" || type === "double") && typeof raw !== "bigint";
}

function unpack(raw: Buffer): Buffer[] {
  return Array.from({ length: raw.length / 8 }, (_, index) => raw.subarray(index * 8, index * 8 + 8));
}

function convert(raw: bigint | Buffer, type: Field[1]): unknown {
  if (typeof raw === "bigint") return type === "boolean" ? raw !== 0n : Number(raw);
  switch (type) {
    case "text":
      return raw.toString();
    case "hex":
      return raw.toString("hex");
    case "double":
      return raw.readDoubleLE();
    case "fixed64":
      return Number(raw.readBigUInt64LE());
    case "fixed32":
      return raw.readUInt32LE();
    case "integer":
    case "boolean":
      throw new Error("A number stands for bytes.");
    default:
      return decodeMessage(raw, type);
  }
}

class Reader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#bytes.readUInt8(this.#position);
      this.#position += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
  }

  /** A number as a bigint, everything else as bytes. */
  value(wireType: number): bigint | Buffer {
    if (wireType === 0) return this.varint();
    if (wireType === 1) return this.#take(8);
    if (wireType === 2) return this.#take(Number(this.varint()));
    if (wireType === 5) return this.#take(4);
    throw new Error(`There is no wire type ${wireType}.`);
  }

  #take(length: number): Buffer {
    this.#position += length;
    if (this.#position > this.#bytes.length) throw new Error("The message ends too early.");
    return this.#bytes.subarray(this.#position - length, this.#position);
  }
}

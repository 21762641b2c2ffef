import type { VocabularyName } from "@model-gateway/domain/model";
import type { Steps } from "@model-gateway/runtime/time-slice";
import { CharacterClasses } from "./character-classes.js";
import { ClassifiedText } from "./classified-text.js";
import { countLongPiece } from "./long-piece.js";
import { PairMerger } from "./pair-merger.js";
import { readVocabulary, type VocabularyTokens } from "./read-vocabulary.js";
import { type Splitting, splittings } from "./split-text.js";
import type { TokenTable } from "./token-table.js";
import { wholeCharacters, writeUtf8 } from "./write-utf8.js";

/** Longer pieces use separate memory, and are encoded in steps. */
const shortPiece = 1024;
/** Number of characters or ids read between two pauses. */
const unitsPerStep = 4096;

/** An OpenAI vocabulary. Text that looks like a special token is ordinary text here. */
export class Vocabulary {
  readonly #table: TokenTable;
  readonly #specialTokens: ReadonlyMap<number, string>;
  readonly #splitting: Splitting;
  readonly #classes = new CharacterClasses();
  readonly #shortBytes = new Uint8Array(3 * shortPiece);
  readonly #shortMerger: PairMerger;

  private constructor(name: VocabularyName, { table, specialTokens }: VocabularyTokens) {
    this.#table = table;
    this.#specialTokens = specialTokens;
    this.#splitting = splittings[name];
    this.#shortMerger = new PairMerger(table, this.#shortBytes.length);
  }

  static async open(name: VocabularyName): Promise<Vocabulary> {
    return new Vocabulary(name, await readVocabulary(name));
  }

  /** The exact number of tokens; undefined if it is above the limit, where counting stops. */
  *countTokens(text: string, limit: number): Steps<number | undefined> {
    // It cannot fit: each unit of the text has at least one byte, and no token has more than the longest.
    if (text.length > limit * this.#table.longest) return undefined;
    const scan = new ClassifiedText(text, this.#classes);
    const { pieceEnd, runs } = this.#splitting;
    yield* scan.findLongRuns(runs);
    let tokens = 0;
    let pauseAt = unitsPerStep;
    for (let start = 0; start < text.length; ) {
      const end = pieceEnd(scan, start);
      if (end - start <= shortPiece) tokens += this.#countShort(text, start, end);
      else tokens += yield* this.#countLong(text, { start, end, tokensMax: limit - tokens });
      if (tokens > limit) return undefined;
      if (end > pauseAt) {
        yield;
        pauseAt = end + unitsPerStep;
      }
      start = end;
    }
    return tokens;
  }

  #countShort(text: string, start: number, end: number): number {
    const length = writeUtf8(text, { start, end, into: this.#shortBytes, at: 0 });
    if (this.#table.rankOf(this.#shortBytes, 0, length) !== -1) return 1;
    this.#shortMerger.begin(this.#shortBytes, 0, length);
    this.#shortMerger.run(Number.POSITIVE_INFINITY);
    return this.#shortMerger.count;
  }

  *#countLong(text: string, { start, end, tokensMax }: LongPiecePlace): Steps<number> {
    const bytes = new Uint8Array(3 * (end - start));
    let length = 0;
    for (let from = start; from < end; ) {
      const to = Math.min(end, wholeCharacters(text, from + unitsPerStep));
      length += writeUtf8(text, { start: from, end: to, into: bytes, at: length });
      from = to;
      yield;
    }
    return yield* countLongPiece(this.#table, { bytes, length, tokensMax });
  }

  /** The text length of token ids; undefined if one of them is not in the vocabulary. */
  *bytesOf(ids: readonly number[]): Steps<number | undefined> {
    let length = 0;
    for (let index = 0; index < ids.length; index += 1) {
      const bytes = this.#token(ids[index] ?? -1);
      if (bytes === undefined) return undefined;
      length += bytes.length;
      if (index % unitsPerStep === 0) yield;
    }
    return length;
  }

  /** The text of token ids. */
  *textOf(ids: readonly number[]): Steps<string> {
    const text = Buffer.alloc((yield* this.bytesOf(ids)) ?? 0);
    let length = 0;
    for (let index = 0; index < ids.length; index += 1) {
      const bytes = this.#token(ids[index] ?? -1) ?? noBytes;
      text.set(bytes, length);
      length += bytes.length;
      if (index % unitsPerStep === 0) yield;
    }
    return text.toString();
  }

  #token(id: number): Uint8Array | undefined {
    if (this.#table.lengthOf(id) > 0) return this.#table.bytesOf(id);
    const special = this.#specialTokens.get(id);
    return special === undefined ? undefined : Buffer.from(special);
  }
}

interface LongPiecePlace {
  readonly start: number;
  readonly end: number;
  readonly tokensMax: number;
}

const noBytes = new Uint8Array();

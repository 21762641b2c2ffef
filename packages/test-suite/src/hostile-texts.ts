import { createRandom } from "./random.js";

/** Texts that are hard on tokenizers, by name, each about as long as asked. To be called in a test. */
export function hostileTexts(length: number): readonly (readonly [name: string, text: string])[] {
  const random = createRandom();
  const repeated = (unit: string): string => unit.repeat(Math.ceil(length / unit.length));
  const mixed = (characters: string): string => {
    const list = Array.from(characters);
    return repeated(Array.from({ length: Math.min(length, 100_000) }, () => random.pick(list)).join(""));
  };
  return [
    ["one letter", repeated("x")],
    ["one capital", repeated("X")],
    ["spaces", repeated(" ")],
    ["spaces before a word", `${repeated(" ")}x`],
    ["newlines", repeated("\n")],
    ["white space", mixed(" \n\t\r\u00a0\u3000")],
    ["tabs", `a${repeated("\t")}b`],
    ["digits", repeated("1234567890")],
    ["emoji with joiners", repeated("👩🏽‍👩‍👧")],
    ["one CJK character", repeated("漢")],
    ["CJK", mixed("漢字仮名交文東京大阪的一是不了人我在有他这")],
    ["random letters", mixed("abcdefghijklmnopqrstuvwxyz")],
    ["base64", mixed("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")],
    ["aB3$", repeated("aB3$")],
    ["halves of surrogate pairs", repeated("\udc00\ud800")],
    ["combining marks", `e${repeated("\u0301")}`],
    ["zero width", mixed("\u200b\u200d\u2060\ufeff")],
    ["mixed case", mixed("aBcDeFǅʰ")],
    ["capitals after a letter without case", `あ${repeated("B")}`],
    ["right to left", mixed("אבגדהוזחטי كتبمال")],
    ["dashes", repeated("-")],
    ["symbols", mixed("!$%&*-=_+#@~^")],
    ["slashes and newlines", `$${repeated("\n/")}`],
    ["contractions", mixed("a'sLLvere'dmT \n")],
    ["Thai", mixed("กขคงจฉชซฌญฎฏฐ")],
  ];
}

import { type InputToEmbed, nameInput } from "../../operations/embedding-inputs.js";

interface InputNameProps {
  readonly inputs: readonly InputToEmbed[];
  readonly at: number;
}

/** The number of an input, its image and its text. */
export function InputName({ inputs, at }: InputNameProps) {
  const input = inputs[at];
  if (input === undefined) return null;
  return (
    <>
      <strong>{at + 1}</strong>{" "}
      {input.image !== undefined && <img className="thumb" src={input.image.url} alt="" />}
      {nameInput(input)}
    </>
  );
}

/** A message of the gateway. Words in backticks are names and values, and are shown as code. */
export function Message({ text }: { readonly text: string }) {
  return splitCode(text).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

/** The parts of a message. Every second one stood between backticks. */
export function splitCode(text: string): string[] {
  return text.split(/`([^`]+)`/);
}

import { linkTo } from "../routes/address.js";

interface KeyLinkProps {
  readonly id: string;
  readonly name: string;
}

/** The name of a key, which leads to its sheet. The gateway's own keys are not among the keys. */
export function KeyLink({ id, name }: KeyLinkProps) {
  if (id.startsWith("console:")) return "console (operator)";
  if (id.startsWith("gateway:")) return `${name} (gateway)`;
  return <a href={linkTo("/keys", { key: id })}>{name}</a>;
}

import { errorRemedies } from "@model-gateway/spec/error-help";
import { Message } from "../../parts/message.js";

/** The action that a caller can take after an error, in the words of the docs. Loaded when an error is shown. */
export default function ErrorRemedy({ code }: { readonly code: string }) {
  const remedy = Object.entries(errorRemedies).find(([known]) => known === code)?.[1];
  return <Message text={remedy ?? "This version of the console does not know the code."} />;
}

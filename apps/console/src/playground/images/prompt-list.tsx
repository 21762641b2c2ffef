import { TextArea } from "../../parts/fields.js";

const names = ["Prompt A", "Prompt B"];

interface PromptListProps {
  /** One, or two to compare. */
  readonly prompts: readonly string[];
  readonly onChange: (prompts: readonly string[]) => void;
}

/** One prompt, or two that run at once and are shown side by side. */
export function PromptList({ prompts, onChange }: PromptListProps) {
  const [first = ""] = prompts;
  const isAlone = prompts.length === 1;
  return (
    <>
      <div className="compared">
        {prompts.map((prompt, at) => (
          <TextArea
            key={names[at]}
            label={isAlone ? "Prompt" : (names[at] ?? "")}
            rows={3}
            required
            value={prompt}
            onChange={(event) => onChange(prompts.with(at, event.target.value))}
          />
        ))}
      </div>
      {/* One button for both, so that it keeps the focus. */}
      <div className="row">
        <button type="button" className="button" onClick={() => onChange(isAlone ? [first, first] : [first])}>
          {isAlone ? "Compare with another prompt" : "Remove prompt B"}
        </button>
      </div>
    </>
  );
}

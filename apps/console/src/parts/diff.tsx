import { CopyButton } from "./copy.js";

const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

/** A unified diff. The signs at the start of lines say what the colours say. */
export function Diff({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <div className="code diff">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          {lines.map((line, index) => (
            <span key={index} className={/^(\+\+\+|---) /.test(line) ? "place" : kinds[line.charAt(0)]}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
      </section>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  );
}

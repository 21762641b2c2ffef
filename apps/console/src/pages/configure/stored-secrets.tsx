import type { Schemas } from "../../operations/schemas.js";

interface StoredSecretsProps {
  readonly change: Pick<Schemas["ConfigurationChange"], "secrets" | "applied">;
}

/** Where the secrets that were typed are kept, and who can read them. Nothing if none was typed. */
export function StoredSecrets({ change: { secrets, applied } }: StoredSecretsProps) {
  if (secrets.length === 0) return null;
  return (
    <div>
      {secrets.map(({ name, path }) => (
        <p key={name}>
          The key that you typed {applied ? "is" : "will be"} in the file <code>{path}</code>, as plain text
          that only the user of the gateway’s process may read. The configuration refers to it as{" "}
          <code>{`\${${name}}`}</code>, and the console never shows it.
        </p>
      ))}
    </div>
  );
}

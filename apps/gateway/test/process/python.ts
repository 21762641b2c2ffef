import { spawnSync } from "node:child_process";

/** Tests may rely on Node and npm only. If Python or one of its packages is missing, the run lists skipped tests. */
const found = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });

/** The path of Python 3, if any. */
export const python = found.status === 0 ? found.stdout.trim() : undefined;

/** The clients that samples import. */
const missing = ["openai", "ollama", "cohere", "voyageai", "haystack"].filter(
  (name) => python === undefined || spawnSync(python, ["-c", `import ${name}`]).status !== 0,
);

/** Why a Python program cannot run here; undefined when it can. */
export function whyPythonCannotRun(program: string): string | undefined {
  if (python === undefined) return "there is no python3";
  const name = missing.find((one) => program.includes(`from ${one} import`));
  return name === undefined ? undefined : `the package ${name} for Python is not installed`;
}

if (python === undefined) console.warn("Left out, because there is no python3: the samples in Python.");
else
  for (const name of missing)
    console.warn(`Left out, because ${name} for Python is not installed: the samples that import it.`);

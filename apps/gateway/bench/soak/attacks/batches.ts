import { type Attack, outcomeOf, type Received, send, type Target } from "./attack.js";

const blankLines = "\n".repeat(5_000_000);
export const batchesOfFile = 5;
const linesOfFile = 10;
const boundary = "-soak";

/** Files that are read again for each batch: one of blank lines, and one whose results are a hundred times its size. */
export const batches: Attack = {
  name: "batches",
  atOnce: 1,
  everyMs: 15_000,
  run: async (target, number) => {
    const content = number % 2 === 0 ? blankLines : imageLines(number);
    const uploaded = await upload(target, content);
    if (uploaded.status !== 200) return `upload ${outcomeOf(uploaded)}`;
    const { id } = JSON.parse(uploaded.body.toString()) as { id: string };
    const outcomes = new Set<string>();
    for (let count = 0; count < batchesOfFile; count += 1) outcomes.add(outcomeOf(await create(target, id)));
    return [...outcomes].join(", ");
  },
  expected: /^(upload )?((200|400 [a-z_]+|403 file_quota_exceeded|429 [a-z_]+|503 storage_full)(, )?)+$/,
};

/** Each prompt is bought once for each batch, and `boughtTwice` counts on it. */
function imageLines(number: number): string {
  const lines = Array.from({ length: linesOfFile }, (_, line) => {
    const body = { model: "bought", prompt: `batch ${number}, line ${line}` };
    return JSON.stringify({ custom_id: String(line), method: "POST", url: "/v1/images/generations", body });
  });
  return lines.join("\n");
}

function upload(target: Target, content: string): Promise<Received> {
  const field = (name: string, more = "") =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const file = field("file", '; filename="a.jsonl"\r\ncontent-type: application/jsonl');
  const body = `${field("purpose")}batch\r\n${file}${content}\r\n--${boundary}--\r\n`;
  return send(target, { path: "/v1/files", contentType: `multipart/form-data; boundary=${boundary}`, body });
}

function create(target: Target, id: string): Promise<Received> {
  const body = { input_file_id: id, endpoint: "/v1/images/generations", completion_window: "24h" };
  return send(target, { path: "/v1/batches", contentType: "application/json", body: JSON.stringify(body) });
}

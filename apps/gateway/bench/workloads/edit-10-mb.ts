import { editCase } from "./image-cases.js";
import type { Workload } from "./workload.js";

export const edit10Mb: Workload = {
  name: "edit-10-mb",
  title: "Edit",
  question: "One image of 10 MB in a form, and one of 1.5 MB of base64 back.",
  cases: [editCase(1)],
  concurrency: [1, 8],
  warmUpRequests: 16,
  quick: { concurrency: [8], labels: ["10 MB"] },
  uploads: true,
};

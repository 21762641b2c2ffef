import { sentencesIn } from "../says-sentence.js";

/** The body is a sentence and nothing else. */
export const { saysError: saysOllamaError, saysSentence } = sentencesIn((message) => ({ error: message }));

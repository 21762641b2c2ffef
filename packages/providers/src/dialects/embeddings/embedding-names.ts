/** Whether a model's name says that it embeds, for servers whose list does not tell the kinds of models apart. */
export function isEmbeddingName(name: string): boolean {
  return /embed|minilm|mpnet|(?:^|[^a-z])(?:bge|gte|e5)(?:[^a-z0-9]|$)/i.test(name) && !/rerank/i.test(name);
}

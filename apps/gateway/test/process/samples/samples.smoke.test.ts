import { describe } from "vitest";
import { testSamples } from "./run-samples.js";

describe("createEmbedding", () => testSamples("createEmbedding"));
describe("createImageEdit", () => testSamples("createImageEdit"));

import type { AskModel } from "../alias-cases.js";
import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { createAsyncCases } from "./async-cases.js";

const context = contractGateway("image");
const path = "/v1/async/images/generations";
const body = { prompt: "a fox" };
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson(path, { model, ...body, ...fields }, init);

contract("createAsyncImage", createAsyncCases({ context, path, ask, body }));

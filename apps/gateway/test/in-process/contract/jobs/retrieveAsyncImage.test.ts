import { adminGateway } from "../admin-gateway.js";
import { contract } from "../contract.js";
import { retrieveAsyncCases } from "./async-cases.js";
import { withSketch } from "./job-gateway.js";

contract("retrieveAsyncImage", retrieveAsyncCases(adminGateway(withSketch), "/v1/async/images/generations"));

import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { azureListCases } from "./azure-list-cases.js";

const context = contractGateway("embedding");

contract("listAzureModels", azureListCases(context, "/openai/v1/models"));

import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { azureListCases } from "./azure-list-cases.js";

const context = contractGateway("embedding");

contract("listAzureDeploymentModels", azureListCases(context, "/openai/models"));

// Written by `pnpm generate` from openapi.yaml. Do not edit.

export interface paths {
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings
         * @description Turns each input into a vector. `data` has one entry for each input, in the order of the inputs.
         *
         *     `input` is a string, an array of token ids (which is *one* input), or an array of several inputs. Token ids depend on
         *     the tokenizer: a model without a declared tokenizer refuses them and asks for text.
         *
         *     An input may also be an object with `content`, a list of texts, images, PDFs, audio and video that have one vector
         *     together. The gateway reads and checks each file before it calls an upstream. A model refuses a kind that it does not
         *     take with `unsupported_modality`.
         *
         *     `encoding_format: base64` returns each vector as little-endian float32 bytes in base64. The response is about a
         *     third as large as with `float`.
         *
         *     `output_dtype` returns vectors of smaller numbers for vector databases that search them: `ubinary` is one bit for
         *     each dimension.
         */
        post: operations["createEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/engines/{model}/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the model, percent-encoded.
                 * @example gte-small
                 */
                model: components["parameters"]["ModelInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings, with the model in the path
         * @deprecated
         * @description The path that OpenAI clients used before 2022. It works like `POST /v1/embeddings`: use that path in new code. The
         *     path names the model, percent-encoded: a slash in the id becomes `%2F`. A `model` in the body must be the same id.
         */
        post: operations["createEmbeddingLegacy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/multimodalembeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings of texts and images, for Voyage clients
         * @description Turns each input into a vector, in the form of Voyage AI's multimodal embeddings. Every embedding model can be called;
         *     one without images takes inputs of one text. It counts as `createEmbedding` in limits, usage and metrics.
         *
         *     For texts alone, Voyage AI's clients call `POST /v1/embeddings`, which is OpenAI's form.
         */
        post: operations["createVoyageEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create images
         * @description Creates `n` images from a prompt.
         *
         *     `response_format` decides how the response carries the images (`b64_json` or `url`). `output_format` is their file
         *     format (`png`, `jpeg` or `webp`). Every model supports both parameters, `n` and `stream`: the gateway adds the
         *     features that the upstream lacks. `GET /v1/models/{model}` lists the sizes, qualities and other options that a model
         *     supports. The gateway refuses any other value with a 400 that names the parameter and the supported values.
         *
         *     Some models also create `gif` (animated) and `svg` (vector) images. Neither can be streamed, compressed or
         *     transparent, and one request creates one `svg`. Treat an SVG as untrusted: show it in an `<img>`, not in the page.
         *
         *     With `stream: true`, the response is a stream of server-sent events, regardless of the `Accept` header: any number
         *     of `image_generation.partial_image`, then one `image_generation.completed` for each image. A failure after the
         *     stream started arrives as an `error` event.
         */
        post: operations["createImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Edit images
         * @description Creates new images from a prompt and one or more input images.
         *
         *     In a form, send the image as a file part named `image`. For several images, repeat `image`, or use `image[]` or
         *     `image[0]`, `image[1]`, and so on. The parts may come in any order. The gateway detects the format of a part sent as
         *     `application/octet-stream` from its bytes. Send numbers and booleans as text, and `null` as the
         *     text `null`.
         *
         *     A `mask` is a PNG with an alpha channel and the size of the first image. The model may change only the area where
         *     the mask is fully transparent.
         *
         *     A `markup` is a PNG with an alpha channel and the size of the first image. It is laid over that image to guide the
         *     edit: an arrow, a circle, a note. It cannot be combined with a mask, nor with `moderation: low`.
         *
         *     In JSON, `images` holds the images as data URLs or as `https` URLs that the gateway fetches.
         *
         *     With `stream: true`, the response is a stream of server-sent events: any number of `image_edit.partial_image`, then
         *     one `image_edit.completed` for each image. A failure after the stream started arrives as an `error` event.
         */
        post: operations["createImageEdit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The file name, as in the link.
                 * @example 6f1f3530a1a2324b19752018ce756088.png
                 */
                file: components["parameters"]["ImageFileInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve an image file
         * @description The bytes of an image that a response carried as a link, with `response_format: url`. The link needs no key: its
         *     signature cannot be guessed, and it expires. Use the link without changes.
         */
        get: operations["retrieveImageFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/content_provenance_checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the provenance of an image
         * @description Looks for provenance signals in an image: content credentials (C2PA) and the SynthID watermark.
         *
         *     The gateway checks the content credentials of any PNG, JPEG or WebP itself, from any signer: the structure of the
         *     manifest, the hashes of its assertions, its signature, and the hash that binds it to the image. It does not check
         *     whether the signer is to be trusted: a `valid` manifest may be signed by anyone, under any name. `not_verified` lists
         *     what was left out.
         *
         *     SynthID, and OpenAI's own word on its content credentials, are checked by an upstream, if the operator has configured
         *     one. A signal that could not be checked is in `not_checked`, and not in `results`.
         *
         *     An image without any signal may still be generated: metadata is easily lost.
         */
        post: operations["createContentProvenanceCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files
         * @description The files of the key and of all keys with the same owner: those that were uploaded, and the results of batches. With the
         *     admin key, the files of all keys. The next page begins after the `last_id` of this one, even if that file was deleted meanwhile.
         */
        get: operations["listFiles"];
        put?: never;
        /**
         * Upload a file
         * @description Stores a file that a batch can read: one JSON object a line, and a name that ends in `.jsonl`. The file may have up to
         *     512 MB, unless the operator has set another limit. It is stored as it arrives, and exists once it has arrived
         *     completely.
         *
         *     The file belongs to the key that uploads it, and to that key's owner. To a key with another owner it does not exist.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the file.
                 * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
                 */
                file: components["parameters"]["FileInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a file
         * @description The size, the purpose and the expiry of a file. A file of another owner's key gets the same 404 as
         *     one that does not exist.
         *     The admin key finds the files of all keys.
         */
        get: operations["retrieveFile"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Deletes a file and frees its bytes. A file of another owner's key gets the same 404 as one that does not
         *     exist. The admin key
         *     may delete the files of all keys.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file}/content": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the file.
                 * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
                 */
                file: components["parameters"]["FileInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve the content of a file
         * @description The bytes of a file, or a part of them. A file of another owner's key gets the same 404 as one that does
         *     not exist. The admin
         *     key reads the files of all keys.
         */
        get: operations["retrieveFileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches
         * @description The batches of the key whose secret is sent, and of all keys with the same owner, newest first. A batch is listed for
         *     30 days after it has ended.
         */
        get: operations["listBatches"];
        put?: never;
        /**
         * Create a batch
         * @description Runs each line of an uploaded file as a request of the key whose secret is sent, on whichever upstream serves the
         *     model. The batch is created at once, with the status `validating`. Then its file is checked: if lines have faults, the
         *     batch becomes `failed`, and `errors` lists them with their line numbers. Nothing has run by then.
         *
         *     Each line is subject to the key's models, limits and budget, as any other request. Lines have the priority `bulk`:
         *     interactive requests go first. A line that a rate limit refuses waits and is tried again. Embeddings of several lines
         *     share upstream calls.
         *
         *     The space that the results may take is reserved when the batch is created, and counts in the quotas of the key's files.
         *     A batch whose results have no room is refused, or fails before a line runs. A file that was refused is not checked
         *     again: upload the corrected one.
         *
         *     Lines that succeed are written to the output file, and the others to the error file, when the batch ends. An image is
         *     never bought twice: if the gateway crashed while a line was being served and cannot know its outcome, the line fails
         *     with `idempotency_outcome_unknown`.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch: components["parameters"]["BatchInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a batch
         * @description The state of a batch of the key whose secret is sent, or of another key with the same owner, and how many of
         *     its lines have ended.
         */
        get: operations["retrieveBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch: components["parameters"]["BatchInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description No more lines of the batch begin. Those that run are finished, which may take some minutes for images: until then the
         *     batch is `cancelling`. Then it is `cancelled`, and what has run is in its output files.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your jobs
         * @description The jobs of the key whose secret is sent, and of all keys with the same owner, newest first. They have no
         *     `response`: retrieve one job for it.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a job
         * @description One job of the key whose secret is sent, or of another key with the same owner. A job of any other key gets the same 404
         *     as one that does not exist.
         *
         *     With `Prefer: wait=30`, the response comes as soon as the job has ended, or after 30 seconds.
         *
         *     While a job with `partial_images` runs, `progress` has the latest partial image, if the upstream streams.
         */
        get: operations["retrieveJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{job}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description A queued job is cancelled at once. A running one is cancelled within a few seconds; its images may be paid for. A job
         *     that has ended stays as it is.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/async/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create images by a job, for Bifrost clients
         * @description `POST /v1/images/generations` with `Prefer: respond-async`, in the form of Bifrost's asynchronous API. It counts as
         *     `createImage` in limits, usage and metrics.
         */
        post: operations["createAsyncImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/async/images/generations/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a job, for Bifrost clients
         * @description `GET /v1/jobs/{job}`, in the form of Bifrost's asynchronous API: 202 until the job has ended, then 200.
         */
        get: operations["retrieveAsyncImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/async/images/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Edit images by a job, for Bifrost clients
         * @description `POST /v1/images/edits` with `Prefer: respond-async`, in the form of Bifrost's asynchronous API. It counts as
         *     `createImageEdit` in limits, usage and metrics.
         */
        post: operations["createAsyncImageEdit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/async/images/edits/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve the job of an edit, for Bifrost clients
         * @description `GET /v1/jobs/{job}`, in the form of Bifrost's asynchronous API: 202 until the job has ended, then 200.
         */
        get: operations["retrieveAsyncImageEdit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Every model that the key may call, with its capabilities. The list is complete and has one page.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the model, percent-encoded.
                 * @example gte-small
                 */
                model: components["parameters"]["ModelInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a model
         * @description One model and its capabilities: operations, vector lengths, sizes, formats and options. Percent-encode the id: a
         *     slash becomes `%2F`.
         */
        get: operations["retrieveModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve your own key
         * @description The key whose secret is sent: the models that it may call, its limits with what is left of them, its budget, and its
         *     spending in this month. A session shows the key that it was created with.
         */
        get: operations["retrieveOwnKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own requests
         * @description One entry for each request of the key whose secret is sent, newest first: its model, status, usage and cost. No other
         *     key's requests are in it. An entry appears some seconds after its request, and is deleted after the configured
         *     retention, if any. A request must match all filters.
         */
        get: operations["listOwnRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the request, as in the `x-request-id` header of its response.
                 * @example req_a3d50a6faea5e691c607f0a4902c56ab
                 */
                request_id: components["parameters"]["RequestInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve your own request
         * @description One request of the key whose secret is sent, by the `x-request-id` of its response. A request of another key gets
         *     the same 404 as one that does not exist.
         */
        get: operations["retrieveOwnRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve your own usage
         * @description The usage of the key whose secret is sent, in a time range, grouped by model, operation, and UTC day or hour, with the
         *     totals of all groups. A report of more than 50,000 groups is refused.
         *
         *     Usage is kept by the hour even where single requests are deleted after their retention. In that time, `from` and
         *     `to` must be full hours (UTC).
         */
        get: operations["retrieveOwnUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings, for Cohere clients
         * @description Turns each input into a vector, in the form of version 2 of Cohere's API. Every embedding model can be called. It
         *     counts as `createEmbedding` in limits, usage and metrics.
         *
         *     `embeddings` has one list of vectors for each of `embedding_types`, in the order of the inputs.
         */
        post: operations["createCohereEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/deployments/{model}/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the deployment, percent-encoded. It is the id of a model.
                 * @example gte-small
                 */
                model: components["parameters"]["DeploymentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings with a deployment
         * @description The path that Azure OpenAI clients use. It works like `POST /v1/embeddings`, and counts as `createEmbedding` in
         *     limits, usage and metrics.
         *
         *     The path names the model, percent-encoded: a slash in the id becomes `%2F`. A `model` in the body has no effect, as
         *     with Azure.
         */
        post: operations["createAzureDeploymentEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/deployments/{model}/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the deployment, percent-encoded. It is the id of a model.
                 * @example gte-small
                 */
                model: components["parameters"]["DeploymentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create images with a deployment
         * @description The path that Azure OpenAI clients use. It works like `POST /v1/images/generations`, and counts as `createImage` in
         *     limits, usage and metrics.
         *
         *     The path names the model, percent-encoded: a slash in the id becomes `%2F`. A `model` in the body has no effect, as
         *     with Azure.
         */
        post: operations["createAzureDeploymentImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/deployments/{model}/images/edits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the deployment, percent-encoded. It is the id of a model.
                 * @example gte-small
                 */
                model: components["parameters"]["DeploymentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Edit images with a deployment
         * @description The path that Azure OpenAI clients use. It works like `POST /v1/images/edits`, and counts as `createImageEdit` in
         *     limits, usage and metrics.
         *
         *     The path names the model, percent-encoded: a slash in the id becomes `%2F`. A `model` in the body has no effect, as
         *     with Azure.
         */
        post: operations["createAzureDeploymentImageEdit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models that can be deployments
         * @description The path that `AzureOpenAI` in the OpenAI SDK uses. It is `GET /v1/models`: the models have OpenAI's fields, not
         *     Azure's. Each id works as a deployment.
         */
        get: operations["listAzureDeploymentModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings, for Azure clients
         * @description For clients whose base URL ends with `/openai/v1`, as in Azure's newer API. It is `POST /v1/embeddings`, and
         *     counts as `createEmbedding` in limits, usage and metrics.
         */
        post: operations["createAzureEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/v1/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create images, for Azure clients
         * @description For clients whose base URL ends with `/openai/v1`, as in Azure's newer API. It is
         *     `POST /v1/images/generations`, and counts as `createImage` in limits, usage and metrics.
         */
        post: operations["createAzureImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/v1/images/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Edit images, for Azure clients
         * @description For clients whose base URL ends with `/openai/v1`, as in Azure's newer API. It is `POST /v1/images/edits`, and
         *     counts as `createImageEdit` in limits, usage and metrics.
         */
        post: operations["createAzureImageEdit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models, for Azure clients
         * @description For clients whose base URL ends with `/openai/v1`, as in Azure's newer API. It is `GET /v1/models`.
         */
        get: operations["listAzureModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings, for Ollama clients
         * @description Turns each input into a vector, in Ollama's form. It counts as `createEmbedding` in limits, usage and metrics.
         *
         *     The key is required, as for every other operation: set it as a header in the client. Vectors have the numbers of the
         *     upstream; the gateway does not normalise them.
         */
        post: operations["createOllamaEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create one embedding, for old Ollama clients
         * @deprecated
         * @description The path that Ollama clients used before `POST /api/embed`. It takes one text. It counts as `createEmbedding` in
         *     limits, usage and metrics.
         */
        post: operations["createOllamaEmbeddingLegacy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List embedding models, for Ollama clients
         * @description Every embedding model that the key may call, in Ollama's form. Image models are not listed: Ollama clients cannot
         *     call them.
         */
        get: operations["listOllamaModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retrieve an embedding model, for Ollama clients
         * @description One embedding model in Ollama's form: its capability, the length of its vectors, and the maximum number of tokens in
         *     an input. `GET /v1/models/{model}` has more.
         */
        post: operations["retrieveOllamaModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List running models, for Ollama clients
         * @description Every embedding model that the key may call and that can serve requests now, in Ollama's form. The gateway does
         *     not know which models an upstream has in memory.
         */
        get: operations["listRunningOllamaModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the version, for Ollama clients
         * @description The version of Ollama whose API these paths follow. Clients read it to find out which features a server has.
         */
        get: operations["retrieveOllamaVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Returns 200 while the process runs. Restart the process if it does not respond.
         */
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Returns 200 if at least one model can serve requests. Returns 503 while the gateway starts or stops, or if no model
         *     can serve requests: each is `unavailable`, or all its targets are `drifted` and excluded, or `misconfigured` and
         *     paused. Targets that fail otherwise do not count: only a request can show that such a target works again, so the
         *     gateway stays at 200 with the status `failing`. Send traffic to this gateway only while it returns 200. All processes
         *     of a gateway return the same: a model that one of them can serve is ready.
         *
         *     It needs no key. With the admin key and `verbose` it names the upstreams and their errors; another key is ignored.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description All keys: those that `createKey` created, and those in the configuration file. By default the newest come first.
         *     Revoked keys stay in the list, so that usage reports can name them. A key of the configuration file has the `source`
         *     `file` and can be changed only there.
         *
         *     While keys are used, their `last_used_at` and `spent_usd` change. A list that is sorted by one of them may show such a
         *     key twice or not at all; all other keys are on exactly one page.
         *
         *     With `Accept: text/csv`, the response is a CSV table, and the `x-next-cursor` header carries `next_cursor`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Creates an access key. Only this response contains the secret: the gateway stores a digest of it. All gateways that
         *     share the database accept the key immediately.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a key
         * @description The restrictions of one key, and when it was last used. Keys in the configuration file can also be retrieved.
         */
        get: operations["retrieveKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Revokes a key permanently. All gateways apply the change within a second. Requests in flight continue. If the
         *     key is already revoked, nothing changes. To stop a key for a while, set `disabled` instead.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change a key
         * @description Changes the properties in the body and keeps the others. `null` removes a restriction. All gateways apply the change
         *     within a second.
         */
        patch: operations["changeKey"];
        trace?: never;
    };
    "/admin/v1/keys/{key}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a key
         * @description Gives a key a new secret. Only this response contains it. All gateways that share the database accept it immediately.
         *     The earlier secret works on for `overlap_seconds`, so that callers can change over without a failed request, and then
         *     stops working. With `overlap_seconds: 0`, all gateways refuse it within a second.
         *
         *     The key keeps its id, so that its usage, limits and budget go on. A session that was created with an earlier secret
         *     ends with that secret. A key has at most four earlier secrets that work.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve usage
         * @description The usage in a time range, grouped by key, model, operation, owner, upstream, and UTC month, day or hour, with the
         *     totals of all groups. A report of more than 50,000 groups is refused: choose a shorter time range or fewer groupings.
         *
         *     `owner=search&period=this_month` is the spending of the team `search` since the start of the month. A key's usage counts
         *     for its current owner: if the owner of a key changes, the earlier usage of the key moves with it.
         *
         *     Usage is kept by the hour even where single requests are deleted after their retention. In that time, `from` and `to`
         *     must be full hours (UTC).
         *
         *     The percentiles of request durations are estimates: requests are counted in ten ranges for each factor of
         *     ten from 1 ms to 1,000 s. An estimate and the exact value are in the same range, so they differ by a factor of less
         *     than 1.26. Up to 1 ms they differ by less than 1 ms, and times above 1,000 s count as 1,000 s.
         *
         *     With `Accept: text/csv`, the response is a CSV table without the totals.
         */
        get: operations["retrieveUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests
         * @description One entry for each request, newest first: its key, model, status, usage and cost. An entry appears some seconds
         *     after its request, and is deleted after the configured retention, if any. Prompts, vectors and
         *     images are never recorded. A request must match all filters.
         *
         *     With `Accept: text/csv`, the response is a CSV table, and the `x-next-cursor` header carries `next_cursor`.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the request, as in the `x-request-id` header of its response.
                 * @example req_a3d50a6faea5e691c607f0a4902c56ab
                 */
                request_id: components["parameters"]["RequestInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a request
         * @description One request, by the `x-request-id` of its response. It appears some seconds after the request,
         *     and is deleted after the configured retention, if any.
         */
        get: operations["retrieveRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the batches of all keys
         * @description The batches of all keys, newest first.
         */
        get: operations["listAllBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/batches/{batch}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch: components["parameters"]["BatchInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve any batch
         * @description The state of a batch, and how many of its lines have ended. `retrieveFileContent` with the admin key returns its
         *     files.
         */
        get: operations["retrieveAnyBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/batches/{batch}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch: components["parameters"]["BatchInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel any batch
         * @description No more lines of the batch begin. Those that run are finished, and what has run is in its output files.
         */
        post: operations["cancelAnyBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs of all keys
         * @description Newest first. A job has neither its prompt nor its images here.
         */
        get: operations["listAllJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a job of any key
         * @description One job. It has neither its prompt nor its images here.
         */
        get: operations["retrieveAnyJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/jobs/{job}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job of any key
         * @description A queued job is cancelled at once. A running one is cancelled within a few seconds; its images may be paid for. A job
         *     that has ended stays as it is.
         */
        post: operations["cancelAnyJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models with their targets
         * @description Every configured model: its targets, how the gateway chooses among them, its limits, and whether its price is known.
         *     `GET /v1/models` lists the callers' view.
         */
        get: operations["listAdminModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/upstreams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upstreams
         * @description Every configured upstream without its secrets, and the state of its targets as seen by the gateway that receives the
         *     request.
         */
        get: operations["listUpstreams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/upstream-trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try an upstream
         * @description Opens an upstream for this one call, whether it is in the configuration or not, and reports whether it works. Nothing
         *     is stored. With an embedding model, it embeds one word. With an image model, it creates one image, which may cost
         *     money: `confirm_cost` must be `true`. Without `model`, the upstream lists its models. A provider without a list embeds
         *     one word with the first of its example models; of one that only creates images, only the settings are checked.
         *
         *     A trial reads no variable and no file, except those that the upstream `name` of the configuration reads in the same
         *     setting. Its stored secrets only go where the configuration sends them: a trial that uses one and changes the address,
         *     the proxy, the headers or another setting that could move it is refused. Enter the secret again to try such a change.
         *     There are no trials where `console` in the configuration does not allow changes.
         *
         *     A trial that fails is a 200 with `ok: false` and an error that says what to check. It takes at most 30 seconds, or two
         *     minutes for an image. Four trials run at the same time; more are refused with 429.
         */
        post: operations["tryUpstream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List providers
         * @description Every provider that an upstream can have: the JSON Schema of its settings, which of them are secrets, and examples of
         *     its models.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Problems that an operator should look at now: targets that are not healthy, keys that have used most of their budget, and a
         *     configuration file that was refused. If everything is fine, the lists are empty and the refusal is `null`.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a session
         * @description Exchanges a key for a session, so that a program such as the console need not keep the key. The request has no body.
         *     Send the admin key for an operator's session, or an API key for a caller's session.
         *
         *     The console link that a gateway prints on a terminal contains a one-time code, which begins with `mg_code_`;
         *     `createSignInCode` creates another. Sent in
         *     place of a key, it creates an operator's session. It works once, within ten minutes, for a request that comes
         *     directly from the gateway's own machine: over a loopback address, with a `Host` that is one, and without headers of a
         *     proxy.
         *
         *     An operator's session may use the admin API and call every model. Its requests to models are recorded under the key
         *     `console:operator`. A caller's session has the permissions of its key: its requests count for the key, and it ends when
         *     the key is revoked.
         *
         *     Only this response contains the secret. Send it as `Authorization: Bearer <secret>`. All gateways that share the database
         *     accept it. A session lasts eight hours. After 100 sessions of one key, the oldest ends.
         *
         *     A valid key is always accepted. After five wrong keys from one client, or five wrong keys with the same prefix, the
         *     next wrong key is refused with 429 and a wait that doubles each time, up to a minute. A client is an IPv4 address or
         *     an IPv6 /64 network.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sessions/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the session
         * @description The session whose secret is sent: its kind, its expiry, and the models that it may call. A key is refused with
         *     401.
         */
        get: operations["retrieveSession"];
        put?: never;
        post?: never;
        /**
         * End the session
         * @description Ends the session whose secret is sent. The gateway that receives the request refuses it immediately, and all others
         *     within a second. Requests in flight continue, and event streams end.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sign-in-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a sign-in code
         * @description Creates a one-time code that signs a person in to the console, in the link `/console/#code=<value>`. It is for a
         *     program on the gateway's own machine, such as the command `link`. The request has no body. It must come
         *     directly from that machine, as a request that uses a code: over a loopback address, with a `Host` that is one, and
         *     without headers of a proxy.
         *
         *     The code works once, within ten minutes. A new code ends the one before. A session cannot create one, because it could
         *     outlive itself that way: send the admin key.
         */
        post: operations["createSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/probes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Probe a target
         * @description Calls one target of a model once, with a small request, and reports whether its reply is valid. The target is called
         *     even while it is paused. If the call succeeds, it receives requests again immediately, unless it is `drifted`.
         *
         *     An embedding model embeds a short text. An image model creates one image, which may cost money:
         *     `confirm_cost` must be `true`. The call is recorded under the key `gateway:probe`.
         *
         *     A call that fails is a 200 with `ok: false`.
         */
        post: operations["probeTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/space-comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare targets
         * @description Embeds a fixed set of short texts at every target of an embedding model, and compares the vectors. Targets that take
         *     images also embed four small PNGs. Targets whose vectors differ must not serve one model: its indexes would hold
         *     vectors of two spaces, and distances between those mean nothing. Equal names and widths do not prove that targets
         *     agree, and neither do equal vectors of texts prove it for images.
         *
         *     Every target is called, even while it is paused. A target that fails is a 200 with the verdict `incomplete`, unless
         *     others differ. The calls are recorded under the key `gateway:probe`, and upstreams may charge for them. A model that
         *     is being compared already is not compared twice: both requests get the same response.
         *
         *     The gateway keeps the last comparison of each model, and drops it when the model is removed. `listAdminModels` and
         *     `listAlerts` show it. With PostgreSQL, all replicas share it.
         */
        post: operations["compareTargets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/space-revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept changed vectors
         * @description Makes the vectors that a drifted target returned at its last check those of its vector space. The space gets a new
         *     revision: its id changes, and with it `x-gateway-space` and the keys of the cache, for every model of the space.
         *     Vectors with the old id and with the new one cannot be compared, so indexes must be rebuilt.
         *
         *     The other targets of the space are compared with the accepted vectors immediately. Those that still return the old
         *     vectors become `drifted`. All processes on the machine use the new revision before the response, and other replicas
         *     within 15 seconds.
         */
        post: operations["acceptSpace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the configuration
         * @description The active configuration without its secrets, and the reason if a newer file was refused. The worker
         *     that receives the request responds.
         */
        get: operations["retrieveConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/configuration/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the configuration
         * @description Sets and removes upstreams and models in the configuration file. The result is checked like any configuration file
         *     before it is written, and takes effect without a restart. Only the lines of the changed entries change: comments and
         *     order stay. The previous text is kept beside the file, with `.previous` at the end of its name.
         *
         *     A secret that is sent as text is written to a file in the data folder that only the gateway's user can read. The
         *     configuration file refers to it as `${NAME}`. It is in no diff, log or response. Files of secrets that no entry uses
         *     any more are deleted.
         *
         *     If the file cannot be written, or with `dry_run`, the response has `applied: false`, the diff, and the lines to paste.
         *     Without a configuration file, the change creates `gateway.yaml` in the working directory, with the built-in
         *     configuration and the change.
         */
        post: operations["changeConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events
         * @description The events of this gateway as server-sent events: `target.state_changed`, `configuration.reloaded`,
         *     `configuration.changed` and `request.finished`, from all of its workers. The first event is `stream.started`. Past events are not sent.
         *
         *     Each worker sends at most 20 finished requests per second; `events.dropped` counts the others.
         *
         *     The stream ends when the session ends, when another configuration takes effect, and when the gateway stops. Connect
         *     again after that. A worker serves at most 20 readers; more are refused with 429. The browser's `EventSource` cannot
         *     send a key: read the stream with `fetch`.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read metrics
         * @description The metrics of the gateway that receives the request, in the Prometheus text format. Configure the scraper with the
         *     admin key as its bearer token.
         */
        get: operations["readMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The id of a model, as listed by `GET /v1/models`.
         * @example gte-small
         */
        ModelId: string;
        /**
         * a text part
         * @description A text in an input.
         */
        EmbeddingTextPart: {
            /**
             * @description Always `text`.
             * @example text
             * @enum {string}
             */
            type: "text";
            /**
             * @description The text. It must not be empty.
             * @example A red bicycle.
             */
            text: string;
        };
        /**
         * @description A data URL (`data:image/png;base64,` and the bytes of a PNG, JPEG or WebP image), or an `https` URL on the public
         *     internet that the gateway fetches.
         * @example https://example.com/bicycle.jpg
         */
        EmbeddingImageUrl: string;
        /**
         * an image part
         * @description An image in an input.
         */
        EmbeddingImagePart: {
            /**
             * @description Always `image_url`.
             * @example image_url
             * @enum {string}
             */
            type: "image_url";
            /** @description The image. */
            image_url: {
                url: components["schemas"]["EmbeddingImageUrl"];
            };
        };
        /**
         * @description The bytes of the file: a data URL, plain base64 of at most 1 MiB, or an `https` URL on the public internet that the
         *     gateway fetches. The format is known by the first bytes, whatever a data URL says.
         * @example https://example.com/report.pdf
         */
        EmbeddingMediaData: string;
        /**
         * a file part
         * @description A PDF in an input. Its pages are counted before an upstream is called.
         */
        EmbeddingFilePart: {
            /**
             * @description Always `input_file`.
             * @example input_file
             * @enum {string}
             */
            type: "input_file";
            /** @description The file. */
            input_file: {
                data: components["schemas"]["EmbeddingMediaData"];
                /**
                 * @description The format of the file. A file in another one is refused.
                 * @example pdf
                 * @enum {string|null}
                 */
                format?: "pdf" | null;
            };
        };
        /**
         * an audio part
         * @description Sound in an input. Its seconds are counted before an upstream is called.
         */
        EmbeddingAudioPart: {
            /**
             * @description Always `input_audio`.
             * @example input_audio
             * @enum {string}
             */
            type: "input_audio";
            /** @description The file. */
            input_audio: {
                data: components["schemas"]["EmbeddingMediaData"];
                /**
                 * @description The format of the file. A file in another one is refused.
                 * @example mp3
                 * @enum {string|null}
                 */
                format?: "wav" | "mp3" | "flac" | "ogg" | null;
            };
        };
        /**
         * a video part
         * @description A video in an input. Its seconds are counted before an upstream is called.
         */
        EmbeddingVideoPart: {
            /**
             * @description Always `input_video`.
             * @example input_video
             * @enum {string}
             */
            type: "input_video";
            /** @description The file. */
            input_video: {
                data: components["schemas"]["EmbeddingMediaData"];
                /**
                 * @description The format of the file. A file in another one is refused.
                 * @example mp4
                 * @enum {string|null}
                 */
                format?: "mp4" | "mov" | "webm" | null;
            };
        };
        /**
         * a part
         * @description A part of an input.
         */
        EmbeddingPart: components["schemas"]["EmbeddingTextPart"] | components["schemas"]["EmbeddingImagePart"] | components["schemas"]["EmbeddingFilePart"] | components["schemas"]["EmbeddingAudioPart"] | components["schemas"]["EmbeddingVideoPart"];
        /**
         * a content object
         * @description One input of texts, images and other media. It has one vector. A model takes the kinds of its
         *     `embedding.input_modalities`; `embedding.input_images` and `embedding.input_media` have their limits.
         * @example {
         *       "content": [
         *         {
         *           "type": "text",
         *           "text": "A red bicycle."
         *         },
         *         {
         *           "type": "image_url",
         *           "image_url": {
         *             "url": "https://example.com/bicycle.jpg"
         *           }
         *         }
         *       ]
         *     }
         */
        EmbeddingContentInput: {
            /** @description The parts of the input, in their order. */
            content: components["schemas"]["EmbeddingPart"][];
        };
        /**
         * @description The inputs to embed: texts, token ids, or content with images. An input must not be empty. One request may have at
         *     most 2048 inputs. The model may have a lower limit, `embedding.max_inputs` of `GET /v1/models/{model}`. The maximum
         *     length of one input, as text or as token ids, is `embedding.max_tokens`; no input has more than 131,072 token ids, and
         *     no text is longer than 1 MiB in the request body.
         * @example The cat sat on the mat.
         * @example [
         *       "first text",
         *       "second text"
         *     ]
         * @example [
         *       791,
         *       8415,
         *       7731
         *     ]
         */
        EmbeddingInput: string | string[] | number[] | number[][] | (string | number[] | components["schemas"]["EmbeddingContentInput"])[];
        /**
         * a chat message
         * @description A message of a conversation that is embedded as one input.
         * @example {
         *       "role": "user",
         *       "content": [
         *         {
         *           "type": "text",
         *           "text": "A red bicycle."
         *         },
         *         {
         *           "type": "image_url",
         *           "image_url": {
         *             "url": "https://example.com/bicycle.jpg"
         *           }
         *         }
         *       ]
         *     }
         */
        EmbeddingMessage: {
            /**
             * @description The author of the message. It does not change the vector.
             * @example user
             * @enum {string}
             */
            role: "system" | "developer" | "user" | "assistant";
            /** @description A text, or parts in their order. */
            content: string | components["schemas"]["EmbeddingPart"][];
        };
        /**
         * @description One input as a conversation, in the place of `input`: the form in which vLLM takes images, and Dify sends them. The
         *     messages have one vector. It is that of a content object with their parts in their order, where texts that follow each
         *     other are joined by a line break. Empty texts are left out, and roles do not count.
         */
        EmbeddingMessages: components["schemas"]["EmbeddingMessage"][] | null;
        /**
         * @description How vLLM writes `messages` into its chat template: its clients send it. The gateway sends a conversation in its own form,
         *     whatever the value. Refused without `messages`.
         * @example true
         */
        EmbeddingTemplateOption: boolean | null;
        /**
         * @description The length of each vector. Only models that are trained for it support shorter vectors: see `embedding.matryoshka` of
         *     `GET /v1/models/{model}`. Other models refuse the parameter. The maximum is the model's full length.
         * @example 256
         */
        EmbeddingDimensions: number | null;
        /**
         * @description `float`, the default, writes each vector as an array of numbers. `base64` writes it as little-endian float32 bytes in base64. `int8`, `uint8`, `binary` and `ubinary` mean the same as in `output_dtype`.
         * @example float
         * @enum {string|null}
         */
        EmbeddingEncoding: "float" | "base64" | "int8" | "uint8" | "binary" | "ubinary" | null;
        /**
         * @description The type of the numbers in each vector. Default: `float`. A model lists its types in `output_dtypes`.
         *
         *     - `binary` and `ubinary` have one bit for each dimension: 1 if the value is 0 or more, else 0. Eight bits are one
         *       number, the first of them the most significant. `ubinary` has numbers from 0 to 255, and `binary` has the same minus
         *       128. Every model supports them if its width is divisible by 8.
         *     - `int8` (-128 to 127) and `uint8` (0 to 255) have one number for each dimension. Only models whose provider
         *       quantises the vectors itself support them.
         *
         *     Vectors of these four types are always arrays of integers, whatever `encoding_format` is.
         * @example ubinary
         * @enum {string|null}
         */
        EmbeddingOutputDtype: "float" | "int8" | "uint8" | "binary" | "ubinary" | null;
        /**
         * @description The same as `dimensions`, under the name that clients of Voyage AI and Mistral AI send. If both are sent, they must be
         *     equal.
         * @example 256
         */
        EmbeddingOutputDimension: number | null;
        /**
         * @description The use of the vectors. Some models create different vectors for a search query and for the documents it searches. `query`, `document`, `similarity`, `classification` and `clustering` mean the same with every model; a model may have further values. A model lists its values in `input_type_values`, and refuses all others. A model without any creates the same vector for every use, and accepts `query` and `document`, which clients of Voyage AI send. Without this parameter the default of the model applies.
         * @example query
         */
        EmbeddingInputType: string | null;
        /**
         * @description Whether an input that is too long may be cut: clients of Voyage AI send it by themselves. The gateway never cuts an
         *     input. It refuses one that is too long, whatever the value.
         * @example true
         */
        EmbeddingTruncation: boolean | null;
        /**
         * @description An id of your end user. The gateway forwards it to upstreams that support it. For images, `safety_identifier` replaces it.
         * @example user-1234
         */
        EndUser: string | null;
        /**
         * @description The inputs, the model, and the format of the vectors. The inputs are in `input`, or one is in `messages`.
         *
         *     A parameter that is not listed here is accepted if the model lists it in `pass_through`. It goes to the upstream as it
         *     is. Any other is refused with `unknown_parameter`.
         */
        CreateEmbeddingRequest: {
            /** @description The id of a model, as listed by `GET /v1/models`. An operator may choose a model for requests without one. */
            model: components["schemas"]["ModelId"];
            input?: components["schemas"]["EmbeddingInput"];
            messages?: components["schemas"]["EmbeddingMessages"];
            continue_final_message?: components["schemas"]["EmbeddingTemplateOption"];
            add_special_tokens?: components["schemas"]["EmbeddingTemplateOption"];
            dimensions?: components["schemas"]["EmbeddingDimensions"];
            encoding_format?: components["schemas"]["EmbeddingEncoding"];
            output_dtype?: components["schemas"]["EmbeddingOutputDtype"];
            output_dimension?: components["schemas"]["EmbeddingOutputDimension"];
            input_type?: components["schemas"]["EmbeddingInputType"];
            truncation?: components["schemas"]["EmbeddingTruncation"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description The vector of one input. */
        Embedding: {
            /**
             * @description Always `embedding`.
             * @example embedding
             * @constant
             */
            object: "embedding";
            /**
             * @description The position of the input in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The vector, in the requested encoding and with the requested type of numbers.
             * @example [
             *       0.0023,
             *       -0.0093,
             *       0.0157
             *     ]
             */
            embedding: number[] | string;
        };
        /** @description The token count of the request. */
        EmbeddingUsage: {
            /**
             * @description The number of tokens in all inputs.
             * @example 8
             */
            prompt_tokens: number;
            /**
             * @description The same number. Embeddings have no output tokens.
             * @example 8
             */
            total_tokens: number;
            /** @description The tokens of each modality. Absent unless the upstream reports them. */
            prompt_tokens_details?: {
                /**
                 * @description The number of tokens in texts.
                 * @example 8
                 */
                text_tokens: number;
                /**
                 * @description The number of tokens in images.
                 * @example 0
                 */
                image_tokens: number;
                /**
                 * @description The number of tokens in files. Absent without any.
                 * @example 1548
                 */
                file_tokens?: number;
                /**
                 * @description The number of tokens in audio. Absent without any.
                 * @example 640
                 */
                audio_tokens?: number;
                /**
                 * @description The number of tokens in video. Absent without any.
                 * @example 2580
                 */
                video_tokens?: number;
            };
        };
        /** @description The vectors, in the order of the inputs. */
        CreateEmbeddingResponse: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description One entry for each input, in the order of the inputs. */
            data: components["schemas"]["Embedding"][];
            model: components["schemas"]["ModelId"];
            usage: components["schemas"]["EmbeddingUsage"];
            /**
             * @description The id of the request, as in `x-request-id`. Clients of Mistral AI need it.
             * @example req_a3d50a6faea5e691c607f0a4902c56ab
             */
            id: string;
        };
        /**
         * @description The error code. Programs should decide by it. The errors guide explains every code, and each operation lists its own.
         * @example missing_required_parameter
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_form" | "invalid_url" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "duplicate_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_modality" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file" | "invalid_media_file" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "missing_api_key" | "invalid_api_key" | "invalid_sign_in_code" | "invalid_signature" | "sign_in_code_not_local" | "model_not_allowed" | "file_quota_exceeded" | "admin_key_required" | "role_not_allowed" | "configuring_disabled" | "model_not_found" | "key_not_found" | "batch_not_found" | "job_not_found" | "request_not_found" | "file_not_found" | "unknown_url" | "method_not_allowed" | "request_timeout" | "idempotency_conflict" | "idempotency_outcome_unknown" | "space_mismatch" | "space_not_drifted" | "key_revoked" | "too_many_secrets" | "configuration_changed" | "key_in_file" | "batch_ended" | "link_expired" | "content_too_large" | "unsupported_content_type" | "range_not_satisfiable" | "headers_too_large" | "rate_limit_exceeded" | "insufficient_quota" | "internal_error" | "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing" | "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded" | "upstream_timeout";
        /** @description The error. All four keys are always present. */
        Error: {
            /**
             * @description A sentence for people. Its wording may change.
             * @example Missing required parameter: 'prompt'.
             */
            message: string;
            /**
             * @description The kind of error, in the terms of the OpenAI API.
             * @example invalid_request_error
             */
            type: string;
            /**
             * @description The invalid parameter, such as `size` or `input[3]`. `null` if the error is not about a parameter.
             * @example prompt
             */
            param: string | null;
            code: components["schemas"]["ErrorCode"];
        };
        /** @description The body of every error response. */
        ErrorResponse: {
            error: components["schemas"]["Error"];
        };
        /**
         * @description The same as `CreateEmbeddingRequest`, with the model in the path. The body may repeat the model.
         *
         *     A parameter that is not listed here is accepted if the model lists it in `pass_through`. It goes to the upstream as it
         *     is. Any other is refused with `unknown_parameter`.
         */
        CreateEmbeddingLegacyRequest: {
            model?: components["schemas"]["ModelId"];
            input?: components["schemas"]["EmbeddingInput"];
            messages?: components["schemas"]["EmbeddingMessages"];
            continue_final_message?: components["schemas"]["EmbeddingTemplateOption"];
            add_special_tokens?: components["schemas"]["EmbeddingTemplateOption"];
            dimensions?: components["schemas"]["EmbeddingDimensions"];
            encoding_format?: components["schemas"]["EmbeddingEncoding"];
            output_dtype?: components["schemas"]["EmbeddingOutputDtype"];
            output_dimension?: components["schemas"]["EmbeddingOutputDimension"];
            input_type?: components["schemas"]["EmbeddingInputType"];
            truncation?: components["schemas"]["EmbeddingTruncation"];
            user?: components["schemas"]["EndUser"];
        };
        /**
         * an image by its URL
         * @description An image in an input.
         */
        VoyageImageUrlPart: {
            /**
             * @description Always `image_url`.
             * @example image_url
             * @enum {string}
             */
            type: "image_url";
            image_url: components["schemas"]["EmbeddingImageUrl"];
        };
        /**
         * an image in base64
         * @description An image in an input.
         */
        VoyageImageBase64Part: {
            /**
             * @description Always `image_base64`.
             * @example image_base64
             * @enum {string}
             */
            type: "image_base64";
            image_base64: components["schemas"]["EmbeddingImageUrl"];
        };
        /**
         * a content object
         * @description One input of texts and images. It has one vector. Only models whose `embedding.input_modalities` has `image` take
         *     images; `embedding.input_images` has their limits.
         * @example {
         *       "content": [
         *         {
         *           "type": "text",
         *           "text": "A red bicycle."
         *         },
         *         {
         *           "type": "image_url",
         *           "image_url": "https://example.com/bicycle.jpg"
         *         }
         *       ]
         *     }
         */
        VoyageInput: {
            /** @description The parts of the input, in their order. */
            content: (components["schemas"]["EmbeddingTextPart"] | components["schemas"]["VoyageImageUrlPart"] | components["schemas"]["VoyageImageBase64Part"])[];
        };
        /** @description The inputs and the model, in Voyage AI's form. A parameter that is `null` counts as absent. */
        CreateVoyageEmbeddingRequest: {
            /** @description The inputs to embed. Each has one vector. */
            inputs: components["schemas"]["VoyageInput"][];
            model: components["schemas"]["ModelId"];
            input_type?: components["schemas"]["EmbeddingInputType"];
            truncation?: components["schemas"]["EmbeddingTruncation"];
            output_dimension?: components["schemas"]["EmbeddingDimensions"];
            output_dtype?: components["schemas"]["EmbeddingOutputDtype"];
            /**
             * @description `base64` writes each vector of floats as little-endian float32 bytes in base64. Default: an array of numbers.
             * @example base64
             * @enum {string|null}
             */
            encoding_format?: "base64" | null;
            /**
             * @description The older name of `encoding_format`.
             * @example base64
             * @enum {string|null}
             */
            output_encoding?: "base64" | null;
        };
        /** @description The usage of the request. */
        VoyageUsage: {
            /**
             * @description The number of tokens in texts. With images, it is an estimate unless the upstream reports it.
             * @example 8
             */
            text_tokens: number;
            /**
             * @description The number of pixels in all images, as the caller sent them.
             * @example 2000000
             */
            image_pixels: number;
            /**
             * @description Always 0. The gateway takes no videos.
             * @example 0
             * @constant
             */
            video_pixels: 0;
            /**
             * @description The number of tokens in all inputs.
             * @example 3579
             */
            total_tokens: number;
        };
        /** @description The vectors, in the order of the inputs, in Voyage AI's form. */
        CreateVoyageEmbeddingResponse: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description One entry for each input, in the order of the inputs. */
            data: components["schemas"]["Embedding"][];
            model: components["schemas"]["ModelId"];
            usage: components["schemas"]["VoyageUsage"];
        };
        /** @description The body of every error response, as Voyage AI's clients read it. */
        VoyageErrorResponse: {
            /**
             * @description A sentence for people. Its wording may change; decide by the status.
             * @example The model `nope` does not exist or you do not have access to it.
             */
            detail: string;
        };
        /**
         * @description The id of a model, as listed by `GET /v1/models`. Default: the operator's model for this operation. Without one, `model`
         *     is required.
         * @example gpt-image-2.5
         */
        ImageModelId: string | null;
        /**
         * @description A description of the image.
         * @example a red fox in the snow
         */
        ImagePrompt: string;
        /**
         * @description The width and the height in pixels, as `WIDTHxHEIGHT`. `auto`, the default, lets the model choose. `image.sizes` of
         *     `GET /v1/models/{model}` lists the supported sizes.
         * @example 1024x1024
         */
        ImageSize: string | null;
        /**
         * @description The rendering quality. `auto`, the default, lets the model choose. `standard`, the default of DALL·E's clients, is
         *     `medium` for a model that has no `standard`, and `auto` for a model without a choice of quality.
         * @example medium
         * @enum {string|null}
         */
        ImageQuality: "auto" | "low" | "medium" | "high" | "xhigh" | "max" | "standard" | "hd" | null;
        /**
         * @description `transparent` requires an `output_format` with transparency: `png` or `webp`. `auto`, the default, lets the model choose.
         * @example opaque
         * @enum {string|null}
         */
        ImageBackground: "auto" | "transparent" | "opaque" | null;
        /**
         * @description How many images to create. The default is 1.
         * @example 1
         */
        ImageCount: number | null;
        /**
         * @description How much the model plans before it renders. It is independent of `quality`. Only some models support it.
         * @example medium
         * @enum {string|null}
         */
        ImageComplexity: "low" | "medium" | "high" | null;
        /**
         * @description The number of frames in a GIF. The upstream's default is 9. Requires `output_format` to be `gif`.
         * @example 9
         */
        ImageFrameCount: number | null;
        /**
         * @description How long a frame of a GIF is shown, in milliseconds. The default of the upstream is 200. The upstream rounds it to 10
         *     milliseconds. Requires `output_format` to be `gif`.
         * @example 200
         */
        ImageFrameDuration: number | null;
        /**
         * @description How strictly the upstream filters content. The default is `auto`.
         * @example auto
         * @enum {string|null}
         */
        ImageModeration: "auto" | "low" | null;
        /**
         * @description The quality of a `jpeg` or `webp` image in percent. The default is 100, the best quality. Only `jpeg` and `webp` support it.
         * @example 80
         */
        ImageOutputCompression: number | null;
        /**
         * @description The file format of the images. The default is the first of `image.output_formats` of `GET /v1/models/{model}`. Only
         *     some models support `gif` (animated) and `svg` (vector). The gateway does not convert to or from these two.
         * @example png
         * @enum {string|null}
         */
        ImageOutputFormat: "png" | "jpeg" | "webp" | "gif" | "svg" | null;
        /**
         * @description How the response carries the images. `b64_json` includes their bytes. `url` includes links that expire. Every model
         *     supports both. The default is the first of `image.response_formats` of `GET /v1/models/{model}`. A stream supports
         *     only `b64_json`.
         * @example b64_json
         * @enum {string|null}
         */
        ImageResponseFormat: "b64_json" | "url" | null;
        /** @description The model that writes the SVG, and how much it reasons. Requires `output_format` to be `svg`. */
        ImageSvg: {
            /**
             * @description The name of the model at the upstream.
             * @example gpt-5.5
             */
            model: string;
            /** @description The reasoning settings of that model. */
            reasoning?: {
                /**
                 * @description How much the model reasons. The default is the model's own.
                 * @example low
                 * @enum {string|null}
                 */
                effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
            } | null;
        } | null;
        /**
         * @description `vivid` creates more dramatic images, `natural` more realistic ones. `vivid`, the default, is accepted by every model.
         *     Only some models support `natural`.
         * @example vivid
         * @enum {string|null}
         */
        ImageStyle: "vivid" | "natural" | null;
        /**
         * @description Whether to respond with server-sent events instead of one JSON document. The default is `false`.
         * @example false
         */
        ImageStream: boolean | null;
        /**
         * @description The maximum number of partial images in a stream, or as the `progress` of a job. The default is 0. Upstreams may charge
         *     for them. It has no effect on any other request.
         * @example 0
         */
        ImagePartialCount: number | null;
        /**
         * @description A stable id of your end user, for the upstream's abuse detection. Send a hash, not a name or an address. It replaces
         *     `user`: an empty value counts as absent.
         * @example 5f2a8e1c
         */
        SafetyIdentifier: string | null;
        /**
         * @description The start value of the model's random numbers. The same seed with the same options gives the same image, or a very similar one. If the images of one request are created one after the other, each gets the next seed. Models without seeds refuse it.
         * @example 42
         */
        ImageSeed: number | null;
        /**
         * @description A description of things that the images must not show. Models without negative prompts refuse it.
         * @example text, watermarks
         */
        ImageNegativePrompt: string | null;
        /**
         * @description The prompt, the model, and the options of the images.
         *
         *     A parameter that is not listed here is accepted if the model lists it in `pass_through`. It goes to the upstream as it
         *     is. Any other is refused with `unknown_parameter`.
         */
        CreateImageRequest: {
            model?: components["schemas"]["ImageModelId"];
            prompt: components["schemas"]["ImagePrompt"];
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            complexity?: components["schemas"]["ImageComplexity"];
            frame_count?: components["schemas"]["ImageFrameCount"];
            frame_duration_ms?: components["schemas"]["ImageFrameDuration"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            svg?: components["schemas"]["ImageSvg"];
            style?: components["schemas"]["ImageStyle"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            safety_identifier?: components["schemas"]["SafetyIdentifier"];
            seed?: components["schemas"]["ImageSeed"];
            negative_prompt?: components["schemas"]["ImageNegativePrompt"];
            user?: components["schemas"]["EndUser"];
        };
        /**
         * @description The image bytes in base64.
         * @example iVBORw0KGgo=
         */
        ImageBase64: string;
        /** @description One image, as bytes or as a link. `response_format` decides which of the two is present. */
        Image: {
            b64_json?: components["schemas"]["ImageBase64"];
            /**
             * Format: uri
             * @description A link to the image. It expires.
             * @example https://images.example/a.png
             */
            url?: string;
            /**
             * @description The prompt that the upstream used instead of yours. Absent if it used yours.
             * @example A red fox standing in fresh snow.
             */
            revised_prompt?: string;
        };
        /**
         * @description The file format of the image.
         * @example png
         * @enum {string}
         */
        CreatedImageFormat: "png" | "jpeg" | "webp" | "gif" | "svg";
        /**
         * @description The quality that was used. Absent if it is unknown.
         * @example medium
         * @enum {string}
         */
        CreatedImageQuality: "low" | "medium" | "high" | "xhigh" | "max";
        /**
         * @description The id of the end user that the upstream used. Absent if the upstream does not report it.
         * @example 5f2a8e1c
         */
        EffectiveSafetyIdentifier: string | null;
        /**
         * @description The width and the height in pixels, as `WIDTHxHEIGHT`. Absent for an SVG that declares none.
         * @example 1024x1024
         */
        CreatedImageSize: string;
        /** @description The token count of the model that wrote the SVG. It is not part of `usage`. */
        ImageSvgUsage: {
            /**
             * @description The model that wrote the SVG.
             * @example gpt-5.5
             */
            model: string;
            /**
             * @description The number of input tokens.
             * @example 900
             */
            input_tokens: number;
            /**
             * @description The number of output tokens.
             * @example 2100
             */
            output_tokens: number;
            /**
             * @description The number of output tokens that were spent on reasoning.
             * @example 300
             */
            reasoning_tokens: number;
            /**
             * @description The sum of input and output tokens.
             * @example 3000
             */
            total_tokens: number;
        };
        /** @description A token count by kind. */
        ImageTokensDetails: {
            /**
             * @description The number of text tokens.
             * @example 10
             */
            text_tokens: number;
            /**
             * @description The number of image tokens.
             * @example 0
             */
            image_tokens: number;
        };
        /** @description The input tokens by kind. */
        ImageInputTokensDetails: {
            /**
             * @description The number of text tokens.
             * @example 10
             */
            text_tokens: number;
            /**
             * @description The number of image tokens.
             * @example 0
             */
            image_tokens: number;
            /**
             * @description The number of tokens that the upstream had in its cache. Absent if it does not count them.
             * @example 0
             */
            cached_tokens?: number;
            /** @description The cached tokens by kind. Absent if the upstream does not count them. */
            cached_tokens_details?: components["schemas"]["ImageTokensDetails"];
        };
        /** @description The token count of the upstream. In a response, it is absent if the upstream does not count tokens. */
        ImageUsage: {
            /**
             * @description The number of tokens in the prompt and the input images.
             * @example 10
             */
            input_tokens: number;
            input_tokens_details: components["schemas"]["ImageInputTokensDetails"];
            /**
             * @description The number of tokens in the created images.
             * @example 4160
             */
            output_tokens: number;
            /** @description The output tokens by kind. */
            output_tokens_details?: components["schemas"]["ImageTokensDetails"];
            /**
             * @description The sum of input and output tokens.
             * @example 4170
             */
            total_tokens: number;
        };
        /** @description The images and their common properties. */
        ImagesResponse: {
            /**
             * @description When the images were created, in Unix seconds.
             * @example 1787150086
             */
            created: number;
            /** @description The images. */
            data: components["schemas"]["Image"][];
            /**
             * @description The background of the images. Absent for `gif` and `svg`.
             * @example opaque
             * @enum {string}
             */
            background?: "transparent" | "opaque";
            output_format?: components["schemas"]["CreatedImageFormat"];
            quality?: components["schemas"]["CreatedImageQuality"];
            safety_identifier?: components["schemas"]["EffectiveSafetyIdentifier"];
            size?: components["schemas"]["CreatedImageSize"];
            svg_usage?: components["schemas"]["ImageSvgUsage"];
            usage?: components["schemas"]["ImageUsage"];
        };
        /**
         * @description When the image was created, in Unix seconds.
         * @example 1787150086
         */
        CreatedImageTime: number;
        /**
         * @description The quality that was used. `auto` if it is unknown.
         * @example medium
         * @enum {string}
         */
        StreamedImageQuality: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
        /**
         * @description The background of the image.
         * @example opaque
         * @enum {string}
         */
        CreatedImageBackground: "auto" | "transparent" | "opaque";
        /**
         * @description The file format of the image. A stream has no `gif` and no `svg`.
         * @example png
         * @enum {string}
         */
        StreamedImageFormat: "png" | "jpeg" | "webp";
        /**
         * @description The position of this partial image in its stream, from 0.
         * @example 0
         */
        PartialImageIndex: number;
        /** @description A partial image. A later event replaces it. */
        ImageGenerationPartialImageEvent: {
            /**
             * @description Always `image_generation.partial_image`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_generation.partial_image";
            b64_json: components["schemas"]["ImageBase64"];
            created_at: components["schemas"]["CreatedImageTime"];
            size: components["schemas"]["CreatedImageSize"];
            quality: components["schemas"]["StreamedImageQuality"];
            background: components["schemas"]["CreatedImageBackground"];
            output_format: components["schemas"]["StreamedImageFormat"];
            partial_image_index: components["schemas"]["PartialImageIndex"];
        };
        /** @description A finished image. The stream has one such event for each requested image. */
        ImageGenerationCompletedEvent: {
            /**
             * @description Always `image_generation.completed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_generation.completed";
            b64_json: components["schemas"]["ImageBase64"];
            created_at: components["schemas"]["CreatedImageTime"];
            size: components["schemas"]["CreatedImageSize"];
            quality: components["schemas"]["StreamedImageQuality"];
            background: components["schemas"]["CreatedImageBackground"];
            output_format: components["schemas"]["StreamedImageFormat"];
            /**
             * @description The token count of the upstream. If one call creates several images, the event of the last one has it. All counts
             *     are 0 in the other events, and if the upstream does not count tokens.
             */
            usage: components["schemas"]["ImageUsage"];
            safety_identifier?: components["schemas"]["EffectiveSafetyIdentifier"];
        };
        /** @description A failure after the stream started. It is the last event. */
        StreamErrorEvent: {
            /**
             * @description Always `error`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
            error: components["schemas"]["Error"];
        };
        /**
         * @description The `data` of one server-sent event. Its `event` line repeats `type`. Lines that start with a colon are comments that
         *     keep the connection open.
         */
        ImageGenerationStreamEvent: components["schemas"]["ImageGenerationPartialImageEvent"] | components["schemas"]["ImageGenerationCompletedEvent"] | components["schemas"]["StreamErrorEvent"];
        /**
         * @description The id of the job.
         * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
         */
        JobId: string;
        /**
         * @description `queued`: it waits to run. `in_progress`: it runs. `completed`: its response is there. `failed`: `error` says why.
         *     `cancelled`: it was cancelled before it was complete. The last three are final.
         * @example in_progress
         * @enum {string}
         */
        JobStatus: "queued" | "in_progress" | "completed" | "failed" | "cancelled";
        /**
         * @description The cost in US dollars, as the request of the job has it. 0 if the job was cancelled before it began. `null` until some
         *     seconds after the job has ended, and if the cost is not known.
         * @example null
         */
        JobCost: number | null;
        /**
         * @description The latest partial image of a job that runs. Only a job whose request has `partial_images`, on an upstream that
         *     streams, has one. It is deleted when the job ends.
         */
        JobProgress: {
            /**
             * @description How many partial images have arrived.
             * @example 2
             */
            partial_images: number;
            /** @description The latest one. The next replaces it. */
            partial_image: {
                created_at: components["schemas"]["CreatedImageTime"];
                b64_json: components["schemas"]["ImageBase64"];
                output_format: components["schemas"]["StreamedImageFormat"];
                size: components["schemas"]["CreatedImageSize"];
            };
        };
        /**
         * @description An image request that runs without its connection. It is kept for a day, and belongs to the key that created it and
         *     to that key's owner.
         */
        Job: {
            /**
             * @description Always `job`.
             * @example job
             * @constant
             */
            object: "job";
            id: components["schemas"]["JobId"];
            status: components["schemas"]["JobStatus"];
            /**
             * @description The operation that the job runs.
             * @example createImage
             * @enum {string}
             */
            operation: "createImage" | "createImageEdit";
            /**
             * @description The id of the model, as requested.
             * @example gpt-image-2
             */
            model: string;
            /**
             * @description The id of the key. For a key of the configuration file, `config:` and its name.
             * @example key_6f1f3530a1a2324b19752018
             */
            key_id: string;
            /**
             * @description The id of the request in the list of requests. It is the `x-request-id` of the response that created the job.
             * @example req_a3d50a6faea5e691c607f0a4902c56ab
             */
            request_id: string;
            /**
             * @description When the job was created, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description When it began to run, in Unix seconds. `null` if it has not.
             * @example 1787150086
             */
            started_at: number | null;
            /**
             * @description When it ended, in Unix seconds. `null` if it has not.
             * @example null
             */
            completed_at: number | null;
            /**
             * @description When the job and its response are deleted, in Unix seconds.
             * @example 1787236486
             */
            expires_at: number;
            cost_usd: components["schemas"]["JobCost"];
            /** @description Why the job failed, as the `error` of a response. `null` if it has not failed. */
            error: components["schemas"]["Error"] | null;
            progress?: components["schemas"]["JobProgress"];
            response?: components["schemas"]["ImagesResponse"];
        };
        /**
         * @description The rendering quality. `auto`, the default, lets the model choose.
         * @example medium
         * @enum {string|null}
         */
        ImageEditQuality: "auto" | "low" | "medium" | "high" | "xhigh" | "max" | "standard" | null;
        /**
         * @description The file format of the images. The default is the first of `image.output_formats` of `GET /v1/models/{model}`. Only
         *     some models support `gif` (animated). The gateway does not convert to or from `gif`. An edit cannot create an `svg`.
         * @example png
         * @enum {string|null}
         */
        ImageEditOutputFormat: "png" | "jpeg" | "webp" | "gif" | null;
        /**
         * @description How closely the result follows the input images.
         * @example high
         * @enum {string|null}
         */
        ImageInputFidelity: "low" | "high" | null;
        /**
         * @description An image edit as a form. Numbers and booleans are sent as text, and `null` is the text `null`.
         *
         *     A parameter that is not listed here is accepted if the model lists it in `pass_through`. It goes to the upstream as it
         *     is. Any other is refused with `unknown_parameter`.
         */
        CreateImageEditForm: {
            model?: components["schemas"]["ImageModelId"];
            prompt: components["schemas"]["ImagePrompt"];
            /** @description The image to edit: a PNG, JPEG or WebP file of at most 50 MB. For several images, at most 16, repeat the part. */
            image: Blob | Blob[];
            /**
             * Format: binary
             * @description The mask, as a PNG file. The description of the operation explains it.
             */
            mask?: Blob;
            /**
             * Format: binary
             * @description Drawings on the first image that guide the edit, as a PNG file. The description of the operation explains it. Only
             *     some models support it.
             */
            markup?: Blob;
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageEditQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            complexity?: components["schemas"]["ImageComplexity"];
            frame_count?: components["schemas"]["ImageFrameCount"];
            frame_duration_ms?: components["schemas"]["ImageFrameDuration"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageEditOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            input_fidelity?: components["schemas"]["ImageInputFidelity"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            safety_identifier?: components["schemas"]["SafetyIdentifier"];
            seed?: components["schemas"]["ImageSeed"];
            negative_prompt?: components["schemas"]["ImageNegativePrompt"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description An image in a JSON request. */
        ImageReference: {
            /**
             * @description A data URL (`data:image/png;base64,` and the bytes of a PNG, JPEG or WebP image), or an `https` URL on the public
             *     internet that the gateway fetches.
             * @example data:image/png;base64,iVBORw0KGgo=
             */
            image_url: string;
        };
        /**
         * @description An image edit as JSON, with the images as data URLs or links.
         *
         *     A parameter that is not listed here is accepted if the model lists it in `pass_through`. It goes to the upstream as it
         *     is. Any other is refused with `unknown_parameter`.
         */
        CreateImageEditRequest: {
            model?: components["schemas"]["ImageModelId"];
            prompt: components["schemas"]["ImagePrompt"];
            /** @description The images to edit, in order. */
            images: components["schemas"]["ImageReference"][];
            /** @description The mask, as a data URL or a link to a PNG file. The description of the operation explains it. */
            mask?: components["schemas"]["ImageReference"];
            /**
             * @description Drawings on the first image that guide the edit, as a data URL or a link to a PNG file. The description of the
             *     operation explains it. Only some models support it.
             */
            markup?: components["schemas"]["ImageReference"];
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageEditQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            complexity?: components["schemas"]["ImageComplexity"];
            frame_count?: components["schemas"]["ImageFrameCount"];
            frame_duration_ms?: components["schemas"]["ImageFrameDuration"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageEditOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            input_fidelity?: components["schemas"]["ImageInputFidelity"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            safety_identifier?: components["schemas"]["SafetyIdentifier"];
            seed?: components["schemas"]["ImageSeed"];
            negative_prompt?: components["schemas"]["ImageNegativePrompt"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description A partial image. A later event replaces it. */
        ImageEditPartialImageEvent: {
            /**
             * @description Always `image_edit.partial_image`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_edit.partial_image";
            b64_json: components["schemas"]["ImageBase64"];
            created_at: components["schemas"]["CreatedImageTime"];
            size: components["schemas"]["CreatedImageSize"];
            quality: components["schemas"]["StreamedImageQuality"];
            background: components["schemas"]["CreatedImageBackground"];
            output_format: components["schemas"]["StreamedImageFormat"];
            partial_image_index: components["schemas"]["PartialImageIndex"];
        };
        /** @description A finished image. The stream has one such event for each requested image. */
        ImageEditCompletedEvent: {
            /**
             * @description Always `image_edit.completed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_edit.completed";
            b64_json: components["schemas"]["ImageBase64"];
            created_at: components["schemas"]["CreatedImageTime"];
            size: components["schemas"]["CreatedImageSize"];
            quality: components["schemas"]["StreamedImageQuality"];
            background: components["schemas"]["CreatedImageBackground"];
            output_format: components["schemas"]["StreamedImageFormat"];
            /**
             * @description The token count of the upstream. If one call creates several images, the event of the last one has it. All counts
             *     are 0 in the other events, and if the upstream does not count tokens.
             */
            usage: components["schemas"]["ImageUsage"];
            safety_identifier?: components["schemas"]["EffectiveSafetyIdentifier"];
        };
        /**
         * @description The `data` of one server-sent event. Its `event` line repeats `type`. Lines that start with a colon are comments that
         *     keep the connection open.
         */
        ImageEditStreamEvent: components["schemas"]["ImageEditPartialImageEvent"] | components["schemas"]["ImageEditCompletedEvent"] | components["schemas"]["StreamErrorEvent"];
        /** @description An image whose provenance is checked. */
        CreateContentProvenanceCheckForm: {
            /**
             * Format: binary
             * @description A PNG, JPEG or WebP file of at most 50 MB.
             */
            file: Blob;
        };
        /**
         * C2PA
         * @description The content credentials of an image.
         */
        C2paResult: {
            /**
             * @description Always `c2pa`.
             * @example c2pa
             * @constant
             */
            type: "c2pa";
            /**
             * @description `detected` if the image has a manifest that is valid or trusted.
             * @example detected
             * @enum {string}
             */
            outcome: "detected" | "not_detected";
            /**
             * @description `valid`: the manifest is intact, belongs to these bytes, and is signed by the certificate in it. `trusted`: an
             *     upstream also trusts the signer; the gateway itself never says so. `invalid`: the manifest is damaged, or the image
             *     was changed after it was signed. `not_present`: there is none in the file.
             * @example valid
             * @enum {string}
             */
            validation_state: "trusted" | "valid" | "invalid" | "not_present";
            /**
             * @description The organization in the signer's certificate. Unless the state is `trusted`, it is a claim that nobody has verified.
             * @example OpenAI
             */
            issuer: string | null;
            /**
             * @description The software that created the image, as the manifest says.
             * @example gpt-image-2
             */
            model: string | null;
            /**
             * Format: date-time
             * @description When the image was created, as the manifest says.
             * @example 2026-11-01T10:20:30.000Z
             */
            generated_at: string | null;
            /**
             * @description Who made this check.
             * @example gateway
             * @enum {string}
             */
            checked_by: "gateway" | "upstream";
            /**
             * @description Why the manifest is invalid, as a failure code of C2PA. `null` if it is not, or if the upstream does not say.
             * @example null
             */
            failure_code: string | null;
            /**
             * @description The parts that this check leaves open. `signer_trust`: whether the certificate follows the
             *     rules of C2PA and is on a trust list. `signing_time`: the
             *     time-stamp, and whether the certificate was valid then. `revocation`: whether the certificate was revoked.
             *     `ingredients`: the manifests of images that went into this one. `excluded_bytes`: the signer has left bytes of the
             *     image out of the hash, besides the manifest itself.
             * @example [
             *       "signer_trust",
             *       "signing_time",
             *       "revocation",
             *       "ingredients"
             *     ]
             */
            not_verified: ("signer_trust" | "signing_time" | "revocation" | "ingredients" | "excluded_bytes")[];
        };
        /**
         * SynthID
         * @description The SynthID watermark of an image, as an upstream has checked it.
         */
        SynthIdResult: {
            /**
             * @description Always `synthid`.
             * @example synthid
             * @constant
             */
            type: "synthid";
            /**
             * @description Whether the upstream has found a watermark that it knows.
             * @example not_detected
             * @enum {string}
             */
            outcome: "detected" | "not_detected";
            /**
             * @description The model that the watermark names.
             * @example null
             */
            model: string | null;
            /**
             * Format: date-time
             * @description When the image was created, as the watermark says.
             * @example null
             */
            generated_at: string | null;
        };
        /** @description A signal that could not be checked. */
        UncheckedSignal: {
            /**
             * @description The signal.
             * @example synthid
             * @enum {string}
             */
            type: "c2pa" | "synthid";
            /**
             * @description Why, in a sentence.
             * @example No upstream of this gateway checks it.
             */
            reason: string;
        };
        /** @description The provenance signals of a file. */
        ContentProvenanceCheck: {
            /**
             * @description Always `content_provenance_check`.
             * @example content_provenance_check
             * @constant
             */
            object: "content_provenance_check";
            /**
             * @description When the check was made, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /** @description One result for each signal that was checked. */
            results: (components["schemas"]["C2paResult"] | components["schemas"]["SynthIdResult"])[];
            /** @description The signals that could not be checked. */
            not_checked: components["schemas"]["UncheckedSignal"][];
        };
        /** @description A stored file. */
        FileObject: {
            /**
             * @description The id of the file.
             * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
             */
            id: string;
            /**
             * @description Always `file`.
             * @example file
             * @constant
             */
            object: "file";
            /**
             * @description The size of the file.
             * @example 120000
             */
            bytes: number;
            /**
             * @description When the upload began, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description When the file is deleted, in Unix seconds.
             * @example 1789742086
             */
            expires_at: number;
            /**
             * @description The name of the file.
             * @example requests.jsonl
             */
            filename: string;
            /**
             * @description `batch`: uploaded as the input of a batch. `batch_output`: the result of a batch.
             * @example batch
             * @enum {string}
             */
            purpose: "batch" | "batch_output";
            /**
             * @description Always `processed`, for OpenAI's clients.
             * @example processed
             * @constant
             */
            status: "processed";
        };
        /** @description A page of files. */
        FileList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The files on this page. */
            data: components["schemas"]["FileObject"][];
            /**
             * @description The id of the first file on this page. `null` if there is none.
             * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
             */
            first_id: string | null;
            /**
             * @description The id of the last file on this page, which is `after` of the next one. `null` if there is none.
             * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
             */
            last_id: string | null;
            /**
             * @description Whether there is another page.
             * @example false
             */
            has_more: boolean;
        };
        /** @description When the file expires. Without it, a file is kept for 30 days, unless the operator has set another time. */
        FileExpiresAfter: {
            /**
             * @description The start of the time: the creation of the file.
             * @example created_at
             * @constant
             */
            anchor: "created_at";
            /**
             * @description The time in seconds, from an hour to 30 days.
             * @example 86400
             */
            seconds: number;
        };
        /**
         * @description A file to store, as a form. The fields of `expires_after` are sent as `expires_after[anchor]` and
         *     `expires_after[seconds]`. The parts may come in any order.
         */
        UploadFileForm: {
            /**
             * Format: binary
             * @description The file. Its name ends in `.jsonl`.
             */
            file: Blob;
            /**
             * @description The use of the file. The gateway takes the inputs of batches.
             * @example batch
             * @enum {string}
             */
            purpose: "batch";
            expires_after?: components["schemas"]["FileExpiresAfter"];
        };
        /** @description A file that was deleted. */
        DeletedFile: {
            /**
             * @description The id of the file.
             * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
             */
            id: string;
            /**
             * @description Always `file`.
             * @example file
             * @constant
             */
            object: "file";
            /**
             * @description Always `true`.
             * @example true
             * @constant
             */
            deleted: true;
        };
        /**
         * @description The state of the batch.
         *
         *     - `validating`: the input file is being checked.
         *     - `failed`: the input file has faults, or the batch could not go on. `errors` says why.
         *     - `in_progress`: the lines run.
         *     - `finalizing`: all lines have ended, and the output files are being written.
         *     - `completed`: the output files are ready. Lines may have failed.
         *     - `expired`: the completion window is over. The results so far are in the output files.
         *     - `cancelling`: no more lines begin. Those that run are finished first.
         *     - `cancelled`: the results so far are in the output files.
         * @example completed
         * @enum {string}
         */
        BatchStatus: "validating" | "failed" | "in_progress" | "finalizing" | "completed" | "expired" | "cancelling" | "cancelled";
        /**
         * @description The id of the batch.
         * @example batch_6f1f3530a1a2324b19752018
         */
        BatchId: string;
        /**
         * @description The path that every line of the input file calls.
         * @example /v1/embeddings
         * @enum {string}
         */
        BatchEndpoint: "/v1/embeddings" | "/v1/images/generations" | "/v1/images/edits";
        /** @description A fault of the input file, or the reason why the batch could not go on. */
        BatchFault: {
            /**
             * @description For a line: `invalid_json_line`, `missing_required_parameter`, `invalid_value`, `duplicate_custom_id`,
             *     `url_mismatch`, `model_mismatch`, `model_not_found`, `model_not_allowed`, `unsupported_operation` or
             *     `line_too_long`. For the file: `empty_file`, `too_many_tasks`, `too_many_blank_lines`, `too_many_inputs`,
             *     `file_too_large` or `file_not_found`. For the batch: `invalid_api_key`, if its key was revoked, disabled or has
             *     expired, `file_quota_exceeded` or `storage_full`, if its results have no room, or `internal_error`.
             * @example invalid_json_line
             */
            code: string;
            /**
             * @description The number of the line, counted from 1. `null` if it is not about one line.
             * @example 1
             */
            line: number | null;
            /**
             * @description The fault in words.
             * @example This line is not parseable as valid JSON.
             */
            message: string;
            /**
             * @description The field of the line. `null` if it is not about one field.
             * @example null
             */
            param: string | null;
        };
        /** @description The faults, if the batch has failed. At most 100 of them. */
        BatchFaults: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The faults, in the order of the lines. */
            data: components["schemas"]["BatchFault"][];
        } | null;
        /** @description The number of lines. */
        BatchCounts: {
            /**
             * @description All lines of the input file. 0 until it is checked.
             * @example 5000
             */
            total: number;
            /**
             * @description The lines that succeeded so far. They are in the output file.
             * @example 4998
             */
            completed: number;
            /**
             * @description The lines that failed so far, and those that will not run. They are in the error file.
             * @example 2
             */
            failed: number;
        };
        /** @description The tokens of all lines so far, as their responses report them. */
        BatchUsage: {
            /**
             * @description The input tokens.
             * @example 40000
             */
            input_tokens: number;
            /** @description A part of the input tokens. */
            input_tokens_details: {
                /**
                 * @description Always 0: for OpenAI clients, which expect it.
                 * @example 0
                 */
                cached_tokens: number;
            };
            /**
             * @description The output tokens.
             * @example 0
             */
            output_tokens: number;
            /** @description A part of the output tokens. */
            output_tokens_details: {
                /**
                 * @description Always 0: for OpenAI clients, which expect it.
                 * @example 0
                 */
                reasoning_tokens: number;
            };
            /**
             * @description The sum of both.
             * @example 40000
             */
            total_tokens: number;
        };
        /**
         * @description The cost of the lines so far, in US dollars. A line is counted some seconds after it has ended. `null` if the cost of no
         *     line is known.
         * @example 0.0008
         */
        BatchSpending: number | null;
        /**
         * @description The number of lines with an unknown cost. `cost_usd` does not include them.
         * @example 0
         */
        BatchUnpricedRequests: number;
        /**
         * @description Up to 16 pairs of text, for your own use. A name has up to 64 characters, a value up to 512.
         * @example {
         *       "corpus": "handbook"
         *     }
         */
        BatchMetadata: {
            [key: string]: string;
        } | null;
        /** @description A batch: the lines of a file, which the gateway runs as requests of the key that created it. */
        Batch: {
            id: components["schemas"]["BatchId"];
            /**
             * @description Always `batch`.
             * @example batch
             * @constant
             */
            object: "batch";
            endpoint: components["schemas"]["BatchEndpoint"];
            /**
             * @description The model of all lines. `null` until the input file is checked.
             * @example gte-small
             */
            model: string | null;
            errors: components["schemas"]["BatchFaults"];
            /**
             * @description The id of the input file.
             * @example file-6f1f3530a1a2324b19752018
             */
            input_file_id: string;
            /**
             * @description How long the lines may take: `24h`.
             * @example 24h
             */
            completion_window: string;
            status: components["schemas"]["BatchStatus"];
            /**
             * @description The id of the file with the lines that succeeded. `null` until the batch has ended, and if no line succeeded.
             * @example file-8d0a3530a1a2324b19752018
             */
            output_file_id: string | null;
            /**
             * @description The id of the file with the lines that failed. `null` until the batch has ended, and if no line failed.
             * @example null
             */
            error_file_id: string | null;
            /**
             * @description When the batch was created, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description When the first line could run, in Unix seconds. `null` if that has not happened.
             * @example 1787150087
             */
            in_progress_at: number | null;
            /**
             * @description When the completion window ends, in Unix seconds.
             * @example 1787236486
             */
            expires_at: number;
            /**
             * @description When all lines had ended, in Unix seconds. `null` if that has not happened.
             * @example 1787150107
             */
            finalizing_at: number | null;
            /**
             * @description When the batch was completed, in Unix seconds. `null` if that has not happened.
             * @example 1787150108
             */
            completed_at: number | null;
            /**
             * @description When the batch failed, in Unix seconds. `null` if that has not happened.
             * @example null
             */
            failed_at: number | null;
            /**
             * @description When the batch expired, in Unix seconds. `null` if that has not happened.
             * @example null
             */
            expired_at: number | null;
            /**
             * @description When the cancellation was requested, in Unix seconds. `null` if that has not happened.
             * @example null
             */
            cancelling_at: number | null;
            /**
             * @description When the batch was cancelled, in Unix seconds. `null` if that has not happened.
             * @example null
             */
            cancelled_at: number | null;
            request_counts: components["schemas"]["BatchCounts"];
            usage: components["schemas"]["BatchUsage"];
            cost_usd: components["schemas"]["BatchSpending"];
            unpriced_requests: components["schemas"]["BatchUnpricedRequests"];
            metadata: components["schemas"]["BatchMetadata"];
        };
        /** @description A page of batches, newest first. */
        BatchList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The batches on this page. */
            data: components["schemas"]["Batch"][];
            /**
             * @description The id of the first batch on this page. `null` if the page is empty.
             * @example batch_6f1f3530a1a2324b19752018
             */
            first_id: string | null;
            /**
             * @description The id of the last batch on this page: send it as `after` to get the next page. `null` if the page is empty.
             * @example batch_6f1f3530a1a2324b19752018
             */
            last_id: string | null;
            /**
             * @description Whether there are more batches after this page.
             * @example false
             */
            has_more: boolean;
        };
        /** @description When the output and error files expire. Without it, they are kept as long as the gateway keeps files. */
        OutputExpiry: {
            /**
             * @description Always `created_at`: the time is counted from the creation of the files.
             * @example created_at
             * @constant
             */
            anchor: "created_at";
            /**
             * @description The time in seconds, from an hour to 30 days.
             * @example 604800
             */
            seconds: number;
        };
        /** @description A batch to create. */
        CreateBatchRequest: {
            /**
             * @description The id of an uploaded file with the purpose `batch`. Each of its lines is a JSON object with `custom_id`, `method`
             *     (`POST`), `url` (the same as `endpoint`) and `body`, the body of a request to that path. All lines name one model.
             * @example file-6f1f3530a1a2324b19752018
             */
            input_file_id: string;
            endpoint: components["schemas"]["BatchEndpoint"];
            /**
             * @description How long the lines may take: always `24h`. Lines that have not run by then are reported as `batch_expired`.
             * @example 24h
             * @enum {string}
             */
            completion_window: "24h";
            metadata?: components["schemas"]["BatchMetadata"];
            output_expires_after?: components["schemas"]["OutputExpiry"];
        };
        /**
         * @description The cursor of the next page: send it as `cursor`. `null` on the last page.
         * @example null
         */
        NextCursor: string | null;
        /** @description A page of jobs, newest first. No entry has a `progress` or a `response`. */
        JobList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The jobs on this page. */
            data: components["schemas"]["Job"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description Why the job failed. Absent if it has not. */
        AsyncImageError: {
            /**
             * @description Always `false`.
             * @example false
             */
            is_bifrost_error: boolean;
            /**
             * @description The status that the response would have had.
             * @example 400
             */
            status_code: number;
            error: components["schemas"]["Error"];
        };
        /** @description A job in the form of Bifrost's asynchronous API. `GET /v1/jobs/{job}` shows the same job. */
        AsyncImageJob: {
            id: components["schemas"]["JobId"];
            /**
             * @description A cancelled job is `failed`.
             * @example processing
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /**
             * Format: date-time
             * @description When the job was created.
             * @example 2026-08-19T14:34:46.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the job and its result are deleted.
             * @example 2026-08-20T14:34:46.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the job ended. Absent until then.
             * @example 2026-08-19T14:36:52.000Z
             */
            completed_at?: string;
            /**
             * @description The status that the response would have had. Absent until the job has ended.
             * @example 200
             */
            status_code?: number;
            result?: components["schemas"]["ImagesResponse"];
            error?: components["schemas"]["AsyncImageError"];
        };
        /** @description One price of a model. A request costs the sum of all prices that fit it. */
        PriceRate: {
            /**
             * @description The billed thing. Vectors are billed by their input.
             * @example output_image
             * @enum {string}
             */
            billable: "input_text" | "input_image" | "output_text" | "output_image";
            /**
             * @description The counted thing. A megapixel is 1024 x 1024 pixels, and a part of one counts as a whole one. A second is one of the upstream's hardware.
             * @example token
             * @enum {string}
             */
            unit: "token" | "image" | "megapixel" | "second" | "request";
            /**
             * @description The price in US dollars.
             * @example 30
             */
            usd: number;
            /**
             * @description The number of units that the price is for.
             * @example 1000000
             */
            per: number;
            /** @description The units that the price is for. Absent if it is for all of them. */
            variant?: {
                /**
                 * @description Only images of this size, or of this resolution, such as `2K`.
                 * @example 1024x1024
                 */
                size?: string;
                /**
                 * @description Only images of this quality.
                 * @example high
                 */
                quality?: string;
                /**
                 * @description Only tokens that the upstream had in its cache.
                 * @example true
                 * @constant
                 */
                cached?: true;
                /**
                 * @description Only the first megapixel of an image, or each further one.
                 * @example first
                 * @enum {string}
                 */
                megapixel?: "first" | "further";
            };
        };
        /**
         * @description Where the gateway knows from what the model can do. `null` if its catalogue says nothing of it: then it has what all
         *     models of its upstream have. If the targets differ, these are those of the least known one.
         */
        ModelFacts: {
            /**
             * @description `known`: the catalogue has the model. `assumed`: it has an earlier generation, and takes the model to be like that
             *     one.
             * @example known
             * @enum {string}
             */
            state: "known" | "assumed";
            /**
             * Format: uri
             * @description The page of the vendor that was read last. `null` if none is recorded.
             * @example https://docs.cohere.com/changelog/embed-v5
             */
            source: string | null;
            /**
             * Format: date
             * @description The day on which it was read, as `YYYY-MM-DD`. `null` without a page.
             * @example 2026-11-19
             */
            read_on: string | null;
        } | null;
        /**
         * @description Whether the model can serve requests at the moment. `ready`: nothing says that it cannot. `degraded`: some of its
         *     preferred upstreams do not work or have drifted, and the others, or its fallback, serve requests. `failing`: none of its
         *     upstreams works, and requests are likely to fail until one works again. `unavailable`: the gateway lacks something that
         *     the model needs. An upstream that was not called yet counts as one that works.
         * @example ready
         * @enum {string}
         */
        ModelStatus: "ready" | "degraded" | "failing" | "unavailable";
        /** @description The images that an embedding model takes. PNG, JPEG and WebP can be sent to every such model. */
        InputImageLimits: {
            /**
             * @description The maximum number of images in one input.
             * @example 1
             */
            max_per_input: number;
            /**
             * @description The maximum size of one image in bytes.
             * @example 5242880
             */
            max_bytes: number;
            /**
             * @description Whether one input may have several parts, such as a text and an image. If not, it is one text or one image.
             * @example true
             */
            mixes_parts: boolean;
        };
        /** @description The limits of one kind of media in the inputs of an embedding model. */
        InputMediaLimits: {
            /**
             * @description The formats that the model takes.
             * @example [
             *       "pdf"
             *     ]
             */
            formats: ("pdf" | "wav" | "mp3" | "flac" | "ogg" | "mp4" | "mov" | "webm")[];
            /**
             * @description The maximum number in one input.
             * @example 1
             */
            max_per_input: number;
            /**
             * @description The maximum size of one file in bytes.
             * @example 14000000
             */
            max_bytes: number;
            /**
             * @description The maximum number of pages of one file. `null` for audio and video.
             * @example 6
             */
            max_pages: number | null;
            /**
             * @description The maximum length in seconds. A video with sound may have a lower limit at its provider, which is then named in the refusal. `null` for files.
             * @example null
             */
            max_seconds: number | null;
        };
        /** @description The documents, audio and video that an embedding model takes in its inputs. `null` for a kind that it does not take. */
        InputMedia: {
            /** @description The limits of PDFs. */
            file: components["schemas"]["InputMediaLimits"] | null;
            /** @description The limits of audio. */
            audio: components["schemas"]["InputMediaLimits"] | null;
            /** @description The limits of video. */
            video: components["schemas"]["InputMediaLimits"] | null;
        };
        /** @description The capabilities of an embedding model. */
        EmbeddingCapabilities: {
            /**
             * @description The length of a vector. `null` if the operator has not declared it.
             * @example 384
             */
            dimensions: number | null;
            /**
             * @description Whether `dimensions` may shorten the vectors.
             * @example false
             */
            matryoshka: boolean;
            /**
             * @description The maximum number of inputs in one request.
             * @example 2048
             */
            max_inputs: number;
            /**
             * @description The maximum number of tokens in one input. `null` if the operator has not declared it.
             * @example 512
             */
            max_tokens: number | null;
            /**
             * @description The supported values of `encoding_format`, besides those of `output_dtypes`.
             * @example [
             *       "float",
             *       "base64"
             *     ]
             */
            encoding_formats: ("float" | "base64")[];
            /**
             * @description The supported values of `output_dtype`.
             * @example [
             *       "float",
             *       "binary",
             *       "ubinary"
             *     ]
             */
            output_dtypes: ("float" | "int8" | "uint8" | "binary" | "ubinary")[];
            /**
             * @description Whether inputs may be text, token ids, or both.
             * @example [
             *       "text"
             *     ]
             */
            input_types: ("text" | "tokens")[];
            /**
             * @description The kinds of parts that inputs may have.
             * @example [
             *       "text"
             *     ]
             */
            input_modalities: ("text" | "image" | "file" | "audio" | "video")[];
            /** @description The limits of images in inputs. `null` if the model takes text alone. */
            input_images: components["schemas"]["InputImageLimits"] | null;
            /** @description The limits of documents, audio and video in inputs. `null` if the model takes none. */
            input_media: components["schemas"]["InputMedia"] | null;
            /**
             * @description The supported values of `input_type`. Empty if the model does not support the parameter.
             * @example [
             *       "query",
             *       "document"
             *     ]
             */
            input_type_values: string[];
            /**
             * @description The `input_type` of requests that name none. `null` if there is none.
             * @example null
             */
            default_input_type: string | null;
            /**
             * @description Identifies the vector space: the first part of `x-gateway-space` in the responses of the model. It changes when its vectors can no longer be compared with earlier ones. `null` for a pattern, because each of its models has its own.
             * @example 5d2f0c9be1a4
             */
            space: string | null;
            /**
             * @description The revision of the model. The operator changes it when the vectors behind the same name change. `null` if there is none.
             * @example null
             */
            revision: string | null;
        };
        /** @description The capabilities of an image model. */
        ImageCapabilities: {
            /**
             * @description The supported values of `size`. `WIDTHxHEIGHT` stands for any size within the model's bounds.
             * @example [
             *       "auto",
             *       "1024x1024"
             *     ]
             */
            sizes: string[];
            /**
             * @description The supported values of `quality`.
             * @example [
             *       "auto",
             *       "low",
             *       "medium",
             *       "high"
             *     ]
             */
            qualities: string[];
            /**
             * @description The supported values of `background`.
             * @example [
             *       "auto",
             *       "transparent",
             *       "opaque"
             *     ]
             */
            backgrounds: string[];
            /**
             * @description The supported values of `output_format`. The first is the default.
             * @example [
             *       "png",
             *       "jpeg",
             *       "webp"
             *     ]
             */
            output_formats: string[];
            /**
             * @description The supported values of `response_format`. The first is the default.
             * @example [
             *       "b64_json"
             *     ]
             */
            response_formats: string[];
            /**
             * @description The maximum number of images in one request.
             * @example 10
             */
            max_n: number;
            /**
             * @description Whether the model can edit images.
             * @example true
             */
            edits: boolean;
            /**
             * @description Whether edits support a mask.
             * @example true
             */
            mask: boolean;
            /**
             * @description Whether edits support markup.
             * @example false
             */
            markup: boolean;
            /**
             * @description The maximum number of input images in one edit.
             * @example 16
             */
            max_images: number;
            /**
             * @description Whether the model supports `stream`.
             * @example true
             */
            streaming: boolean;
            /**
             * @description The optional parameters that the model supports.
             * @example [
             *       "n",
             *       "size",
             *       "quality"
             *     ]
             */
            parameters: string[];
        };
        /** @description A model and its capabilities. */
        Model: {
            id: components["schemas"]["ModelId"];
            /**
             * @description Always `model`.
             * @example model
             * @constant
             */
            object: "model";
            /**
             * @description When this process started to offer the model, in Unix seconds.
             * @example 1787150086
             */
            created: number;
            /**
             * @description The name of the first upstream that serves the model.
             * @example local
             */
            owned_by: string;
            /**
             * Format: date
             * @description The day on which the model will shut down, as `YYYY-MM-DD`: the operator's, or else that of its vendor. `null` if
             *     none is announced.
             * @example 2027-06-30
             */
            shutdown_date: string | null;
            /**
             * @description The prices of the model. `null` if one is unknown, or if the upstreams of the model have different prices. A free
             *     model has prices of 0.
             */
            pricing: components["schemas"]["PriceRate"][] | null;
            facts: components["schemas"]["ModelFacts"];
            /**
             * @description The kind of output that the model creates.
             * @example embedding
             * @enum {string}
             */
            type: "embedding" | "image";
            /**
             * @description A description of the model in one sentence.
             * @example English sentence embeddings that run inside the gateway.
             */
            description?: string;
            /**
             * @description Whether `id` is a pattern. Every id that fits can be called, with any text in place of `*`. Absent if it is not a pattern.
             * @example true
             */
            is_pattern?: boolean;
            /**
             * @description Whether the gateway found the model in the list of its upstream. Absent if the operator configured it.
             * @example true
             */
            discovered?: boolean;
            /**
             * @description Other ids under which the model may be called. Absent if it has none.
             * @example [
             *       "text-embedding-ada-002"
             *     ]
             */
            aliases?: string[];
            /**
             * @description The operations that support this model.
             * @example [
             *       "createEmbedding",
             *       "createEmbeddingLegacy"
             *     ]
             */
            operations: ("createEmbedding" | "createEmbeddingLegacy" | "createImage" | "createImageEdit")[];
            /**
             * @description Further parameters that the model accepts. They go to the upstream as they are. Absent if there are none.
             * @example [
             *       "input_type",
             *       "truncate"
             *     ]
             */
            pass_through?: string[];
            status: components["schemas"]["ModelStatus"];
            /**
             * @description Why the model is failing or unavailable. Absent if it serves requests.
             * @example The weights package is not installed.
             */
            status_reason?: string;
            /**
             * @description Since when the model is failing, in Unix seconds. Absent if it is not.
             * @example 1787153671
             */
            failing_since?: number;
            embedding?: components["schemas"]["EmbeddingCapabilities"];
            image?: components["schemas"]["ImageCapabilities"];
        };
        /** @description The models that the key may call. */
        ModelList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The models. */
            data: components["schemas"]["Model"][];
        };
        /**
         * @description The id of the key. It is not secret and grants no access. For a key of the configuration file, `config:` and its name.
         * @example key_6f1f3530a1a2324b19752018
         */
        KeyId: string;
        /**
         * @description The display name of the key. It appears in the log and in usage reports.
         * @example search-service
         */
        KeyName: string;
        /**
         * @description Who is responsible for the key, such as a team or an email address. Keys with the same owner share their files, batches
         *     and jobs. `null` if not set.
         * @example search@example.com
         */
        KeyOwner: string | null;
        /**
         * @description The models that the key may call. Each entry is a model id or a pattern, in which `*` matches any characters. `null` allows all models.
         * @example [
         *       "gte-small",
         *       "gpt-image-*"
         *     ]
         */
        KeyModels: string[] | null;
        /**
         * @description How urgent the requests of the key are. `bulk` is for jobs that may wait: while a target is at its capacity, requests
         *     of the priority `interactive` are served first, and a share of the capacity is kept for them.
         * @example interactive
         * @enum {string}
         */
        KeyPriority: "interactive" | "bulk";
        /**
         * @description The maximum number of requests per minute. `null` for no limit.
         * @example 600
         */
        RequestsPerMinute: number | null;
        /**
         * @description The maximum number of requests per UTC day. `null` for no limit.
         * @example 100000
         */
        RequestsPerDay: number | null;
        /**
         * @description The maximum number of input tokens per minute. `null` for no limit.
         * @example 1000000
         */
        TokensPerMinute: number | null;
        /**
         * @description The maximum number of input tokens per UTC day. `null` for no limit.
         * @example 50000000
         */
        TokensPerDay: number | null;
        /**
         * @description The maximum number of created images per minute. `null` for no limit.
         * @example 10
         */
        ImagesPerMinute: number | null;
        /**
         * @description The maximum number of created images per UTC day. `null` for no limit.
         * @example 500
         */
        ImagesPerDay: number | null;
        /**
         * @description The maximum number of requests in flight at once. `null` for no limit.
         * @example 16
         */
        MaxConcurrency: number | null;
        /** @description The rate limits. */
        UsageLimits: {
            requests_per_minute: components["schemas"]["RequestsPerMinute"];
            requests_per_day: components["schemas"]["RequestsPerDay"];
            tokens_per_minute: components["schemas"]["TokensPerMinute"];
            tokens_per_day: components["schemas"]["TokensPerDay"];
            images_per_minute: components["schemas"]["ImagesPerMinute"];
            images_per_day: components["schemas"]["ImagesPerDay"];
            max_concurrency: components["schemas"]["MaxConcurrency"];
        };
        /** @description The rest of each rate limit in the current minute or UTC day, as this gateway counts. `null` without such a limit. */
        LimitsRemaining: {
            /**
             * @description Requests left in this minute.
             * @example 597
             */
            requests_per_minute: number | null;
            /**
             * @description Requests left today.
             * @example null
             */
            requests_per_day: number | null;
            /**
             * @description Input tokens left in this minute.
             * @example null
             */
            tokens_per_minute: number | null;
            /**
             * @description Input tokens left today.
             * @example null
             */
            tokens_per_day: number | null;
            /**
             * @description Images left in this minute.
             * @example null
             */
            images_per_minute: number | null;
            /**
             * @description Images left today.
             * @example null
             */
            images_per_day: number | null;
        };
        /**
         * @description The maximum cost per UTC day or month. `null` for no budget.
         * @example {
         *       "usd": 25,
         *       "per": "month"
         *     }
         */
        Budget: {
            /**
             * @description The amount in US dollars.
             * @example 25
             */
            usd: number;
            /**
             * @description The period after which the count starts again.
             * @example month
             * @enum {string}
             */
            per: "day" | "month";
        } | null;
        /**
         * @description The spending of the key in the current period of its budget. `null` if it has no budget. Requests in flight count when
         *     they end.
         * @example {
         *       "spent_usd": 3.20714,
         *       "remaining_usd": 21.79286,
         *       "resets_at": 1788220800
         *     }
         */
        BudgetUsage: {
            /**
             * @description The amount spent in the current period, in US dollars. The last requests may exceed the budget.
             * @example 3.20714
             */
            spent_usd: number;
            /**
             * @description The rest of the budget, in US dollars. 0 if it is spent.
             * @example 21.79286
             */
            remaining_usd: number;
            /**
             * @description When the next period starts and the count begins at 0 again, in Unix seconds.
             * @example 1788220800
             */
            resets_at: number;
        } | null;
        /**
         * @description The spending of the key since the start of the current UTC month, in US dollars. It lags by some seconds, and requests
         *     with an unknown cost are not included.
         * @example 3.20714
         */
        KeySpending: number;
        /**
         * @description The number of requests of the key since the start of the current UTC month whose cost is unknown. `spent_usd` does
         *     not count them. Its budget counts their estimated cost if a price is known.
         * @example 0
         */
        KeyUnpricedRequests: number;
        /**
         * @description When the key expires, in Unix seconds. `null` if it never expires.
         * @example 1818686086
         */
        KeyExpiry: number | null;
        /** @description The key of the caller, with its limits and its spending. */
        OwnKey: {
            /**
             * @description Always `own_key`.
             * @example own_key
             * @constant
             */
            object: "own_key";
            id: components["schemas"]["KeyId"];
            name: components["schemas"]["KeyName"];
            owner: components["schemas"]["KeyOwner"];
            models: components["schemas"]["KeyModels"];
            priority: components["schemas"]["KeyPriority"];
            limits: components["schemas"]["UsageLimits"];
            limits_remaining: components["schemas"]["LimitsRemaining"];
            budget: components["schemas"]["Budget"];
            budget_usage: components["schemas"]["BudgetUsage"];
            spent_usd: components["schemas"]["KeySpending"];
            unpriced_requests: components["schemas"]["KeyUnpricedRequests"];
            expires_at: components["schemas"]["KeyExpiry"];
        };
        /**
         * @description Why the request failed. It never contains a prompt, an input or an upstream's own message. `null` if `error_code` is, and
         *     for requests that an earlier version of the gateway recorded.
         */
        OwnFailure: {
            /**
             * @description The message of the error. Values that the caller sent are replaced by `…`, unless they are a short word. An
             *     upstream's message is replaced by its status and its error code.
             * @example The upstream did not reply within 60 s.
             */
            message: string;
            /**
             * @description The parameter at fault. `null` if there is none, or if it is not a name.
             * @example null
             */
            param: string | null;
            /**
             * @description The model that the request named, even if it does not exist. `null` if it named none, or if the text is not a name.
             * @example text-embedding-3-small
             */
            requested_model: string | null;
        } | null;
        /**
         * @description The record of one request of the caller's key. It never contains a prompt, a vector or an image, and does not name the
         *     upstream.
         */
        OwnRequest: {
            /**
             * @description Always `request`.
             * @example request
             * @constant
             */
            object: "request";
            /**
             * @description The `x-request-id` of the response.
             * @example req_a3d50a6faea5e691c607f0a4902c56ab
             */
            id: string;
            /**
             * @description When the request arrived, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description The operation id in this document.
             * @example createEmbedding
             */
            operation: string;
            /**
             * @description The id of the model, even if the request was refused before it was called. `null` if the request named none, or one that
             *     the gateway never had, or one that the key may not call.
             * @example gte-small
             */
            model: string | null;
            /**
             * @description The status of the response. 499 if the caller disconnected before the response was complete, 500 if the gateway ended
             *     before.
             * @example 200
             */
            status: number;
            /**
             * @description The number of input tokens.
             * @example 8
             */
            input_tokens: number;
            /**
             * @description The number of output tokens.
             * @example 0
             */
            output_tokens: number;
            /**
             * @description The number of created images.
             * @example 0
             */
            images: number;
            /**
             * @description Whether the token counts are the gateway's own estimate, because the upstream did not report them.
             * @example false
             */
            tokens_estimated: boolean;
            /**
             * @description The cost in US dollars. `null` if the price is unknown, or if an upstream was called and its reply was lost.
             * @example 1.6e-7
             */
            cost_usd: number | null;
            /**
             * @description The time from the first byte of the request to the last byte of the response, in milliseconds.
             * @example 12.4
             */
            duration_ms: number;
            /**
             * @description The size of the request body in bytes.
             * @example 63
             */
            request_bytes: number;
            /**
             * @description The size of the response body in bytes.
             * @example 8244
             */
            response_bytes: number;
            /**
             * @description How many of the vectors came from the cache. `null` if the model has no cache.
             * @example miss
             * @enum {string|null}
             */
            cache: "hit" | "partial" | "miss" | null;
            /**
             * @description The error code, `caller_left` if the caller disconnected, or `gateway_stopped` if the gateway ended, as in a crash,
             *     after it had called an upstream and before the response. `null` if the request succeeded.
             * @example null
             */
            error_code: string | null;
            failure: components["schemas"]["OwnFailure"];
            /**
             * @description How many different inputs were served from the cache.
             * @example 0
             */
            cached_inputs: number;
            /**
             * @description The cost that the cached inputs would have had in US dollars, at the lowest price of the model's targets. `null`
             *     if a target has no known price.
             * @example 0
             */
            saved_usd: number | null;
            /**
             * @description The id of the batch whose line this request is. `null` if it is not a line of a batch.
             * @example null
             */
            batch_id: string | null;
            /**
             * @description The id of the image job that ran this request. The job itself is deleted after a day. `null` if the request had a
             *     connection, and for requests that an earlier version of the gateway recorded.
             * @example null
             */
            job_id: string | null;
            /**
             * @description The content credentials (C2PA) of the images. `preserved`: an image has those of the upstream. `removed`: a
             *     conversion has removed those of an image. `none`: there were none. `null` if no image was delivered.
             * @example null
             * @enum {string|null}
             */
            content_credentials: "preserved" | "removed" | "none" | null;
        };
        /** @description A page of the key's requests, newest first. */
        OwnRequestList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The requests on this page. */
            data: components["schemas"]["OwnRequest"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The usage of one group of requests. `starts_at`, `key_id`, `key_name`, `owner`, `model`, `operation`, `upstream` and
         *     `batch_id` are present only if `group_by` names them.
         */
        UsageGroup: {
            /**
             * @description Always `usage`.
             * @example usage
             * @constant
             */
            object: "usage";
            /**
             * @description The start of the UTC month, day or hour, in Unix seconds.
             * @example 1787097600
             */
            starts_at?: number;
            /**
             * @description The id of the key. For a key of the configuration file, `config:` and its name.
             * @example key_6f1f3530a1a2324b19752018
             */
            key_id?: string;
            /**
             * @description The name of the key when it was last used.
             * @example search-service
             */
            key_name?: string;
            /**
             * @description The current owner of the keys, a person or a team. `null` for keys without an owner.
             * @example search@example.com
             */
            owner?: string | null;
            /**
             * @description The id of the model. `null` if the requests named none, or one that the gateway never had. In the usage of the caller's
             *     own key also if the key may not call it.
             * @example gte-small
             */
            model?: string | null;
            /**
             * @description The operation id in this document.
             * @example createEmbedding
             */
            operation?: string;
            /**
             * @description The upstream that was called last. `null` if none was called, or if the usage was recorded by a version of the
             *     gateway that did not sum it by upstream.
             * @example local
             */
            upstream?: string | null;
            /**
             * @description The id of the batch.
             * @example batch_6f1f3530a1a2324b19752018
             */
            batch_id?: string;
            /**
             * @description The number of requests.
             * @example 1250
             */
            requests: number;
            /**
             * @description The number of requests with a status of 400 or above, without those whose caller disconnected (499).
             * @example 3
             */
            failed_requests: number;
            /**
             * @description The number of input tokens.
             * @example 48211
             */
            input_tokens: number;
            /**
             * @description The number of output tokens.
             * @example 0
             */
            output_tokens: number;
            /**
             * @description The number of created images.
             * @example 0
             */
            images: number;
            /**
             * @description The cost of the requests with a known cost, in US dollars. `null` if no cost is known.
             * @example 0.000964
             */
            cost_usd: number | null;
            /**
             * @description The number of requests with an unknown cost. `cost_usd` does not include them.
             * @example 0
             */
            unpriced_requests: number;
            /**
             * @description Half of the requests took at most this many milliseconds. An estimate, see the description of `retrieveUsage`. `null`
             *     if there are no requests, or if the times of none were recorded.
             * @example 12.4
             */
            duration_p50_ms: number | null;
            /**
             * @description 95 % of the requests took at most this many milliseconds. An estimate, see the description of `retrieveUsage`. `null`
             *     if there are no requests, or if the times of none were recorded.
             * @example 38.1
             */
            duration_p95_ms: number | null;
            /**
             * @description 99 % of the requests took at most this many milliseconds. An estimate, see the description of `retrieveUsage`. `null`
             *     if there are no requests, or if the times of none were recorded.
             * @example 71.5
             */
            duration_p99_ms: number | null;
            /**
             * @description How many inputs were served from the cache. Inputs that a request repeats count once.
             * @example 312
             */
            cached_inputs: number;
            /**
             * @description The cost that the cached inputs would have had in US dollars, at the lowest price of each model's targets.
             *     Requests whose saving is unknown are not included. `null` if none is known.
             * @example 0.000125
             */
            saved_usd: number | null;
        };
        /** @description The usage of all groups together. */
        UsageTotals: {
            /**
             * @description The number of requests.
             * @example 1250
             */
            requests: number;
            /**
             * @description The number of requests with a status of 400 or above, without those whose caller disconnected (499).
             * @example 3
             */
            failed_requests: number;
            /**
             * @description The number of input tokens.
             * @example 48211
             */
            input_tokens: number;
            /**
             * @description The number of output tokens.
             * @example 0
             */
            output_tokens: number;
            /**
             * @description The number of created images.
             * @example 0
             */
            images: number;
            /**
             * @description The cost of the requests with a known cost, in US dollars. `null` if no cost is known.
             * @example 0.000964
             */
            cost_usd: number | null;
            /**
             * @description The number of requests with an unknown cost. `cost_usd` does not include them.
             * @example 0
             */
            unpriced_requests: number;
            /**
             * @description Half of the requests took at most this many milliseconds. An estimate, see the description of `retrieveUsage`. `null`
             *     if there are no requests, or if the times of none were recorded.
             * @example 12.4
             */
            duration_p50_ms: number | null;
            /**
             * @description 95 % of the requests took at most this many milliseconds. An estimate, see the description of `retrieveUsage`. `null`
             *     if there are no requests, or if the times of none were recorded.
             * @example 38.1
             */
            duration_p95_ms: number | null;
            /**
             * @description 99 % of the requests took at most this many milliseconds. An estimate, see the description of `retrieveUsage`. `null`
             *     if there are no requests, or if the times of none were recorded.
             * @example 71.5
             */
            duration_p99_ms: number | null;
            /**
             * @description How many inputs were served from the cache. Inputs that a request repeats count once.
             * @example 312
             */
            cached_inputs: number;
            /**
             * @description The cost that the cached inputs would have had in US dollars, at the lowest price of each model's targets.
             *     Requests whose saving is unknown are not included. `null` if none is known.
             * @example 0.000125
             */
            saved_usd: number | null;
        };
        /** @description The usage, sorted by time and then by name. The list is complete and has one page. */
        UsageList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The groups. */
            data: components["schemas"]["UsageGroup"][];
            totals: components["schemas"]["UsageTotals"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The use of the vectors. `search_query`, `search_document`, `classification` and `clustering` are `query`, `document`,
         *     `classification` and `clustering` of `input_type_values` of the model, which refuses those that it lacks. A model
         *     without any has the same vectors for every use, and accepts all four, because Cohere's clients must send one. `image` is
         *     for inputs that are images. It and an absent value mean the default of the model. The response header
         *     `x-gateway-input-type` has the value that applied.
         * @example search_document
         * @enum {string|null}
         */
        CohereInputType: "search_query" | "search_document" | "classification" | "clustering" | "image" | null;
        /**
         * @description A type of vectors. `base64` has little-endian float32 bytes in base64. `int8`, `uint8`, `binary` and `ubinary` mean the
         *     same as in `output_dtype` of `POST /v1/embeddings`.
         * @example float
         * @enum {string}
         */
        CohereEmbeddingType: "float" | "int8" | "uint8" | "binary" | "ubinary" | "base64";
        /**
         * @description The inputs and the model, in Cohere's form. The inputs are in one of `texts`, `images` and `inputs`. A parameter that is
         *     `null` counts as absent.
         */
        CreateCohereEmbeddingRequest: {
            model: components["schemas"]["ModelId"];
            /**
             * @description The texts to embed. A text must not be empty.
             * @example [
             *       "first text",
             *       "second text"
             *     ]
             */
            texts?: string[] | null;
            /**
             * @description The images to embed. Each has one vector.
             * @example [
             *       "https://example.com/bicycle.jpg"
             *     ]
             */
            images?: components["schemas"]["EmbeddingImageUrl"][] | null;
            /** @description Inputs of texts and images. Each has one vector. */
            inputs?: components["schemas"]["EmbeddingContentInput"][] | null;
            input_type?: components["schemas"]["CohereInputType"];
            /**
             * @description The types of the vectors in the response. Default: `float`. `float`, `base64`, `binary` and `ubinary` may be
             *     combined, because all are made from the same floats. `int8` and `uint8` must be alone: only some providers make
             *     them, and in a call that returns no floats.
             * @example [
             *       "float",
             *       "ubinary"
             *     ]
             */
            embedding_types?: components["schemas"]["CohereEmbeddingType"][] | null;
            output_dimension?: components["schemas"]["EmbeddingDimensions"];
            /**
             * @description Whether an input that is too long may be cut, at its start or at its end. The gateway never cuts an input. It
             *     refuses one that is too long, whatever the value.
             * @example NONE
             * @enum {string|null}
             */
            truncate?: "NONE" | "START" | "END" | null;
        };
        /** @description One list of vectors for each requested type, in the order of the inputs. */
        CohereEmbeddings: {
            /**
             * @description Vectors of numbers.
             * @example [
             *       [
             *         0.0123,
             *         -0.0456
             *       ]
             *     ]
             */
            float?: number[][];
            /**
             * @description Vectors of integers from -128 to 127, one for each dimension.
             * @example [
             *       [
             *         12,
             *         -46
             *       ]
             *     ]
             */
            int8?: number[][];
            /**
             * @description Vectors of integers from 0 to 255, one for each dimension.
             * @example [
             *       [
             *         140,
             *         82
             *       ]
             *     ]
             */
            uint8?: number[][];
            /**
             * @description One bit for each dimension, in integers from -128 to 127.
             * @example [
             *       [
             *         50,
             *         -123
             *       ]
             *     ]
             */
            binary?: number[][];
            /**
             * @description One bit for each dimension, in integers from 0 to 255.
             * @example [
             *       [
             *         178,
             *         5
             *       ]
             *     ]
             */
            ubinary?: number[][];
            /**
             * @description Vectors as little-endian float32 bytes in base64.
             * @example [
             *       "AACAPwAAAEA="
             *     ]
             */
            base64?: string[];
        };
        /** @description The version of the API and the usage of the request. */
        CohereMeta: {
            /** @description The version of Cohere's API. */
            api_version: {
                /**
                 * @description Always `2`.
                 * @example 2
                 * @constant
                 */
                version: "2";
            };
            /** @description The usage of the request. */
            billed_units: {
                /**
                 * @description The number of tokens in all inputs, without those of `image_tokens`.
                 * @example 8
                 */
                input_tokens: number;
                /**
                 * @description The number of tokens in images. Absent unless the upstream reports it.
                 * @example 1610
                 */
                image_tokens?: number;
                /**
                 * @description The number of images. Absent without any.
                 * @example 1
                 */
                images?: number;
            };
        };
        /** @description The vectors, in Cohere's form. The inputs are not repeated. */
        CreateCohereEmbeddingResponse: {
            /**
             * @description The id of the request, as in `x-request-id`.
             * @example req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e
             */
            id: string;
            embeddings: components["schemas"]["CohereEmbeddings"];
            meta: components["schemas"]["CohereMeta"];
            /**
             * @description Always `embeddings_by_type`.
             * @example embeddings_by_type
             * @constant
             */
            response_type: "embeddings_by_type";
        };
        /** @description The body of every error response, as Cohere's clients read it. */
        CohereErrorResponse: {
            /**
             * @description The id of the request, as in `x-request-id`.
             * @example req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e
             */
            id: string;
            /**
             * @description A sentence for people. Its wording may change; decide by the status.
             * @example The model `nope` does not exist or you do not have access to it.
             */
            message: string;
        };
        /**
         * @description Any text, as Azure accepts it. It has no effect; the deployment in the path is the model.
         * @example text-embedding-3-small
         */
        DeploymentBodyModel: string | null;
        /** @description The same as `CreateEmbeddingRequest`, with the model in the path. */
        CreateDeploymentEmbeddingRequest: {
            model?: components["schemas"]["DeploymentBodyModel"];
            input?: components["schemas"]["EmbeddingInput"];
            messages?: components["schemas"]["EmbeddingMessages"];
            continue_final_message?: components["schemas"]["EmbeddingTemplateOption"];
            add_special_tokens?: components["schemas"]["EmbeddingTemplateOption"];
            dimensions?: components["schemas"]["EmbeddingDimensions"];
            encoding_format?: components["schemas"]["EmbeddingEncoding"];
            output_dtype?: components["schemas"]["EmbeddingOutputDtype"];
            output_dimension?: components["schemas"]["EmbeddingOutputDimension"];
            input_type?: components["schemas"]["EmbeddingInputType"];
            truncation?: components["schemas"]["EmbeddingTruncation"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description The same as `CreateImageRequest`, with the model in the path. */
        CreateDeploymentImageRequest: {
            model?: components["schemas"]["DeploymentBodyModel"];
            prompt: components["schemas"]["ImagePrompt"];
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            complexity?: components["schemas"]["ImageComplexity"];
            frame_count?: components["schemas"]["ImageFrameCount"];
            frame_duration_ms?: components["schemas"]["ImageFrameDuration"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            svg?: components["schemas"]["ImageSvg"];
            style?: components["schemas"]["ImageStyle"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            safety_identifier?: components["schemas"]["SafetyIdentifier"];
            seed?: components["schemas"]["ImageSeed"];
            negative_prompt?: components["schemas"]["ImageNegativePrompt"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description The same as `CreateImageEditForm`, with the model in the path. */
        CreateDeploymentImageEditForm: {
            model?: components["schemas"]["DeploymentBodyModel"];
            prompt: components["schemas"]["ImagePrompt"];
            /** @description The image to edit: a PNG, JPEG or WebP file of at most 50 MB. For several images, at most 16, repeat the part. */
            image: Blob | Blob[];
            /**
             * Format: binary
             * @description The mask, as a PNG file. The description of the operation explains it.
             */
            mask?: Blob;
            /**
             * Format: binary
             * @description Drawings on the first image that guide the edit, as a PNG file. The description of the operation explains it. Only
             *     some models support it.
             */
            markup?: Blob;
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageEditQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            complexity?: components["schemas"]["ImageComplexity"];
            frame_count?: components["schemas"]["ImageFrameCount"];
            frame_duration_ms?: components["schemas"]["ImageFrameDuration"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageEditOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            input_fidelity?: components["schemas"]["ImageInputFidelity"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            safety_identifier?: components["schemas"]["SafetyIdentifier"];
            seed?: components["schemas"]["ImageSeed"];
            negative_prompt?: components["schemas"]["ImageNegativePrompt"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description The same as `CreateImageEditRequest`, with the model in the path. */
        CreateDeploymentImageEditRequest: {
            model?: components["schemas"]["DeploymentBodyModel"];
            prompt: components["schemas"]["ImagePrompt"];
            /** @description The images to edit, in order. */
            images: components["schemas"]["ImageReference"][];
            /** @description The mask, as a data URL or a link to a PNG file. The description of the operation explains it. */
            mask?: components["schemas"]["ImageReference"];
            /**
             * @description Drawings on the first image that guide the edit, as a data URL or a link to a PNG file. The description of the
             *     operation explains it. Only some models support it.
             */
            markup?: components["schemas"]["ImageReference"];
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageEditQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            complexity?: components["schemas"]["ImageComplexity"];
            frame_count?: components["schemas"]["ImageFrameCount"];
            frame_duration_ms?: components["schemas"]["ImageFrameDuration"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageEditOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            input_fidelity?: components["schemas"]["ImageInputFidelity"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            safety_identifier?: components["schemas"]["SafetyIdentifier"];
            seed?: components["schemas"]["ImageSeed"];
            negative_prompt?: components["schemas"]["ImageNegativePrompt"];
            user?: components["schemas"]["EndUser"];
        };
        /**
         * @description The text to embed, or several. An input must not be empty. One request may have at most 2048 inputs, and no text is
         *     longer than 1 MiB in the request body.
         * @example The cat sat on the mat.
         * @example [
         *       "first text",
         *       "second text"
         *     ]
         */
        OllamaEmbeddingInput: string | string[];
        /**
         * @description Options of a model runner, such as `num_ctx`. The gateway runs no model runner: it refuses every option by name. An
         *     empty object, and options that are `null`, count as absent.
         * @example {}
         */
        OllamaOptions: {
            [key: string]: unknown;
        } | null;
        /**
         * @description How long Ollama would keep the model in memory. Ollama's clients send it. It has no effect.
         * @example 5m
         */
        OllamaKeepAlive: string | number | null;
        /** @description The inputs and the model, in Ollama's form. */
        CreateOllamaEmbeddingRequest: {
            model: components["schemas"]["ModelId"];
            input: components["schemas"]["OllamaEmbeddingInput"];
            /**
             * @description Whether an input that is too long may be truncated. The gateway never truncates: it refuses an input that is too
             *     long, whatever the value.
             * @example true
             */
            truncate?: boolean | null;
            dimensions?: components["schemas"]["EmbeddingDimensions"];
            options?: components["schemas"]["OllamaOptions"];
            keep_alive?: components["schemas"]["OllamaKeepAlive"];
        };
        /**
         * @description A vector, with the numbers of the upstream. The gateway does not normalise it.
         * @example [
         *       0.0123,
         *       -0.0456
         *     ]
         */
        OllamaVector: number[];
        /** @description The vectors, in the order of the inputs. */
        CreateOllamaEmbeddingResponse: {
            model: components["schemas"]["ModelId"];
            /** @description One vector for each input, in the order of the inputs. */
            embeddings: components["schemas"]["OllamaVector"][];
            /**
             * @description How long the gateway took, in nanoseconds.
             * @example 14143917
             */
            total_duration: number;
            /**
             * @description Always 0. The gateway does not know how long an upstream took to load the model.
             * @example 0
             */
            load_duration: number;
            /**
             * @description The number of input tokens.
             * @example 8
             */
            prompt_eval_count: number;
        };
        /** @description The body of every error response, as Ollama's clients read it. */
        OllamaErrorResponse: {
            /**
             * @description A sentence for people. Its wording may change; decide by the status.
             * @example The model `nope` does not exist or you do not have access to it.
             */
            error: string;
        };
        /** @description One text and the model, in Ollama's old form. */
        CreateOllamaEmbeddingLegacyRequest: {
            model: components["schemas"]["ModelId"];
            /**
             * @description The text to embed. It must not be empty.
             * @example The cat sat on the mat.
             */
            prompt: string;
            options?: components["schemas"]["OllamaOptions"];
            keep_alive?: components["schemas"]["OllamaKeepAlive"];
        };
        /** @description One vector. */
        CreateOllamaEmbeddingLegacyResponse: {
            embedding: components["schemas"]["OllamaVector"];
        };
        /**
         * @description The id of a model, with the tag `:latest` if the id has none. Every path for Ollama's clients takes both.
         * @example gte-small:latest
         */
        OllamaModelName: string;
        /** @description The facts that Ollama reads from a model's file. Every value is empty. */
        OllamaModelDetails: {
            /**
             * @description Always empty.
             * @example
             */
            parent_model: string;
            /**
             * @description Always empty.
             * @example
             */
            format: string;
            /**
             * @description Always empty.
             * @example
             */
            family: string;
            /**
             * @description Always empty.
             * @example []
             */
            families: string[];
            /**
             * @description Always empty.
             * @example
             */
            parameter_size: string;
            /**
             * @description Always empty.
             * @example
             */
            quantization_level: string;
        };
        /** @description An embedding model, in Ollama's form. The gateway has no file of the model, so it knows no size and no family. */
        OllamaModel: {
            name: components["schemas"]["OllamaModelName"];
            model: components["schemas"]["OllamaModelName"];
            /**
             * Format: date-time
             * @description When this process started to offer the model.
             * @example 2026-08-20T10:34:46.000Z
             */
            modified_at: string;
            /**
             * @description Always 0.
             * @example 0
             */
            size: number;
            /**
             * @description The SHA-256 of the model's id. It does not identify weights.
             * @example 2d18b162bf09bc0c9add60ebe36156c3d719b98a9fc08f4fb1e7b8c8b39e1513
             */
            digest: string;
            details: components["schemas"]["OllamaModelDetails"];
        };
        /** @description The embedding models. */
        OllamaModelList: {
            /** @description Every embedding model that the key may call. */
            models: components["schemas"]["OllamaModel"][];
        };
        /** @description The id of an embedding model, in Ollama's form. */
        RetrieveOllamaModelRequest: {
            model?: components["schemas"]["ModelId"];
            /** @description The same as `model`, as older clients send it. `model` comes first. */
            name?: components["schemas"]["ModelId"];
            /**
             * @description Whether Ollama would list the tensors and the vocabulary. The gateway knows neither, so it has no effect.
             * @example false
             */
            verbose?: boolean | null;
        };
        /** @description The facts that the gateway knows about the model, under Ollama's names. */
        OllamaModelInfo: {
            /**
             * @description Always `gateway`. Clients put it before the other names; it says nothing about the model.
             * @example gateway
             * @constant
             */
            "general.architecture": "gateway";
            /**
             * @description The length of a vector. Absent if the operator has not declared it.
             * @example 384
             */
            "gateway.embedding_length"?: number;
            /**
             * @description The maximum number of tokens in one input. Absent if it is unknown.
             * @example 512
             */
            "gateway.context_length"?: number;
        };
        /** @description An embedding model, in Ollama's form. The gateway has no file of the model, so most texts are empty. */
        OllamaModelDescription: {
            /**
             * @description Always empty.
             * @example
             */
            license: string;
            /**
             * @description Always empty.
             * @example
             */
            modelfile: string;
            /**
             * @description Always empty.
             * @example
             */
            parameters: string;
            /**
             * @description Always empty.
             * @example
             */
            template: string;
            /**
             * @description Always empty.
             * @example
             */
            system: string;
            /**
             * @description Always empty.
             * @example []
             */
            messages: Record<string, never>[];
            details: components["schemas"]["OllamaModelDetails"];
            model_info: components["schemas"]["OllamaModelInfo"];
            /**
             * @description Always `embedding` alone.
             * @example [
             *       "embedding"
             *     ]
             */
            capabilities: "embedding"[];
            /**
             * Format: date-time
             * @description When this process started to offer the model.
             * @example 2026-08-20T10:34:46.000Z
             */
            modified_at: string;
        };
        /** @description An embedding model that can serve requests now, in Ollama's form. */
        OllamaRunningModel: {
            name: components["schemas"]["OllamaModelName"];
            model: components["schemas"]["OllamaModelName"];
            /**
             * @description Always 0.
             * @example 0
             */
            size: number;
            /**
             * @description The SHA-256 of the model's id. It does not identify weights.
             * @example 2d18b162bf09bc0c9add60ebe36156c3d719b98a9fc08f4fb1e7b8c8b39e1513
             */
            digest: string;
            details: components["schemas"]["OllamaModelDetails"];
            /**
             * Format: date-time
             * @description Always a day in the far future. The gateway unloads no model.
             * @example 2300-01-01T00:00:00.000Z
             */
            expires_at: string;
            /**
             * @description Always 0.
             * @example 0
             */
            size_vram: number;
            /**
             * @description The maximum number of tokens in one input, or 0 if it is unknown.
             * @example 512
             */
            context_length: number;
        };
        /** @description The embedding models that can serve requests now. */
        OllamaRunningModelList: {
            /** @description Every embedding model that the key may call and that is ready. */
            models: components["schemas"]["OllamaRunningModel"][];
        };
        /** @description A version of Ollama. */
        OllamaVersion: {
            /**
             * @description The version of Ollama whose API these paths follow. It is not the version of the gateway.
             * @example 0.12.6
             */
            version: string;
        };
        /** @description The state of the process. */
        Health: {
            /**
             * @description Always `ok`.
             * @example ok
             * @constant
             */
            status: "ok";
        };
        /** @description A model without a target that works. */
        FailingModel: {
            id: components["schemas"]["ModelId"];
            /**
             * @description Since when no target works, in Unix seconds.
             * @example 1787153686
             */
            failing_since: number | null;
            /**
             * @description The model that serves its requests meanwhile. `null` if there is none.
             * @example null
             */
            fallback: string | null;
        };
        /**
         * @description `unknown`: no call has ended at it since the gateway started or its upstream was changed. `healthy`: calls succeed.
         *     `failing`: it receives requests, but no call has succeeded so far, or none since one of the gateway's own calls failed:
         *     a check of its vectors, a comparison, or the trial of an upstream. `cooling`: the upstream asked for a pause. `misconfigured`: the upstream or its proxy refuses the gateway's credentials, or the
         *     upstream does not know the model or has no quota left; it stays so until a request succeeds. `drifted`: its
         *     vectors are not those recorded for its vector space; whether it still receives requests is a setting. `open`: it failed too
         *     often and receives no requests. `half-open`: one trial request may pass.
         * @example healthy
         * @enum {string}
         */
        TargetStateName: "unknown" | "healthy" | "failing" | "cooling" | "misconfigured" | "drifted" | "open" | "half-open";
        /**
         * @description When a call to it last succeeded, in Unix seconds: a request, or one of the gateway's own calls. A time before the start
         *     of the gateway is remembered for targets that are in its data folder. `null` if no success is known.
         * @example 1787153686
         */
        ProvenAt: number | null;
        /**
         * @description Since when it is not `healthy`, in Unix seconds. `null` if it is `healthy` or `unknown`.
         * @example null
         */
        FailingSince: number | null;
        /**
         * @description How many calls have failed since the last one that succeeded.
         * @example 0
         */
        FailedCalls: number;
        /**
         * @description How long the last successful calls took, 128 of them at most. `null` before the first. If several processes call the
         *     target: the values of the slowest process, the sum of the calls, and the time of the last one.
         */
        TargetLatency: {
            /**
             * @description The median in milliseconds.
             * @example 81.5
             */
            p50_ms: number;
            /**
             * @description The 95th percentile in milliseconds.
             * @example 140.2
             */
            p95_ms: number;
            /**
             * @description How many calls the figures are from.
             * @example 128
             */
            calls: number;
            /**
             * @description When the last of them ended, in Unix seconds.
             * @example 1787153686
             */
            last_at: number;
        } | null;
        /** @description A call to a target that failed. */
        TargetFailure: {
            /**
             * @description When it occurred, in Unix seconds.
             * @example 1787153686
             */
            at: number;
            /**
             * @description The error code.
             * @example upstream_timeout
             */
            code: string;
            /**
             * @description The status of the upstream's reply. `null` if there was none, or if it is not known.
             * @example null
             */
            status: number | null;
            /**
             * @description The message for operators: it names the upstream's host if there was no reply. If the upstream replied with an error
             *     about its own state or the gateway's account, its message follows, unless that may quote the request.
             * @example api.openai.com did not reply within 60 s.
             */
            message: string;
        };
        /** @description The last failure. `null` if there was none. */
        TargetError: components["schemas"]["TargetFailure"] | null;
        /**
         * @description The end of the pause in which the target receives no requests, in Unix seconds. `null` if it receives some, or if it is `drifted`.
         * @example null
         */
        PausedUntil: number | null;
        /**
         * @description The last comparison of a target's vectors for a fixed set of texts, and of images if it takes them, with those recorded
         *     for its vector space. If the target serves several spaces, the one with the largest distance counts.
         */
        SpaceCheck: {
            /**
             * @description Whether the vectors of texts or of images have moved by more than the configuration allows.
             * @example true
             */
            drifted: boolean;
            /**
             * @description Whether the target receives no requests because of that.
             * @example true
             */
            excluded: boolean;
            /**
             * @description The lowest cosine of all texts. 1 if nothing has moved, 0 if the widths differ.
             * @example 0.4127
             */
            cosine_min: number;
            /**
             * @description The same for all images. `null` if the target takes no images.
             * @example null
             */
            image_cosine_min: number | null;
            /**
             * @description When the target was last checked, in Unix seconds.
             * @example 1787150086
             */
            checked_at: number;
        };
        /**
         * @description The current state of a target. If several processes call it: the worst of their states, the sum of their calls, the
         *     latest error and the longest pause.
         */
        TargetState: {
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The name of the model at the upstream.
             * @example text-embedding-3-small
             */
            model: string;
            /**
             * @description The ids of the gateway's models that the target serves.
             * @example [
             *       "text-embedding-3-small"
             *     ]
             */
            serves: string[];
            state: components["schemas"]["TargetStateName"];
            proven_at: components["schemas"]["ProvenAt"];
            failing_since: components["schemas"]["FailingSince"];
            failures: components["schemas"]["FailedCalls"];
            /**
             * @description How many calls are in flight.
             * @example 2
             */
            in_flight: number;
            latency: components["schemas"]["TargetLatency"];
            last_error: components["schemas"]["TargetError"];
            paused_until: components["schemas"]["PausedUntil"];
            /**
             * @description The distance of the target's vectors from those recorded for its vector space. `null` for images, and if the
             *     gateway has not checked it.
             */
            space_check: components["schemas"]["SpaceCheck"] | null;
        };
        /** @description The state of the database and the disk. It does not affect whether the gateway is ready. */
        StorageState: {
            /**
             * @description `unavailable` while the database cannot be reached. Meanwhile, known keys and the keys of the configuration work, other
             *     keys and the admin API return 503, and usage is recorded later.
             * @example available
             * @enum {string}
             */
            database: "available" | "unavailable";
            /**
             * @description `low` if the disk of the data folder will be full soon. `full` if the gateway takes no large files and stores no images.
             * @example ok
             * @enum {string}
             */
            disk: "ok" | "low" | "full";
            /**
             * @description The free space on the disk of the data folder. `null` if it is unknown.
             * @example 10737418240
             */
            disk_free_bytes: number | null;
        };
        /** @description Whether the gateway can serve requests. */
        Readiness: {
            /**
             * @description `ready`: at least one model can serve requests. `failing`: none can at the moment, and requests still go to an
             *     upstream, which may work again. `unavailable`: no request would be sent to any upstream. The gateway takes requests
             *     while it is `ready` or `failing`.
             * @example ready
             * @enum {string}
             */
            status: "ready" | "failing" | "starting" | "stopping" | "unavailable";
            /** @description How many models are configured, and how many can serve requests. */
            models: {
                /**
                 * @description The number of configured models.
                 * @example 3
                 */
                total: number;
                /**
                 * @description The number of models that can serve requests, which are `ready` or `degraded`.
                 * @example 3
                 */
                ready: number;
                /**
                 * @description The number of models that are `failing`.
                 * @example 0
                 */
                failing: number;
            };
            /**
             * @description How many targets are in each state, by the state. Present with `verbose`.
             * @example {
             *       "healthy": 4,
             *       "unknown": 2,
             *       "open": 1
             *     }
             */
            target_states?: {
                [key: string]: number;
            };
            /** @description The models without a target that works. Present with `verbose` and the admin key. */
            failing_models?: components["schemas"]["FailingModel"][];
            /** @description The state of every target. Present with `verbose` and the admin key. */
            targets?: components["schemas"]["TargetState"][];
            /** @description The state of the database and the disk. Present with `verbose`. */
            storage?: components["schemas"]["StorageState"];
        };
        /**
         * @description Whether the key works, and if not, why.
         * @example active
         * @enum {string}
         */
        KeyStatus: "active" | "disabled" | "expired" | "revoked";
        /**
         * @description The prefix and the last four characters of the secret, to recognise the key by. `null` for a key of the configuration file.
         * @example mg_...1k2x
         */
        RedactedKey: string | null;
        /**
         * @description Earlier secrets of the key that still work, newest first: those that `rotateKey` has replaced. Each stops working at its
         *     `expires_at`.
         * @example [
         *       {
         *         "redacted_value": "mg_...8fqn",
         *         "expires_at": 1787236486
         *       }
         *     ]
         */
        OldSecrets: {
            /**
             * @description The prefix and the last four characters of the secret.
             * @example mg_...8fqn
             */
            redacted_value: string;
            /**
             * @description When the secret stops working, in Unix seconds.
             * @example 1787236486
             */
            expires_at: number;
        }[];
        /**
         * @description Where the key is defined. `database` for a key that `createKey` created, `file` for a key in the configuration file.
         * @example database
         * @enum {string}
         */
        KeySource: "database" | "file";
        /**
         * @description Whether the key is switched off. A disabled key can be enabled again.
         * @example false
         */
        KeyDisabled: boolean;
        /**
         * @description When the key was created, in Unix seconds. `null` for a key of the configuration file.
         * @example 1787150086
         */
        KeyCreationTime: number | null;
        /**
         * @description When the key was last used, in Unix seconds. It may lag by a minute or two. `null` if the key was never used. For a key of the configuration file, the time of its last recorded request.
         * @example 1787153686
         */
        KeyUseTime: number | null;
        /**
         * @description When the key was revoked, in Unix seconds. `null` if it is not revoked.
         * @example null
         */
        KeyRevocationTime: number | null;
        /** @description An access key and its restrictions. The gateway does not store the secret and never shows it again. */
        AccessKey: {
            /**
             * @description Always `key`.
             * @example key
             * @constant
             */
            object: "key";
            id: components["schemas"]["KeyId"];
            name: components["schemas"]["KeyName"];
            owner: components["schemas"]["KeyOwner"];
            redacted_value: components["schemas"]["RedactedKey"];
            old_secrets: components["schemas"]["OldSecrets"];
            source: components["schemas"]["KeySource"];
            status: components["schemas"]["KeyStatus"];
            models: components["schemas"]["KeyModels"];
            priority: components["schemas"]["KeyPriority"];
            limits: components["schemas"]["UsageLimits"];
            budget: components["schemas"]["Budget"];
            budget_usage: components["schemas"]["BudgetUsage"];
            spent_usd: components["schemas"]["KeySpending"];
            unpriced_requests: components["schemas"]["KeyUnpricedRequests"];
            disabled: components["schemas"]["KeyDisabled"];
            expires_at: components["schemas"]["KeyExpiry"];
            created_at: components["schemas"]["KeyCreationTime"];
            last_used_at: components["schemas"]["KeyUseTime"];
            revoked_at: components["schemas"]["KeyRevocationTime"];
        };
        /** @description A page of keys. */
        KeyList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The keys on this page. */
            data: components["schemas"]["AccessKey"][];
            /**
             * @description The number of keys that match the filters, on all pages.
             * @example 2
             */
            total: number;
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The rate limits to set. A limit that is left out keeps its value, and `null` removes a limit. `null` in place of the
         *     whole object removes all limits.
         * @example {
         *       "requests_per_minute": 600,
         *       "images_per_day": null
         *     }
         */
        UsageLimitsChange: {
            requests_per_minute?: components["schemas"]["RequestsPerMinute"];
            requests_per_day?: components["schemas"]["RequestsPerDay"];
            tokens_per_minute?: components["schemas"]["TokensPerMinute"];
            tokens_per_day?: components["schemas"]["TokensPerDay"];
            images_per_minute?: components["schemas"]["ImagesPerMinute"];
            images_per_day?: components["schemas"]["ImagesPerDay"];
            max_concurrency?: components["schemas"]["MaxConcurrency"];
        } | null;
        /** @description The name and the restrictions of the new key. A restriction that is left out does not apply. */
        CreateKeyRequest: {
            name: components["schemas"]["KeyName"];
            owner?: components["schemas"]["KeyOwner"];
            models?: components["schemas"]["KeyModels"];
            priority?: components["schemas"]["KeyPriority"];
            limits?: components["schemas"]["UsageLimitsChange"];
            budget?: components["schemas"]["Budget"];
            disabled?: components["schemas"]["KeyDisabled"];
            expires_at?: components["schemas"]["KeyExpiry"];
        };
        /** @description A key with its new secret. The secret is shown only once. */
        CreatedKey: {
            /**
             * @description Always `key`.
             * @example key
             * @constant
             */
            object: "key";
            id: components["schemas"]["KeyId"];
            name: components["schemas"]["KeyName"];
            owner: components["schemas"]["KeyOwner"];
            redacted_value: components["schemas"]["RedactedKey"];
            old_secrets: components["schemas"]["OldSecrets"];
            source: components["schemas"]["KeySource"];
            status: components["schemas"]["KeyStatus"];
            models: components["schemas"]["KeyModels"];
            priority: components["schemas"]["KeyPriority"];
            limits: components["schemas"]["UsageLimits"];
            budget: components["schemas"]["Budget"];
            budget_usage: components["schemas"]["BudgetUsage"];
            spent_usd: components["schemas"]["KeySpending"];
            unpriced_requests: components["schemas"]["KeyUnpricedRequests"];
            disabled: components["schemas"]["KeyDisabled"];
            expires_at: components["schemas"]["KeyExpiry"];
            created_at: components["schemas"]["KeyCreationTime"];
            last_used_at: components["schemas"]["KeyUseTime"];
            revoked_at: components["schemas"]["KeyRevocationTime"];
            /**
             * @description The secret. Store it now: the gateway keeps only a digest of it.
             * @example mg_7zh0v9c3q8b5m1x6n4k2j0rt5w8ydpae3c7g91k2x
             */
            value: string;
        };
        /** @description The properties to change. A property that is left out keeps its value. `null` removes a restriction. */
        ChangeKeyRequest: {
            name?: components["schemas"]["KeyName"];
            owner?: components["schemas"]["KeyOwner"];
            models?: components["schemas"]["KeyModels"];
            priority?: components["schemas"]["KeyPriority"];
            limits?: components["schemas"]["UsageLimitsChange"];
            budget?: components["schemas"]["Budget"];
            disabled?: components["schemas"]["KeyDisabled"];
            expires_at?: components["schemas"]["KeyExpiry"];
        };
        /** @description How long the earlier secrets go on working. */
        RotateKeyRequest: {
            /**
             * @description The time for which the earlier secrets still work, in seconds: a day if it is left out. 0 stops them at once, for a
             *     secret that has leaked. One that would stop sooner keeps its time.
             * @example 86400
             */
            overlap_seconds?: number;
        };
        /** @description The state of a target that was not called, when the request was refused, as that process saw it. */
        SkippedTarget: {
            /**
             * @description Since when it had been failing, in Unix seconds. `null` if it was not.
             * @example 1787153671
             */
            failing_since: number | null;
            /**
             * @description How many calls had failed since the last success.
             * @example 5
             */
            failures: number;
            /**
             * @description When the gateway would call it again, in Unix seconds. `null` if the next request could.
             * @example 1787153691
             */
            paused_until: number | null;
            last_error: components["schemas"]["TargetError"];
        };
        /** @description One failed upstream call, or a target that could not be called. */
        FailedAttempt: {
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The name of the model at the upstream.
             * @example text-embedding-3-small
             */
            model: string;
            /**
             * @description The status of the upstream's reply. `null` if there was none, or if it is not known.
             * @example null
             */
            status: number | null;
            /**
             * @description How long the call took, in milliseconds. `null` if the target was not called.
             * @example 60000
             */
            duration_ms: number | null;
            /**
             * @description Why it failed, or why the target was not called. It names the upstream's host if there was no reply. If the upstream
             *     replied with an error about its own state or the gateway's account, its message follows, unless that may quote the
             *     request.
             * @example api.openai.com did not reply within 60 s.
             */
            reason: string;
            /** @description The state of the target at that time, if it was not called. `null` if it was. */
            skipped: components["schemas"]["SkippedTarget"] | null;
        };
        /**
         * @description Why the request failed. It never contains a prompt or an input, and an upstream's own message only if that quotes neither.
         *     `null` if `error_code` is, and for requests that an earlier version of the gateway recorded.
         */
        RequestFailure: {
            /**
             * @description The message of the error, for operators. Values that the caller sent are replaced by `…`, unless they are a short
             *     word. An upstream's refusal of the request is replaced by its status and its error code.
             * @example api.openai.com did not reply within 60 s.
             */
            message: string;
            /**
             * @description The parameter at fault. `null` if there is none, or if it is not a name.
             * @example null
             */
            param: string | null;
            /**
             * @description The model that the request named, even if it does not exist. `null` if it named none, or if the text is not a name.
             * @example text-embedding-3-small
             */
            requested_model: string | null;
            /**
             * @description The upstream calls that failed, in order. If no target could be called, each target with the reason and its last error. Of a request
             *     in several batches or images, only the calls of the part that failed.
             */
            attempts: components["schemas"]["FailedAttempt"][];
        } | null;
        /** @description The record of one request. It never contains a prompt, a vector or an image. */
        RequestRecord: {
            /**
             * @description Always `request`.
             * @example request
             * @constant
             */
            object: "request";
            /**
             * @description The `x-request-id` of the response.
             * @example req_a3d50a6faea5e691c607f0a4902c56ab
             */
            id: string;
            /**
             * @description When the request arrived, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description The id of the key. For a key of the configuration file, `config:` and its name.
             * @example key_6f1f3530a1a2324b19752018
             */
            key_id: string;
            /**
             * @description The name of the key at that time.
             * @example search-service
             */
            key_name: string;
            /**
             * @description The owner of the key at that time, a person or a team. `null` for a key without an owner. The filter `owner` and
             *     usage go by the current owner.
             * @example search@example.com
             */
            owner: string | null;
            /**
             * @description The operation id in this document.
             * @example createEmbedding
             */
            operation: string;
            /**
             * @description The id of the model, even if the request was refused before it was called. `null` if the request named none, or one that
             *     the gateway never had.
             * @example gte-small
             */
            model: string | null;
            /**
             * @description The upstream that was called last. `null` if none was called, or if the caller disconnected before the embeddings arrived.
             * @example local
             */
            upstream: string | null;
            /**
             * @description How many upstream calls the request took.
             * @example 1
             */
            attempts: number;
            /**
             * @description The status of the response. 499 if the caller disconnected before the response was complete, 500 if the gateway ended
             *     before.
             * @example 200
             */
            status: number;
            /**
             * @description The number of input tokens.
             * @example 8
             */
            input_tokens: number;
            /**
             * @description The number of output tokens.
             * @example 0
             */
            output_tokens: number;
            /**
             * @description The number of created images.
             * @example 0
             */
            images: number;
            /**
             * @description Whether the token counts are the gateway's own estimate, because the upstream did not report them.
             * @example false
             */
            tokens_estimated: boolean;
            /**
             * @description The cost in US dollars. `null` if the price is unknown, or if an upstream was called and its reply was lost.
             * @example 1.6e-7
             */
            cost_usd: number | null;
            /**
             * @description The time from the first byte of the request to the last byte of the response, in milliseconds.
             * @example 12.4
             */
            duration_ms: number;
            /**
             * @description The size of the request body in bytes.
             * @example 63
             */
            request_bytes: number;
            /**
             * @description The size of the response body in bytes.
             * @example 8244
             */
            response_bytes: number;
            /**
             * @description How many of the vectors came from the cache. `null` if the model has no cache.
             * @example miss
             * @enum {string|null}
             */
            cache: "hit" | "partial" | "miss" | null;
            /**
             * @description The error code, `caller_left` if the caller disconnected, or `gateway_stopped` if the gateway ended, as in a crash,
             *     after it had called an upstream and before the response. `null` if the request succeeded.
             * @example null
             */
            error_code: string | null;
            failure: components["schemas"]["RequestFailure"];
            /**
             * @description The upstream calls that failed before another one succeeded, in order. Empty if none failed, for requests that an
             *     earlier version of the gateway recorded, and if the request itself failed: then `failure` has them.
             */
            failed_attempts: components["schemas"]["FailedAttempt"][];
            /**
             * @description How many different inputs were served from the cache.
             * @example 0
             */
            cached_inputs: number;
            /**
             * @description The cost that the cached inputs would have had in US dollars, at the lowest price of the model's targets. `null`
             *     if a target has no known price.
             * @example 0
             */
            saved_usd: number | null;
            /**
             * @description The id of the batch whose line this request is. `null` if it is not a line of a batch.
             * @example null
             */
            batch_id: string | null;
            /**
             * @description The id of the image job that ran this request. The job itself is deleted after a day. `null` if the request had a
             *     connection, and for requests that an earlier version of the gateway recorded.
             * @example null
             */
            job_id: string | null;
            /**
             * @description The content credentials (C2PA) of the images. `preserved`: an image has those of the upstream. `removed`: a
             *     conversion has removed those of an image. `none`: there were none. `null` if no image was delivered.
             * @example null
             * @enum {string|null}
             */
            content_credentials: "preserved" | "removed" | "none" | null;
        };
        /** @description A page of requests, newest first. */
        RequestList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The requests on this page. */
            data: components["schemas"]["RequestRecord"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description A batch as an operator sees it, with its key. Its errors quote nothing of the input file but names. */
        AdminBatch: {
            id: components["schemas"]["BatchId"];
            /**
             * @description Always `batch`.
             * @example batch
             * @constant
             */
            object: "batch";
            endpoint: components["schemas"]["BatchEndpoint"];
            /**
             * @description The model of all lines. `null` until the input file is checked.
             * @example gte-small
             */
            model: string | null;
            errors: components["schemas"]["BatchFaults"];
            /**
             * @description The id of the input file.
             * @example file-6f1f3530a1a2324b19752018
             */
            input_file_id: string;
            /**
             * @description How long the lines may take: `24h`.
             * @example 24h
             */
            completion_window: string;
            status: components["schemas"]["BatchStatus"];
            /**
             * @description The id of the file with the lines that succeeded. `null` until the batch has ended, and if no line succeeded.
             * @example file-8d0a3530a1a2324b19752018
             */
            output_file_id: string | null;
            /**
             * @description The id of the file with the lines that failed. `null` until the batch has ended, and if no line failed.
             * @example null
             */
            error_file_id: string | null;
            /**
             * @description When the batch was created, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description When the first line could run, in Unix seconds. `null` if that has not happened.
             * @example 1787150087
             */
            in_progress_at: number | null;
            /**
             * @description When the completion window ends, in Unix seconds.
             * @example 1787236486
             */
            expires_at: number;
            /**
             * @description When all lines had ended, in Unix seconds. `null` if that has not happened.
             * @example 1787150107
             */
            finalizing_at: number | null;
            /**
             * @description When the batch was completed, in Unix seconds. `null` if that has not happened.
             * @example 1787150108
             */
            completed_at: number | null;
            /**
             * @description When the batch failed, in Unix seconds. `null` if that has not happened.
             * @example null
             */
            failed_at: number | null;
            /**
             * @description When the batch expired, in Unix seconds. `null` if that has not happened.
             * @example null
             */
            expired_at: number | null;
            /**
             * @description When the cancellation was requested, in Unix seconds. `null` if that has not happened.
             * @example null
             */
            cancelling_at: number | null;
            /**
             * @description When the batch was cancelled, in Unix seconds. `null` if that has not happened.
             * @example null
             */
            cancelled_at: number | null;
            request_counts: components["schemas"]["BatchCounts"];
            usage: components["schemas"]["BatchUsage"];
            cost_usd: components["schemas"]["BatchSpending"];
            unpriced_requests: components["schemas"]["BatchUnpricedRequests"];
            metadata: components["schemas"]["BatchMetadata"];
            /**
             * @description The id of the key. For a key of the configuration file, `config:` and its name.
             * @example key_6f1f3530a1a2324b19752018
             */
            key_id: string;
            /**
             * @description The name of the key when it created the batch.
             * @example search-service
             */
            key_name: string;
            /**
             * @description The current owner of the key. `null` if it has none.
             * @example search@example.com
             */
            key_owner: string | null;
        };
        /** @description A page of batches, newest first. */
        AdminBatchList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The batches on this page. */
            data: components["schemas"]["AdminBatch"][];
            /**
             * @description The id of the first batch on this page. `null` if the page is empty.
             * @example batch_6f1f3530a1a2324b19752018
             */
            first_id: string | null;
            /**
             * @description The id of the last batch on this page: send it as `after` to get the next page. `null` if the page is empty.
             * @example batch_6f1f3530a1a2324b19752018
             */
            last_id: string | null;
            /**
             * @description Whether there are more batches after this page.
             * @example false
             */
            has_more: boolean;
        };
        /** @description An image job as an operator sees it, with its key. It has neither its prompt nor its images. */
        AdminJob: {
            /**
             * @description Always `job`.
             * @example job
             * @constant
             */
            object: "job";
            id: components["schemas"]["JobId"];
            status: components["schemas"]["JobStatus"];
            /**
             * @description The operation that the job runs.
             * @example createImage
             * @enum {string}
             */
            operation: "createImage" | "createImageEdit";
            /**
             * @description The id of the model, as requested.
             * @example gpt-image-2
             */
            model: string;
            /**
             * @description The id of the key. For a key of the configuration file, `config:` and its name.
             * @example key_6f1f3530a1a2324b19752018
             */
            key_id: string;
            /**
             * @description The current name of the key.
             * @example search-service
             */
            key_name: string;
            /**
             * @description The current owner of the key. `null` if it has none.
             * @example search@example.com
             */
            key_owner: string | null;
            /**
             * @description The id of the request in the list of requests. It is the `x-request-id` of the response that created the job.
             * @example req_a3d50a6faea5e691c607f0a4902c56ab
             */
            request_id: string;
            /**
             * @description When the job was created, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description When it began to run, in Unix seconds. `null` if it has not.
             * @example 1787150086
             */
            started_at: number | null;
            /**
             * @description When it ended, in Unix seconds. `null` if it has not.
             * @example null
             */
            completed_at: number | null;
            /**
             * @description When the job and its response are deleted, in Unix seconds.
             * @example 1787236486
             */
            expires_at: number;
            cost_usd: components["schemas"]["JobCost"];
            /**
             * @description Why the job failed. `null` if it has not. The message is that of the request's record: an upstream's message that
             *     may quote the prompt goes to the caller alone.
             */
            error: components["schemas"]["Error"] | null;
        };
        /** @description A page of jobs, newest first. */
        AdminJobList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The jobs on this page. */
            data: components["schemas"]["AdminJob"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description A target, by the names of its upstream and of the model there. */
        TargetName: {
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The name of the model at the upstream.
             * @example text-embedding-3-small
             */
            model: string;
        };
        /** @description The targets behind the status of a model. */
        ModelHealth: {
            /**
             * @description Since when none of the targets in its configuration works, in Unix seconds. `null` if one does. The model is `degraded` and not
             *     `failing` while its fallback serves requests.
             * @example null
             */
            failing_since: number | null;
            /**
             * @description Its targets that serve requests now. Empty if none of them works.
             * @example [
             *       {
             *         "upstream": "openai",
             *         "model": "text-embedding-3-small"
             *       }
             *     ]
             */
            served_by: components["schemas"]["TargetName"][];
        };
        /** @description The vector space of an embedding model. */
        VectorSpace: {
            /**
             * @description The first part of `x-gateway-space` in the responses of the model.
             * @example 5d2f0c9be1a4
             */
            id: string;
            /**
             * @description The name of the space in the configuration, or else the model's name at its upstream and the width.
             * @example text-embedding-3-small@1536
             */
            name: string;
            /**
             * @description The revision that the operator has given the model. It ends with `accepted-` and a number if changed vectors were
             *     accepted. `null` if there is none.
             * @example null
             */
            revision: string | null;
            /**
             * @description Whether every vector has the length 1, as far as the gateway knows.
             * @example true
             */
            unit_vectors: boolean;
        };
        /** @description Why the call failed. `null` if it succeeded. */
        ProbeError: {
            /**
             * @description The error code.
             * @example upstream_unavailable
             */
            code: string;
            /**
             * @description The message.
             * @example Nothing listens at 127.0.0.1:11434.
             */
            message: string;
        } | null;
        /** @description One target of a comparison. It is compared with the target that most of the others agree with. */
        ComparedTarget: {
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The name of the model at the upstream.
             * @example text-embedding-3-small
             */
            model: string;
            /**
             * @description `reference`: the others are compared with this target. `different_width`: its vectors have another width than those
             *     of the reference. `no_reply`: a call failed. The others are explained at `SpaceComparison`. Where the target takes
             *     images, the verdict is the worse one of texts and images.
             * @example different
             * @enum {string}
             */
            verdict: "reference" | "same" | "close" | "different" | "different_width" | "no_reply";
            /**
             * @description The inputs whose vectors must not be mixed with those of the reference. Empty if both may be mixed.
             * @example [
             *       "texts"
             *     ]
             */
            differs_in: ("texts" | "images")[];
            /**
             * @description The lowest cosine between its vector and that of the reference, of all texts. `null` if the others are compared with
             *     it, if the widths differ, and if it did not reply.
             * @example 0.2314
             */
            cosine_min: number | null;
            /**
             * @description For how many texts the nearest other text is the same as at the reference. `null` where `cosine_min` is.
             * @example 8
             */
            neighbours_kept: number | null;
            /**
             * @description The lowest cosine of all images. `null` if the target takes no images, and where `cosine_min` would be. The images
             *     have their own reference if most targets agree with another one than for texts.
             * @example null
             */
            image_cosine_min: number | null;
            /**
             * @description The width of its vectors. `null` if it did not reply.
             * @example 384
             */
            dimensions: number | null;
            /**
             * @description How long its calls took, in milliseconds.
             * @example 82.4
             */
            ms: number;
            error: components["schemas"]["ProbeError"];
        };
        /** @description A comparison of the vectors that the targets of a model gave for the same texts and images. */
        SpaceComparison: {
            /**
             * @description Always `space.comparison`.
             * @example space.comparison
             * @constant
             */
            object: "space.comparison";
            model: components["schemas"]["ModelId"];
            /**
             * @description The id of the model's vector space at that time.
             * @example 5d2f0c9be1a4
             */
            space: string;
            /**
             * @description When the targets were compared, in Unix seconds.
             * @example 1787150086
             */
            compared_at: number;
            /**
             * @description Whether the model's targets, the images that they take, the addresses of their upstreams or its vector space have
             *     changed since. If `true`, the verdict says nothing about the present targets.
             * @example false
             */
            outdated: boolean;
            /**
             * @description `same`: the targets give the same vectors. `close`: the same space with different rounding, so that only near
             *     equals may change places in a ranking. `different`: a target gives vectors of another space, for texts or for images.
             *     `incomplete`: not all targets replied, and those that did do not differ.
             * @example different
             * @enum {string}
             */
            verdict: "same" | "close" | "different" | "incomplete";
            /**
             * @description How many texts each target embedded.
             * @example 16
             */
            texts: number;
            /**
             * @description How many images each target that takes images embedded. 0 if none of them does.
             * @example 4
             */
            images: number;
            /** @description The targets, in the order of the configuration. A target that the model names twice is listed once. */
            targets: components["schemas"]["ComparedTarget"][];
        };
        /** @description Another model that a share of the inputs is also embedded with, so that its cache is full when callers switch to it. The counts start with the gateway. */
        ModelShadow: {
            model: components["schemas"]["ModelId"];
            /**
             * @description The percentage of inputs.
             * @example 10
             */
            percent: number;
            /**
             * @description Inputs that the other model has embedded.
             * @example 1200
             */
            embedded: number;
            /**
             * @description Inputs whose vectors were in its cache already.
             * @example 340
             */
            cached: number;
            /**
             * @description Inputs that were dropped, because too many were waiting.
             * @example 0
             */
            dropped: number;
            /**
             * @description Inputs of calls that failed.
             * @example 0
             */
            failed: number;
            /**
             * @description Inputs whose nearest neighbours in both spaces were compared, sixteen with each other at a time.
             * @example 1536
             */
            compared: number;
            /**
             * @description Those of them whose nearest neighbour is the same text in both spaces.
             * @example 1310
             */
            neighbours_kept: number;
        };
        /** @description Where the gateway knows from what the model of the target can do. `null` if the catalogue says nothing of it. */
        TargetFacts: {
            /**
             * @description As in the `facts` of a model.
             * @example known
             * @enum {string}
             */
            state: "known" | "assumed";
            /**
             * @description The entry of the catalogue, a name or a pattern of names.
             * @example embed-v(5+)*
             */
            entry: string;
            /** @description The pages of the vendor that were read. */
            pages: {
                /**
                 * Format: uri
                 * @description The page.
                 * @example https://docs.cohere.com/changelog/embed-v5
                 */
                url: string;
                /**
                 * Format: date
                 * @description The day on which it was read, as `YYYY-MM-DD`.
                 * @example 2026-11-19
                 */
                read_on: string;
                /**
                 * @description The facts that were read there. Empty if it only says that the model exists.
                 * @example [
                 *       "traits"
                 *     ]
                 */
                facts: ("prices" | "widths" | "limits" | "end" | "traits")[];
            }[];
        } | null;
        /** @description One upstream model that serves a gateway model, its limits, its price and its state. */
        AdminTarget: {
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The API that the upstream implements.
             * @example openai
             */
            provider: string;
            /**
             * @description The name of the model at the upstream.
             * @example text-embedding-3-small
             */
            model: string;
            /**
             * @description The share of requests that the target receives, relative to the other targets.
             * @example 1
             */
            weight: number;
            /**
             * @description The priority. Lower tiers are called first.
             * @example 1
             */
            tier: number;
            /**
             * @description The maximum number of calls in flight at once. `null` for no limit.
             * @example 32
             */
            max_concurrency: number | null;
            /**
             * @description The maximum number of calls per minute. `null` for no limit.
             * @example null
             */
            requests_per_minute: number | null;
            /**
             * @description The maximum number of tokens per minute. `null` for no limit.
             * @example null
             */
            tokens_per_minute: number | null;
            /**
             * @description The prices of the target: the operator's, or else those of the catalogue. `null` if they are unknown. A free target
             *     has prices of 0.
             */
            pricing: components["schemas"]["PriceRate"][] | null;
            /**
             * Format: date
             * @description The day on which the vendor shuts the model down, as `YYYY-MM-DD`. `null` if none is known.
             * @example null
             */
            shutdown_date: string | null;
            /**
             * @description The model that the vendor recommends instead of one that will be shut down. `null` if there is none.
             * @example null
             */
            successor: string | null;
            facts: components["schemas"]["TargetFacts"];
            /**
             * @description Its state, as `listUpstreams` explains it. `null` for a model whose id is a pattern.
             * @example healthy
             * @enum {string|null}
             */
            state: "unknown" | "healthy" | "failing" | "cooling" | "misconfigured" | "drifted" | "open" | "half-open" | null;
            proven_at: components["schemas"]["ProvenAt"];
            /**
             * @description Whether it receives requests and nothing says that it does not work. An `unknown` target counts as one that works.
             * @example true
             */
            serving: boolean;
            failing_since: components["schemas"]["FailingSince"];
            failures: components["schemas"]["FailedCalls"];
            latency: components["schemas"]["TargetLatency"];
            last_error: components["schemas"]["TargetError"];
            paused_until: components["schemas"]["PausedUntil"];
        };
        /** @description A configured model with its capabilities and its targets, as the operator sees it. */
        AdminModel: {
            /**
             * @description Always `admin.model`.
             * @example admin.model
             * @constant
             */
            object: "admin.model";
            id: components["schemas"]["ModelId"];
            /**
             * @description A description of the model in one sentence. `null` if the operator has written none.
             * @example English sentence embeddings that run inside the gateway.
             */
            description: string | null;
            /**
             * @description Whether `id` is a pattern. Every id that fits can be called, with any text in place of `*`.
             * @example false
             */
            is_pattern: boolean;
            /**
             * @description Whether the gateway found the model in the list of its upstream.
             * @example false
             */
            discovered: boolean;
            /**
             * @description Other ids under which the model may be called.
             * @example [
             *       "text-embedding-ada-002"
             *     ]
             */
            aliases: string[];
            /**
             * @description The kind of output that the model creates.
             * @example embedding
             * @enum {string}
             */
            type: "embedding" | "image";
            /**
             * @description The operations that support this model.
             * @example [
             *       "createEmbedding",
             *       "createEmbeddingLegacy"
             *     ]
             */
            operations: ("createEmbedding" | "createEmbeddingLegacy" | "createImage" | "createImageEdit")[];
            /**
             * @description The parameters beyond this document that the model accepts.
             * @example []
             */
            pass_through: string[];
            embedding?: components["schemas"]["EmbeddingCapabilities"];
            image?: components["schemas"]["ImageCapabilities"];
            /**
             * @description How the gateway chooses among the targets of one tier.
             * @example fastest
             * @enum {string}
             */
            strategy: "fastest" | "weighted" | "ordered";
            /**
             * Format: date
             * @description The day on which the model will shut down, as `YYYY-MM-DD`: the operator's, or else that of its last target. `null`
             *     if none is announced.
             * @example null
             */
            shutdown_date: string | null;
            status: components["schemas"]["ModelStatus"];
            /**
             * @description Why the model is failing or unavailable. `null` if it serves requests.
             * @example null
             */
            status_reason: string | null;
            health: components["schemas"]["ModelHealth"];
            /**
             * @description The model that serves a request for images when no target of this one can. `null` if there is none.
             * @example null
             */
            fallback: string | null;
            /** @description The vector space of an embedding model. `null` for image models and for patterns. */
            space: components["schemas"]["VectorSpace"] | null;
            /**
             * @description The last comparison of the vectors of its targets. `null` if they were never compared, and for image models and
             *     patterns.
             */
            comparison: components["schemas"]["SpaceComparison"] | null;
            /** @description The model that a share of the inputs is also embedded with. `null` if there is none. */
            shadow: components["schemas"]["ModelShadow"] | null;
            limits: components["schemas"]["UsageLimits"];
            /** @description The targets that serve the model. */
            targets: components["schemas"]["AdminTarget"][];
        };
        /** @description Every model, in configuration order. The list is complete and has one page. */
        AdminModelList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The models. */
            data: components["schemas"]["AdminModel"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The credential that this process holds for the upstream, without its secret. `null` if the upstream needs none, or a key
         *     of the configuration that does not expire.
         */
        UpstreamCredential: {
            /**
             * @description Where it is from, in words.
             * @example the web identity of arn:aws:iam::123456789012:role/gateway
             */
            source: string;
            /**
             * @description `idle`: none is held; the next request asks for one. `valid`: requests use it. `failing`: the last renewal has
             *     failed, and requests use it until it expires. `missing`: none could be had, and requests fail.
             * @example valid
             * @enum {string}
             */
            status: "idle" | "valid" | "failing" | "missing";
            /**
             * @description When it expires, in Unix seconds. `null` if none is held, or if it does not expire.
             * @example 1787153686
             */
            expires_at: number | null;
            /**
             * @description When it was issued, in Unix seconds. `null` if none is held.
             * @example 1787150086
             */
            renewed_at: number | null;
            /**
             * @description Why the last renewal has failed. `null` if it has not.
             * @example null
             */
            error: string | null;
        } | null;
        /** @description The models that this process found in the upstream's list. `null` if discovery is off. */
        Discovery: {
            /**
             * @description How many models of the list are offered.
             * @example 12
             */
            models: number;
            /**
             * @description When the list was last read, in Unix seconds. `null` if it was never read.
             * @example 1787150086
             */
            checked_at: number | null;
            /**
             * @description Why the list could not be read the last time. `null` if it could. The models of the last list stay.
             * @example null
             */
            error: string | null;
        } | null;
        /** @description The calls to a target in one half hour. */
        TargetHalfHour: {
            /**
             * @description When the half hour begins, in Unix seconds.
             * @example 1787151600
             */
            start: number;
            /**
             * @description How many calls the target has replied to. A request that it refused because of the caller's mistake counts, as it
             *     proves that the target works. Aborted calls do not count.
             * @example 412
             */
            ok: number;
            /**
             * @description How many calls have failed. A request that was retried may have several.
             * @example 3
             */
            failed: number;
            /**
             * @description For how many seconds the target was down: every state but `healthy` and `unknown`, and `drifted` only if the target got no
             *     calls.
             * @example 12
             */
            down_seconds: number;
        };
        /**
         * @description The calls to a target in the last 24 hours, by half hour. If several processes of this gateway call it: the sum of their
         *     calls, and the longest downtime that one of them saw. Other replicas have separate counts.
         */
        TargetHistory: {
            /**
             * @description The name of the model at the upstream.
             * @example text-embedding-3-small
             */
            model: string;
            /**
             * @description When the counts begin, in Unix seconds. At most 24 hours ago; later if the target was configured later.
             * @example 1787067000
             */
            since: number;
            /** @description The half hours with a call or with downtime, in order. The last one may not be over. */
            half_hours: components["schemas"]["TargetHalfHour"][];
            /**
             * @description Why calls failed in these hours, the latest first: the last failure of each error code and status, and at most five.
             *     Failures that another target made up for are among them.
             */
            failures: components["schemas"]["TargetFailure"][];
        };
        /** @description A configured upstream without its secrets, and the state of its targets. */
        Upstream: {
            /**
             * @description Always `upstream`.
             * @example upstream
             * @constant
             */
            object: "upstream";
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            name: string;
            /**
             * @description The API that the upstream implements.
             * @example openai
             */
            provider: string;
            /**
             * @description The base URL, without credentials and query. `null` if the upstream runs inside the gateway.
             * @example https://api.openai.com/v1
             */
            base_url: string | null;
            /**
             * @description Whether the gateway sends an API key to the upstream.
             * @example true
             */
            has_key: boolean;
            /**
             * @description The timeout of one call, in milliseconds. `null` for the default of each operation.
             * @example null
             */
            timeout_ms: number | null;
            credential: components["schemas"]["UpstreamCredential"];
            discovery: components["schemas"]["Discovery"];
            /** @description The state of each target, as this gateway sees it. */
            targets: components["schemas"]["TargetState"][];
            /** @description The last 24 hours of each target. */
            history: components["schemas"]["TargetHistory"][];
        };
        /** @description Every upstream, in configuration order. The list is complete and has one page. */
        UpstreamList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The upstreams. */
            data: components["schemas"]["Upstream"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description The upstream to try, which need not be in the configuration. */
        TryUpstreamRequest: {
            /**
             * @description The upstream as a change takes it: its `provider` and the provider's settings. A secret is text, or `(set)` for the
             *     one of the upstream `name`. A variable `${NAME}` is only read where that upstream has it.
             * @example {
             *       "provider": "ollama",
             *       "baseUrl": "http://127.0.0.1:11434"
             *     }
             */
            upstream: {
                [key: string]: unknown;
            };
            /**
             * @description The name of an upstream in the configuration with the same provider. Its secrets are used where `upstream` leaves
             *     them out or has `(set)`. They only go where the configuration sends them.
             * @example null
             */
            name?: string | null;
            /**
             * @description A model to call.
             * @example {
             *       "type": "embedding",
             *       "name": "nomic-embed-text"
             *     }
             */
            model?: {
                /**
                 * @description The type of the model.
                 * @example embedding
                 * @enum {string}
                 */
                type: "embedding" | "image";
                /**
                 * @description The name of the model at the upstream.
                 * @example nomic-embed-text
                 */
                name: string;
            } | null;
            /**
             * @description Must be `true` for an image model, because the call creates an image and may cost money.
             * @example false
             */
            confirm_cost?: boolean;
            /**
             * @description Whether to call no model, even if the upstream has no list. Otherwise such an upstream embeds one word, for which it
             *     may charge. Cannot be combined with `model`.
             * @example false
             */
            list_only?: boolean;
            /**
             * @description Whether to embed the 16 texts of the vector-space doctor, about 300 tokens, instead of one word, and to return their
             *     vectors. A model whose provider knows that it takes images also embeds the four images. Compare the vectors of two
             *     targets before one model has both. Needs an embedding `model`.
             * @example false
             */
            probe_vectors?: boolean;
        };
        /** @description Why the trial failed. `null` if it succeeded. */
        UpstreamTrialError: {
            /**
             * @description The error code, such as `upstream_auth_error` for a refused key.
             * @example upstream_auth_error
             */
            code: string;
            /**
             * @description The cause, and what to check.
             * @example The upstream refused the API key. Check that the key is complete and belongs to this service.
             */
            message: string;
        } | null;
        /** @description The result of trying an upstream. */
        UpstreamTrial: {
            /**
             * @description Always `upstream.trial`.
             * @example upstream.trial
             * @constant
             */
            object: "upstream.trial";
            /**
             * @description Whether the upstream gave a valid reply.
             * @example true
             */
            ok: boolean;
            /**
             * @description How long the trial took, in milliseconds.
             * @example 182.4
             */
            ms: number;
            /**
             * @description The names of its models, at most 1,000 in alphabetical order. `null` if the upstream has no list, or did not return
             *     it.
             * @example [
             *       "text-embedding-3-large",
             *       "text-embedding-3-small"
             *     ]
             */
            models: string[] | null;
            /**
             * @description The length of the vectors of the embedding model that was called. `null` if none was.
             * @example 1536
             */
            dimensions: number | null;
            /**
             * @description The vectors of the 16 texts, in their order, each as base64 of 32-bit floats in little-endian order. `null` unless
             *     the request asked for them and the upstream returned them.
             * @example null
             */
            probe_vectors: string[] | null;
            /**
             * @description The same for the four images. `null` if the model takes no images, as far as its provider knows.
             * @example null
             */
            probe_image_vectors: string[] | null;
            error: components["schemas"]["UpstreamTrialError"];
        };
        /** @description A service or server whose address, limits and differences a provider knows by name. */
        ProviderPreset: {
            /**
             * @description The value of the setting `preset`.
             * @example vllm
             */
            id: string;
            /**
             * @description Its name for people.
             * @example vLLM
             */
            title: string;
            /**
             * @description The types of models that it serves.
             * @example [
             *       "embedding"
             *     ]
             */
            model_types: ("embedding" | "image")[];
            /**
             * @description The address without the setting `baseUrl`. Null if every customer has another, so that the setting is required.
             * @example http://127.0.0.1:8000/v1
             */
            base_url: string | null;
            /**
             * @description Whether it needs a key at that address.
             * @example false
             */
            key_required: boolean;
            /**
             * @description The environment variables that usually have its key.
             * @example [
             *       "VLLM_API_KEY"
             *     ]
             */
            environment_variables: string[];
        };
        /** @description A provider that upstreams can have, and the settings of such an upstream. */
        Provider: {
            /**
             * @description Always `provider`.
             * @example provider
             * @constant
             */
            object: "provider";
            /**
             * @description The value of `provider` in the configuration.
             * @example openai
             */
            id: string;
            /**
             * @description Its name for people.
             * @example OpenAI
             */
            title: string;
            /**
             * @description The types of models that it serves.
             * @example [
             *       "embedding",
             *       "image"
             *     ]
             */
            model_types: ("embedding" | "image")[];
            /**
             * @description The JSON Schema (draft 2020-12) of an upstream of this provider, as the configuration file has it. Each setting has a
             *     description.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "provider": {
             *           "type": "string",
             *           "const": "openai"
             *         },
             *         "apiKey": {
             *           "description": "The API key.",
             *           "type": "string",
             *           "minLength": 1
             *         }
             *       },
             *       "required": [
             *         "provider"
             *       ],
             *       "additionalProperties": false
             *     }
             */
            settings: {
                [key: string]: unknown;
            };
            /**
             * @description The settings whose values are secrets. A change stores such a value in a file of the data folder, and the
             *     configuration refers to it by name.
             * @example [
             *       "apiKey",
             *       "headers"
             *     ]
             */
            secret_settings: string[];
            /**
             * @description The environment variables that usually have its key. The provider's own clients read them.
             * @example [
             *       "OPENAI_API_KEY"
             *     ]
             */
            environment_variables: string[];
            /** @description Names of models that it serves, by type. It may serve others. */
            example_models: {
                /**
                 * @description Embedding models.
                 * @example [
                 *       "text-embedding-3-small"
                 *     ]
                 */
                embedding: string[];
                /**
                 * @description Image models.
                 * @example [
                 *       "gpt-image-2"
                 *     ]
                 */
                image: string[];
            };
            /** @description Services and servers that the provider knows by name. Empty without a setting `preset`. */
            presets: components["schemas"]["ProviderPreset"][];
        };
        /** @description Every provider. The list is complete and has one page. */
        ProviderList: {
            /**
             * @description Always `list`.
             * @example list
             * @constant
             */
            object: "list";
            /** @description The providers. */
            data: components["schemas"]["Provider"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description Why a newer file was refused. The configuration in force is then older. `null` if the last file was accepted. */
        ConfigurationRefusal: {
            /**
             * @description When it was refused, in Unix seconds.
             * @example 1787153686
             */
            at: number;
            /**
             * @description Every fault of the file.
             * @example [
             *       "gateway.yaml:12:5  models.gte: needs a type"
             *     ]
             */
            faults: string[];
        } | null;
        /** @description Problems that an operator should look at now. */
        Alerts: {
            /**
             * @description Always `alerts`.
             * @example alerts
             * @constant
             */
            object: "alerts";
            /** @description The targets that are neither `healthy` nor `unknown`, as the gateway that receives the request sees them. */
            targets: components["schemas"]["TargetState"][];
            /** @description The models without a target that works. */
            models: components["schemas"]["FailingModel"][];
            /** @description The last comparisons whose verdict is `different`, without those that are outdated. */
            comparisons: components["schemas"]["SpaceComparison"][];
            /**
             * @description The active keys that have used 80 % or more of their budget, of the 100 keys that have spent the most since the
             *     beginning of the month.
             */
            keys: components["schemas"]["AccessKey"][];
            configuration_refusal: components["schemas"]["ConfigurationRefusal"];
        };
        /**
         * @description The id of the session. It is not secret and grants no access.
         * @example session_0b4e6b1f3a9c5d7e8f901234
         */
        SessionId: string;
        /**
         * @description `operator`: it was created with an operator's key, and may do what its role allows. `caller`: it was created with
         *     an API key, and has the permissions of that key.
         * @example operator
         * @enum {string}
         */
        SessionKind: "operator" | "caller";
        /**
         * @description The rights of an operator. `admin`: everything. `operator`: models, upstreams, jobs, batches and metrics, and it reads
         *     keys. `viewer`: reads everything, and changes nothing. `billing`: usage and costs. `metrics`: the metrics, and the
         *     details of the readiness. `x-roles` of each operation lists the roles that may call it. `null` for a caller.
         * @example operator
         * @enum {string|null}
         */
        OperatorRole: "admin" | "operator" | "viewer" | "billing" | "metrics" | null;
        /** @description A new session with its secret. The secret is shown only once. */
        CreatedSession: {
            /**
             * @description Always `session`.
             * @example session
             * @constant
             */
            object: "session";
            id: components["schemas"]["SessionId"];
            kind: components["schemas"]["SessionKind"];
            /**
             * @description The name of the operator, as in the configuration; `admin` for the admin key. `null` for a caller.
             * @example admin
             */
            operator: string | null;
            role: components["schemas"]["OperatorRole"];
            /**
             * @description The id of the key that requests to models are recorded under: the caller's key, or `console:operator` for an
             *     operator.
             * @example console:operator
             */
            key_id: string;
            /**
             * @description The name of that key.
             * @example console
             */
            name: string;
            /**
             * @description When the session was created, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description When the session ends by itself, in Unix seconds. It lasts eight hours, and not longer than its key.
             * @example 1787178886
             */
            expires_at: number;
            /**
             * @description The version of the gateway.
             * @example 1.0.0
             */
            gateway_version: string;
            /**
             * @description The ids of the models that the session may call.
             * @example [
             *       "gte-small",
             *       "local-sketch"
             *     ]
             */
            models: string[];
            /**
             * @description The operations that the session may call, by their `operationId`. Pages offer what is here, and no more.
             * @example [
             *       "listModels",
             *       "retrieveModel",
             *       "retrieveUsage"
             *     ]
             */
            operations: string[];
            /**
             * @description The secret. Send it as `Authorization: Bearer <secret>`. The gateway keeps only a digest of it.
             * @example mg_session_7zh0v9c3q8b5m1x6n4k2j0rt5w8ydpae3c7g91
             */
            value: string;
        };
        /** @description A session, and what it may do. Its secret is never shown again. */
        Session: {
            /**
             * @description Always `session`.
             * @example session
             * @constant
             */
            object: "session";
            id: components["schemas"]["SessionId"];
            kind: components["schemas"]["SessionKind"];
            /**
             * @description The name of the operator, as in the configuration; `admin` for the admin key. `null` for a caller.
             * @example admin
             */
            operator: string | null;
            role: components["schemas"]["OperatorRole"];
            /**
             * @description The id of the key that requests to models are recorded under: the caller's own, or `console:operator` for an
             *     operator.
             * @example console:operator
             */
            key_id: string;
            /**
             * @description The name of that key.
             * @example console
             */
            name: string;
            /**
             * @description When the session was created, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description When the session ends by itself, in Unix seconds. It lasts eight hours, and not longer than its key.
             * @example 1787178886
             */
            expires_at: number;
            /**
             * @description The version of the gateway.
             * @example 1.0.0
             */
            gateway_version: string;
            /**
             * @description The ids of the models that the session may call.
             * @example [
             *       "gte-small",
             *       "local-sketch"
             *     ]
             */
            models: string[];
            /**
             * @description The operations that the session may call, by their `operationId`. Pages offer what is here, and no more.
             * @example [
             *       "listModels",
             *       "retrieveModel",
             *       "retrieveUsage"
             *     ]
             */
            operations: string[];
        };
        /** @description A session that has ended. Its secret no longer works. */
        EndedSession: {
            /**
             * @description Always `session`.
             * @example session
             * @constant
             */
            object: "session";
            id: components["schemas"]["SessionId"];
            /**
             * @description Always `true`.
             * @example true
             * @constant
             */
            ended: true;
        };
        /** @description A one-time code for the console link. It is shown only once. */
        SignInCode: {
            /**
             * @description Always `sign_in_code`.
             * @example sign_in_code
             * @constant
             */
            object: "sign_in_code";
            /**
             * @description The code. The console reads it from its address, `/console/#code=<value>`.
             * @example mg_code_7zh0v9c3q8b5m1x6n4k2j0rt5w8ydpae3c7g91
             */
            value: string;
            /**
             * @description When the code ends, in Unix seconds. It lasts ten minutes.
             * @example 1787150686
             */
            expires_at: number;
        };
        /** @description Which target to call. */
        ProbeTargetRequest: {
            model: components["schemas"]["ModelId"];
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The name of the model at the upstream. It is needed where the upstream serves the model under several names.
             * @example null
             */
            target_model?: string | null;
            /**
             * @description Must be `true` for an image model, because the call creates an image and may cost money.
             * @example false
             */
            confirm_cost?: boolean;
        };
        /** @description The result of one call to a target. */
        Probe: {
            /**
             * @description Always `probe`.
             * @example probe
             * @constant
             */
            object: "probe";
            model: components["schemas"]["ModelId"];
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The name of the model at the upstream.
             * @example text-embedding-3-small
             */
            target_model: string;
            /**
             * @description The operation that the target was called with.
             * @example createEmbedding
             * @enum {string}
             */
            operation: "createEmbedding" | "createImage";
            /**
             * @description Whether the target gave a valid reply.
             * @example true
             */
            ok: boolean;
            /**
             * @description How long the call took, in milliseconds.
             * @example 82.4
             */
            ms: number;
            error: components["schemas"]["ProbeError"];
            /**
             * @description The cost of the call, in US dollars. `null` if it is unknown.
             * @example 1e-7
             */
            cost_usd: number | null;
            state: components["schemas"]["TargetStateName"];
        };
        /** @description The model whose targets are compared. */
        CompareTargetsRequest: {
            model: components["schemas"]["ModelId"];
        };
        /** @description The target whose vectors are accepted. */
        AcceptSpaceRequest: {
            model: components["schemas"]["ModelId"];
            /**
             * @description The name of the upstream in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The name of the model at the upstream. It is needed where the upstream serves the model under several names.
             * @example null
             */
            target_model?: string | null;
        };
        /** @description The new revision of a vector space. */
        SpaceRevision: {
            /**
             * @description Always `space.revision`.
             * @example space.revision
             * @constant
             */
            object: "space.revision";
            /**
             * @description The ids of all models of the space. They have the new revision.
             * @example [
             *       "text-embedding-3-small"
             *     ]
             */
            models: string[];
            /**
             * @description The id of the space before.
             * @example 5d2f0c9be1a4
             */
            previous_id: string;
            space: components["schemas"]["VectorSpace"];
        };
        /** @description The configuration in force, without its secrets. */
        Configuration: {
            /**
             * @description Always `configuration`.
             * @example configuration
             * @constant
             */
            object: "configuration";
            /**
             * @description The file that it was read from. `null` for the built-in configuration.
             * @example /etc/gateway/gateway.yaml
             */
            file: string | null;
            /**
             * @description Always `yaml`.
             * @example yaml
             * @constant
             */
            format: "yaml";
            /**
             * @description The file and the environment variables that override its keys, as YAML. Every secret is replaced by `(set)`. A value
             *     that the file takes from an environment variable is shown as `${NAME}`. Keys that are absent have their defaults.
             *     After a reload, keys that need a restart show their new value.
             * @example upstreams:
             *       openai:
             *         provider: openai
             *         apiKey: (set)
             */
            text: string;
            /**
             * @description A digest of the file's text. Send it with a change, so that the change is refused if the file has another text by
             *     then. `null` for the built-in configuration.
             * @example 5f70bf18a086007016e948b04aed3b82
             */
            version: string | null;
            /**
             * @description The upstreams of the file, by name, in the form that a change takes. Every secret is replaced by `(set)`: sent back
             *     unchanged, it keeps its value.
             * @example {
             *       "openai": {
             *         "provider": "openai",
             *         "apiKey": "(set)"
             *       }
             *     }
             */
            upstreams: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /**
             * @description The models of the file, by id, in the form that a change takes. Discovered models are absent.
             * @example {
             *       "text-embedding-3-small": {
             *         "type": "embedding",
             *         "targets": [
             *           {
             *             "upstream": "openai",
             *             "model": "text-embedding-3-small"
             *           }
             *         ]
             *       }
             *     }
             */
            models: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /**
             * @description Whether `changeConfiguration` can change the file.
             * @example true
             */
            editable: boolean;
            /**
             * @description Why the file cannot be changed. `null` if it can.
             *
             *     - `disabled`: the file says `console: false` or `console: { configure: false }`.
             *     - `shared_deployment`: `databaseUrl` or `redisUrl` is set, so several gateways may share the configuration. The file
             *       belongs to the deployment.
             *     - `read_only_file`: the gateway may not write the file or its folder.
             *     - `linked_file`: the file is a symbolic link or a mount, so it cannot be replaced.
             * @example null
             * @enum {string|null}
             */
            not_editable_reason: "disabled" | "shared_deployment" | "read_only_file" | "linked_file" | null;
            /**
             * @description The address at which callers reach the gateway, from `publicUrl` or `PUBLIC_URL`, without a slash at the end. `null`
             *     if it is not set.
             * @example https://gateway.example
             */
            public_url: string | null;
            /**
             * @description When it was read, in Unix seconds.
             * @example 1787150086
             */
            read_at: number;
            last_refusal: components["schemas"]["ConfigurationRefusal"];
        };
        /** @description The entries to set or to remove. At least one is needed. */
        ChangeConfigurationRequest: {
            /**
             * @description Whether to check the change and show the diff without writing the file.
             * @default false
             * @example true
             */
            dry_run: boolean;
            /**
             * @description The `version` of the configuration that the change is based on. If the file has another text by now, the change is
             *     refused with 409. `null` for the built-in configuration. If it is left out, the change applies to any text.
             * @example 5f70bf18a086007016e948b04aed3b82
             */
            version?: string | null;
            /**
             * @description Upstreams by name. An object is the whole new entry, with its `provider` and the provider's settings. `null` removes
             *     the upstream. Upstreams that are left out stay as they are.
             * @example {
             *       "openai": {
             *         "provider": "openai",
             *         "apiKey": "sk-your-key"
             *       }
             *     }
             */
            upstreams?: {
                [key: string]: {
                    [key: string]: unknown;
                } | null;
            };
            /**
             * @description Models by id. An object is the whole new entry, as in the configuration file. `null` removes the model. Models that
             *     are left out stay as they are.
             * @example {
             *       "text-embedding-3-small": {
             *         "type": "embedding",
             *         "targets": [
             *           {
             *             "upstream": "openai",
             *             "model": "text-embedding-3-small"
             *           }
             *         ]
             *       }
             *     }
             */
            models?: {
                [key: string]: {
                    [key: string]: unknown;
                } | null;
            };
        };
        /** @description A secret that is kept outside the configuration file. Its value is never returned. */
        StoredSecret: {
            /**
             * @description The name by which the configuration file refers to it, as `${NAME}`.
             * @example OPENAI_API_KEY
             */
            name: string;
            /**
             * @description The file with the secret, as plain text that only the user of the gateway's process may read. Written only if the
             *     change is applied.
             * @example /var/lib/gateway/secrets/OPENAI_API_KEY
             */
            path: string;
        };
        /** @description A model that a change sets, and the prices of its targets. */
        ChangedModel: {
            /**
             * @description The id of the model, which callers use.
             * @example text-embedding-3-small
             */
            id: string;
            /** @description Its targets. */
            targets: {
                /**
                 * @description The name of the upstream.
                 * @example openai
                 */
                upstream: string;
                /**
                 * @description The name of the model at the upstream.
                 * @example text-embedding-3-small
                 */
                model: string;
                /**
                 * @description The prices of the target: the operator's, or else those of the catalogue. `null` if they are unknown: budgets do
                 *     not count the target then.
                 */
                pricing: components["schemas"]["PriceRate"][] | null;
            }[];
        };
        /** @description A change to the configuration file. It never contains a secret. */
        ConfigurationChange: {
            /**
             * @description Always `configuration.change`.
             * @example configuration.change
             * @constant
             */
            object: "configuration.change";
            /**
             * @description Whether the file has the change now.
             * @example true
             */
            applied: boolean;
            /**
             * @description Why the file was not written. `null` if it was. `dry_run`: the request asked for it. `unsupported_yaml`: the entry
             *     cannot be changed in place, for example because an alias stands for it; paste the lines instead. The others are those
             *     of `not_editable_reason` of the configuration.
             * @example null
             * @enum {string|null}
             */
            not_applied_reason: "dry_run" | "disabled" | "shared_deployment" | "read_only_file" | "linked_file" | "unsupported_yaml" | null;
            /**
             * @description Whether the gateway that responds serves the changed configuration already. `false` after `applied: true` means
             *     that the reload takes longer than the response could wait.
             * @example true
             */
            in_force: boolean;
            /**
             * @description The file that was changed or would be. Without a file, a change creates it.
             * @example /etc/gateway/gateway.yaml
             */
            file: string;
            /**
             * @description The change as a unified diff. Empty if it changes nothing.
             * @example --- gateway.yaml
             *     +++ gateway.yaml
             *     @@ -1,2 +1,5 @@
             *      upstreams:
             *        local: { provider: local }
             *     +  openai:
             *     +    provider: openai
             *     +    apiKey: ${OPENAI_API_KEY}
             */
            diff: string;
            /**
             * @description The entries that are set, as YAML to paste into the file by hand. A secret that was sent as text appears as
             *     `${NAME}`: set this environment variable then, because nothing is stored.
             * @example upstreams:
             *       openai:
             *         provider: openai
             *         apiKey: ${OPENAI_API_KEY}
             */
            lines: string;
            /**
             * @description Where each secret that was sent as text is stored, or would be. The file of the configuration refers to it by its
             *     name. Empty if the request has none, or if the gateway cannot write the file.
             */
            secrets: components["schemas"]["StoredSecret"][];
            /**
             * @description The models that are set, with the price of each target as the changed configuration has it. Empty if the request sets
             *     none, or if the file cannot be changed in place.
             */
            models: components["schemas"]["ChangedModel"][];
            /**
             * @description The version of the file after the request. `null` if there is no file.
             * @example 1b2cf535f27731c974343645a3985328
             */
            version: string | null;
        };
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2026-08-19T14:34:46.123Z
         */
        EventTime: string;
        /** @description The stream has begun. It is the first event. */
        StreamStartedEvent: {
            /**
             * @description Always `stream.started`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "stream.started";
            timestamp: components["schemas"]["EventTime"];
            /** @description Where the events come from. */
            data: {
                /**
                 * @description The version of the gateway.
                 * @example 1.0.0
                 */
                gateway_version: string;
                /**
                 * @description How many worker processes the gateway has.
                 * @example 1
                 */
                workers: number;
            };
        };
        /** @description The state of a target has changed. */
        TargetStateChangedEvent: {
            /**
             * @description Always `target.state_changed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "target.state_changed";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-08-19T14:34:46.123Z
             */
            timestamp: string;
            /** @description The target, and its states before and after. */
            data: {
                /**
                 * @description The name of the upstream in the configuration.
                 * @example openai
                 */
                upstream: string;
                /**
                 * @description The name of the model at the upstream.
                 * @example text-embedding-3-small
                 */
                model: string;
                /**
                 * @description The new state.
                 * @example open
                 * @enum {string}
                 */
                state: "healthy" | "failing" | "cooling" | "misconfigured" | "drifted" | "open";
                /**
                 * @description The state that was reported before.
                 * @example healthy
                 * @enum {string}
                 */
                previous_state: "healthy" | "failing" | "cooling" | "misconfigured" | "drifted" | "open";
                /**
                 * @description The error code of the last failure. `null` if the target is healthy.
                 * @example upstream_timeout
                 */
                error_code: string | null;
                /**
                 * @description The message of the last failure. `null` if the target is healthy.
                 * @example The upstream did not reply within 60 s.
                 */
                error_message: string | null;
                /**
                 * @description How long the target gets no requests, in milliseconds. 0 if it gets some, or if it is `drifted`.
                 * @example 5000
                 */
                pause_ms: number;
                /**
                 * @description How long ago the target was healthy, in milliseconds.
                 * @example 0
                 */
                unhealthy_ms: number;
                /**
                 * @description Which worker process of the gateway saw the change, counted from 1. Each has its own view of a target.
                 * @example 1
                 */
                worker: number;
            };
        };
        /** @description A worker has read the configuration again. */
        ConfigurationReloadedEvent: {
            /**
             * @description Always `configuration.reloaded`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "configuration.reloaded";
            timestamp: components["schemas"]["EventTime"];
            /** @description Whether it is in force now. */
            data: {
                /**
                 * @description Whether it was accepted. If not, the old one stays in force.
                 * @example true
                 */
                accepted: boolean;
                /**
                 * @description Why it was refused. Empty if it was accepted.
                 * @example []
                 */
                faults: string[];
                /**
                 * @description Which worker process of the gateway read it, counted from 1.
                 * @example 1
                 */
                worker: number;
            };
        };
        /** @description An operator has changed the configuration file through the gateway. It has names and no values. */
        ConfigurationChangedEvent: {
            /**
             * @description Always `configuration.changed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "configuration.changed";
            timestamp: components["schemas"]["EventTime"];
            /** @description Who changed which entries. */
            data: {
                /**
                 * @description The id of the operator's session, or `admin` for the admin key.
                 * @example session_0b4e6b1f3a9c5d7e8f901234
                 */
                actor: string;
                /**
                 * @description The names of the upstreams that were added or changed.
                 * @example [
                 *       "openai"
                 *     ]
                 */
                upstreams_set: string[];
                /**
                 * @description The names of the upstreams that were removed.
                 * @example []
                 */
                upstreams_removed: string[];
                /**
                 * @description The ids of the models that were added or changed.
                 * @example [
                 *       "text-embedding-3-small"
                 *     ]
                 */
                models_set: string[];
                /**
                 * @description The ids of the models that were removed.
                 * @example []
                 */
                models_removed: string[];
                /**
                 * @description The version of the file after the change.
                 * @example 1b2cf535f27731c974343645a3985328
                 */
                version: string;
                /**
                 * @description Which worker process of the gateway wrote the file, counted from 1.
                 * @example 1
                 */
                worker: number;
            };
        };
        /** @description A request to a model is finished. */
        RequestFinishedEvent: {
            /**
             * @description Always `request.finished`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "request.finished";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["RequestRecord"];
        };
        /** @description There were more events than the stream carries. */
        EventsDroppedEvent: {
            /**
             * @description Always `events.dropped`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "events.dropped";
            timestamp: components["schemas"]["EventTime"];
            /** @description The number of dropped events. */
            data: {
                /**
                 * @description How many events were dropped since the last event of this type.
                 * @example 120
                 */
                dropped: number;
            };
        };
        /**
         * @description The `data` of one server-sent event. Its `event` line repeats `type`. Lines that start with a colon are comments that
         *     keep the connection open.
         */
        GatewayEvent: components["schemas"]["StreamStartedEvent"] | components["schemas"]["TargetStateChangedEvent"] | components["schemas"]["ConfigurationReloadedEvent"] | components["schemas"]["ConfigurationChangedEvent"] | components["schemas"]["RequestFinishedEvent"] | components["schemas"]["EventsDroppedEvent"] | components["schemas"]["StreamErrorEvent"];
        /** @description A batch has ended. */
        BatchEndedEvent: {
            /**
             * @description The id of the event, as in the `webhook-id` header.
             * @example msg_6f1f3530a1a2324b19752018
             */
            id: string;
            /**
             * @description Always `event`.
             * @example event
             * @constant
             */
            object: "event";
            /**
             * @description How the batch ended.
             * @example batch.completed
             * @enum {string}
             */
            type: "batch.completed" | "batch.failed" | "batch.expired" | "batch.cancelled";
            /**
             * @description When it happened, in Unix seconds.
             * @example 1787150108
             */
            created_at: number;
            timestamp: components["schemas"]["EventTime"];
            /** @description The batch. */
            data: {
                id: components["schemas"]["BatchId"];
                /**
                 * @description The id of the key that created the batch.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key_id: string;
                /**
                 * @description The name of the key when it created the batch.
                 * @example search-service
                 */
                key_name: string;
                request_counts: components["schemas"]["BatchCounts"];
            };
        };
        /** @description A key has spent a share of its budget. */
        BudgetShareReachedEvent: {
            /**
             * @description Always `budget.share_reached`.
             * @example budget.share_reached
             * @constant
             */
            type: "budget.share_reached";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-08-19T14:34:46.123Z
             */
            timestamp: string;
            /** @description The key and its budget. */
            data: {
                /**
                 * @description The id of the key. For a key of the configuration file, `config:` and its name.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key_id: string;
                /**
                 * @description The name of the key.
                 * @example search-service
                 */
                key_name: string;
                /**
                 * @description The share of the budget that was reached.
                 * @example 0.8
                 */
                share: number;
                budget: components["schemas"]["Budget"];
                /**
                 * @description The amount spent in the current period, in US dollars.
                 * @example 20.00714
                 */
                spent_usd: number;
                /**
                 * @description The rest of the budget, in US dollars. 0 if it is spent.
                 * @example 4.99286
                 */
                remaining_usd: number;
                /**
                 * @description When the next period starts, in Unix seconds.
                 * @example 1788220800
                 */
                resets_at: number;
            };
        };
        /** @description A job has its response. */
        JobCompletedEvent: {
            /**
             * @description Always `job.completed`.
             * @example job.completed
             * @constant
             */
            type: "job.completed";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-08-19T14:36:52.123Z
             */
            timestamp: string;
            /** @description The job. Retrieve it with the key that created it, or with another key of the same owner. */
            data: {
                id: components["schemas"]["JobId"];
                /**
                 * @description Always `completed`.
                 * @example completed
                 * @constant
                 */
                status: "completed";
                /**
                 * @description The operation that the job ran.
                 * @example createImage
                 * @enum {string}
                 */
                operation: "createImage" | "createImageEdit";
                /**
                 * @description The id of the model, as requested.
                 * @example gpt-image-2
                 */
                model: string;
                /**
                 * @description The id of the key. For a key of the configuration file, `config:` and its name.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key_id: string;
                /**
                 * @description The id of the request in the list of requests.
                 * @example req_a3d50a6faea5e691c607f0a4902c56ab
                 */
                request_id: string;
                /**
                 * @description Always `null`.
                 * @example null
                 */
                error_code: null;
            };
        };
        /** @description A job has failed, or was cancelled. */
        JobFailedEvent: {
            /**
             * @description Always `job.failed`.
             * @example job.failed
             * @constant
             */
            type: "job.failed";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-08-19T14:36:52.123Z
             */
            timestamp: string;
            /** @description The job. Retrieve it with the key that created it, or with another key of the same owner. */
            data: {
                id: components["schemas"]["JobId"];
                /**
                 * @description Whether the job failed or was cancelled.
                 * @example failed
                 * @enum {string}
                 */
                status: "failed" | "cancelled";
                /**
                 * @description The operation that the job ran.
                 * @example createImage
                 * @enum {string}
                 */
                operation: "createImage" | "createImageEdit";
                /**
                 * @description The id of the model, as requested.
                 * @example gpt-image-2
                 */
                model: string;
                /**
                 * @description The id of the key. For a key of the configuration file, `config:` and its name.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key_id: string;
                /**
                 * @description The id of the request in the list of requests.
                 * @example req_a3d50a6faea5e691c607f0a4902c56ab
                 */
                request_id: string;
                /**
                 * @description The code of the error. `null` if the job was cancelled.
                 * @example upstream_timeout
                 */
                error_code: string | null;
            };
        };
    };
    responses: {
        /** @description The vectors, in the order of the inputs. */
        EmbeddingsCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-cache": components["headers"]["Cache"];
                "x-gateway-space": components["headers"]["Space"];
                "x-gateway-input-type": components["headers"]["InputType"];
                "x-gateway-converted-images": components["headers"]["ConvertedImages"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateEmbeddingResponse"];
            };
        };
        /** @description The request is invalid, or the upstream rejected it. `param` names the parameter, and `message` says what is expected. */
        RequestRejected: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key is missing or invalid. */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "www-authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key may not call this model. */
        ModelNotAllowed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The model does not exist. */
        ModelNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request did not arrive completely in time. The gateway closes the connection. */
        RequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The vectors would belong to another space than `x-gateway-space` requests. The message says what differs. */
        SpaceMismatch: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body, after decompression, a file or a form field exceeds its size limit. The message states the limit. */
        ContentTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The operation does not support this content type or content encoding. */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A rate limit, a budget or an upstream quota is exhausted. Retry after `retry-after`, if it is present. */
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request headers exceed the limit of 64 KiB. The gateway closes the connection. */
        HeadersTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The gateway failed. Report the problem with its `x-request-id`. */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The upstream failed, refused the gateway's own key, or sent an invalid reply. */
        BadGateway: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The model or the database is unavailable at the moment, or the gateway is overloaded. Retry after `retry-after`. */
        ServiceUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The upstream did not reply in time, or the time of `x-gateway-timeout-ms` is over. */
        GatewayTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The vectors, in the order of the inputs. */
        EmbeddingsCreatedLegacy: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-cache": components["headers"]["Cache"];
                "x-gateway-space": components["headers"]["Space"];
                "x-gateway-input-type": components["headers"]["InputType"];
                "x-gateway-converted-images": components["headers"]["ConvertedImages"];
                deprecation: components["headers"]["Deprecation"];
                link: components["headers"]["SuccessorLink"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateEmbeddingResponse"];
            };
        };
        /** @description The vectors, in the order of the inputs. */
        VoyageEmbeddingsCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-cache": components["headers"]["Cache"];
                "x-gateway-space": components["headers"]["Space"];
                "x-gateway-input-type": components["headers"]["InputType"];
                "x-gateway-converted-images": components["headers"]["ConvertedImages"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateVoyageEmbeddingResponse"];
            };
        };
        /** @description The request is invalid, or the upstream rejected it. The message names the parameter, and says what is expected. */
        VoyageRequestRejected: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Missing required parameter: 'input'."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The key is missing or invalid. */
        VoyageUnauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "www-authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Incorrect API key provided."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The key may not call this model. */
        VoyageModelNotAllowed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This key may not call the model `gpt-image-2`."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The model does not exist. */
        VoyageModelNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The model `gpt-9` does not exist or you do not have access to it. GET /v1/models lists the models that you can call."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The request did not arrive completely in time. The gateway closes the connection. The error has either shape, because the gateway may not know the path yet. */
        VoyageRequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The request did not arrive in time."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"] | components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The vectors would belong to another space than `x-gateway-space` requests. The message says what differs. */
        VoyageSpaceMismatch: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The request asks for vectors of the space '5d2f0c9be1a4:1536:document', but they would be of '5d2f0c9be1a4:1536:query': the input type is 'query' instead of 'document'."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The body, after decompression, a file or a form field exceeds its size limit. The message states the limit. */
        VoyageContentTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The request body is larger than the limit of 33554432 bytes."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The operation does not support this content type or content encoding. */
        VoyageUnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Unsupported content type 'text/plain'. This operation takes 'application/json'."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description A rate limit, a budget or an upstream quota is exhausted. Retry after `retry-after`, if it is present. */
        VoyageTooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The upstream is throttling requests for this model. Try again in 2 s."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The gateway failed. Report the problem with its `x-request-id`. */
        VoyageInternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The gateway had an error while processing your request."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The upstream failed, refused the gateway's own key, or sent an invalid reply. */
        VoyageBadGateway: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The upstream failed with status 500."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The model or the database is unavailable at the moment, or the gateway is overloaded. Retry after `retry-after`. */
        VoyageServiceUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Nothing listens at the upstream's address."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The upstream did not reply in time, or the time of `x-gateway-timeout-ms` is over. */
        VoyageGatewayTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The upstream did not reply within 60 s."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The images, as one JSON document or as a stream of events. */
        ImagesCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-model": components["headers"]["ServedModel"];
                "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                "x-gateway-failed-images": components["headers"]["FailedImages"];
                "x-gateway-content-credentials": components["headers"]["ContentCredentials"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                "cache-control": components["headers"]["StreamCacheControl"];
                "x-accel-buffering": components["headers"]["AccelBuffering"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImagesResponse"];
                "text/event-stream": components["schemas"]["ImageGenerationStreamEvent"];
            };
        };
        /** @description The job that runs the request. */
        JobCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                location: components["headers"]["JobLocation"];
                "retry-after": components["headers"]["JobRetryAfter"];
                "preference-applied": components["headers"]["PreferenceApplied"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Job"];
            };
        };
        /** @description The `Idempotency-Key` was already used with a different body, or the outcome of the request that used it is not known. */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The gateway failed. Report the problem with its `x-request-id`. */
        ImageInternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The upstream failed, refused the gateway's own key, or sent an invalid reply. */
        ImageBadGateway: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The model, the database or the store for images is unavailable at the moment, or the gateway is overloaded or its disk is full, or the response could not be stored for its `Idempotency-Key`. Retry after `retry-after`. */
        ImageServiceUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The upstream did not reply in time, or the time of `x-gateway-timeout-ms` is over. */
        ImageGatewayTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The images, as one JSON document or as a stream of events. */
        ImagesEdited: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-model": components["headers"]["ServedModel"];
                "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                "x-gateway-failed-images": components["headers"]["FailedImages"];
                "x-gateway-content-credentials": components["headers"]["ContentCredentials"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                "cache-control": components["headers"]["StreamCacheControl"];
                "x-accel-buffering": components["headers"]["AccelBuffering"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImagesResponse"];
                "text/event-stream": components["schemas"]["ImageEditStreamEvent"];
            };
        };
        /** @description The image. */
        ImageFile: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "accept-ranges": components["headers"]["AcceptRanges"];
                "cache-control": components["headers"]["FileCacheControl"];
                etag: components["headers"]["ETag"];
                "content-disposition": components["headers"]["ContentDisposition"];
                "content-security-policy": components["headers"]["ContentSecurityPolicy"];
                "x-content-type-options": components["headers"]["ContentTypeOptions"];
                [name: string]: unknown;
            };
            content: {
                "image/png": Blob;
                "image/jpeg": Blob;
                "image/webp": Blob;
                "image/gif": Blob;
                "image/svg+xml": Blob;
            };
        };
        /** @description The requested part of the image. */
        ImageFilePart: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "accept-ranges": components["headers"]["AcceptRanges"];
                "cache-control": components["headers"]["FileCacheControl"];
                etag: components["headers"]["ETag"];
                "content-disposition": components["headers"]["ContentDisposition"];
                "content-security-policy": components["headers"]["ContentSecurityPolicy"];
                "x-content-type-options": components["headers"]["ContentTypeOptions"];
                "content-range": components["headers"]["ContentRange"];
                [name: string]: unknown;
            };
            content: {
                "image/png": Blob;
                "image/jpeg": Blob;
                "image/webp": Blob;
                "image/gif": Blob;
                "image/svg+xml": Blob;
            };
        };
        /** @description The caller has the image already, by `if-none-match`. The link was still valid. */
        ImageFileNotModified: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "cache-control": components["headers"]["FileCacheControl"];
                etag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is invalid. `param` names the parameter, and `message` says what is expected. */
        BadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description This gateway did not issue the link, or the link was changed. */
        InvalidSignature: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The link has expired, or the image was deleted. */
        LinkExpired: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The range lies outside the file. */
        RangeNotSatisfiable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "content-range": components["headers"]["ContentRange"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The store for images or the database is unavailable at the moment, the image has not reached the store yet, or the gateway is overloaded. Retry after `retry-after`. */
        ImageStoreUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The signals that were checked, and those that could not be. */
        ContentProvenanceChecked: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContentProvenanceCheck"];
            };
        };
        /** @description The form is invalid. `param` names its part, and `message` says what is expected. */
        FileFormRejected: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A rate limit of the key is exhausted. Retry after `retry-after`, if it is present. */
        TooManyFiles: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The database is unavailable at the moment, or the gateway is overloaded or its disk is full. Retry after `retry-after`. */
        FileFormUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The files. */
        FilesListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FileList"];
            };
        };
        /** @description The database is unavailable at the moment. Retry after `retry-after`. */
        StorageUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The file, which is stored now. */
        FileUploaded: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FileObject"];
            };
        };
        /** @description The files of the key have reached a limit, in bytes or in number. The message states it. */
        FileQuotaExceeded: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The store for files or the database is unavailable at the moment or full, or the gateway is overloaded. Nothing was stored. Retry after `retry-after`. */
        FileNotStored: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The file. */
        FileRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FileObject"];
            };
        };
        /** @description The file does not exist, has expired, or belongs to another key. */
        FileNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The file was deleted. */
        FileDeleted: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeletedFile"];
            };
        };
        /** @description The file. */
        FileContent: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "accept-ranges": components["headers"]["AcceptRanges"];
                "cache-control": components["headers"]["PrivateCacheControl"];
                "content-disposition": components["headers"]["FileContentDisposition"];
                "x-content-type-options": components["headers"]["ContentTypeOptions"];
                [name: string]: unknown;
            };
            content: {
                "application/octet-stream": Blob;
            };
        };
        /** @description The requested part of the file. */
        FileContentPart: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "accept-ranges": components["headers"]["AcceptRanges"];
                "cache-control": components["headers"]["PrivateCacheControl"];
                "content-disposition": components["headers"]["FileContentDisposition"];
                "x-content-type-options": components["headers"]["ContentTypeOptions"];
                "content-range": components["headers"]["ContentRange"];
                [name: string]: unknown;
            };
            content: {
                "application/octet-stream": Blob;
            };
        };
        /** @description The store for files or the database is unavailable at the moment. Retry after `retry-after`. */
        FileStoreUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The batches of the key. */
        BatchesListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BatchList"];
            };
        };
        /** @description The request is invalid. `param` names the parameter, and `message` says what is expected. */
        AdminBadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["OptionalNoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key is missing or invalid. */
        AdminUnauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "www-authenticate": components["headers"]["WwwAuthenticate"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The gateway failed. Report the problem with its `x-request-id`. */
        AdminInternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The database is unavailable at the moment, or the gateway is overloaded. Retry after `retry-after`. */
        AdminStorageUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The batch. */
        BatchCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        /** @description The results of the batch would exceed a limit of the key's files. The message states it. */
        BatchHasNoRoom: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The input file does not exist, or belongs to another key. */
        BatchInputNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request did not arrive completely in time. The gateway closes the connection. */
        AdminRequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "cache-control": components["headers"]["OptionalNoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body, after decompression, a file or a form field exceeds its size limit. The message states the limit. */
        AdminContentTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The operation does not support this content type or content encoding. */
        AdminUnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The budget of the key is used up, or too many of its batches have not ended yet. */
        BatchRefused: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The store for files or the database is unavailable at the moment or full, or the gateway is overloaded. No batch was created. Retry after `retry-after`. */
        BatchNotStored: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The batch. */
        BatchRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        /** @description The batch does not exist, or belongs to another key. */
        BatchNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The batch. */
        BatchCancelled: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        /** @description The batch has ended. */
        BatchEnded: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A page of jobs. */
        JobsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["JobList"];
            };
        };
        /** @description The job. It may have a `progress` while it runs, and has a `response` once it is complete. */
        JobRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                "retry-after": components["headers"]["JobRetryAfter"];
                "preference-applied": components["headers"]["WaitApplied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Job"];
            };
        };
        /** @description The job does not exist, or another key created it. */
        JobNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The database or the store of the response is unavailable at the moment, or the gateway is overloaded. Retry after `retry-after`. */
        JobUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The job. It may still be `in_progress` for a moment. */
        JobCancelled: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Job"];
            };
        };
        /** @description The job that runs the request. */
        AsyncImageJobCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AsyncImageJob"];
            };
        };
        /** @description The request is invalid. `param` names the parameter, and `message` says what is expected. */
        JobRejected: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A rate limit or a budget is exhausted, or too many jobs wait. Retry after `retry-after`, if it is present. */
        TooManyJobs: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The database or a store is unavailable at the moment, the disk is full, or the gateway is overloaded. Nothing was stored. Retry after `retry-after`. */
        JobNotStored: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The job has ended. */
        AsyncImageJobRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AsyncImageJob"];
            };
        };
        /** @description The job has not ended yet. */
        AsyncImageJobPending: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AsyncImageJob"];
            };
        };
        /** @description The models. */
        ModelsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelList"];
            };
        };
        /** @description The model. */
        ModelRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Model"];
            };
        };
        /** @description The key of the caller. */
        OwnKeyRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OwnKey"];
            };
        };
        /** @description The requests of the key. */
        OwnRequestsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OwnRequestList"];
            };
        };
        /** @description The request. */
        OwnRequestRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OwnRequest"];
            };
        };
        /** @description The request does not exist, is not recorded yet, or was deleted after its retention. */
        RequestNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The usage of the key, by group. */
        OwnUsageRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UsageList"];
            };
        };
        /** @description The vectors, in the order of the inputs. */
        CohereEmbeddingsCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-cache": components["headers"]["Cache"];
                "x-gateway-space": components["headers"]["Space"];
                "x-gateway-input-type": components["headers"]["InputType"];
                "x-gateway-converted-images": components["headers"]["ConvertedImages"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateCohereEmbeddingResponse"];
            };
        };
        /** @description The request is invalid, or the upstream rejected it. The message names the parameter, and says what is expected. */
        CohereRequestRejected: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "Missing required parameter: 'input'."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The key is missing or invalid. */
        CohereUnauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "www-authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "Incorrect API key provided."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The key may not call this model. */
        CohereModelNotAllowed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "This key may not call the model `gpt-image-2`."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The model does not exist. */
        CohereModelNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The model `gpt-9` does not exist or you do not have access to it. GET /v1/models lists the models that you can call."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The request did not arrive completely in time. The gateway closes the connection. The error has either shape, because the gateway may not know the path yet. */
        CohereRequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The request did not arrive in time."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"] | components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The vectors would belong to another space than `x-gateway-space` requests. The message says what differs. */
        CohereSpaceMismatch: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The request asks for vectors of the space '5d2f0c9be1a4:1536:document', but they would be of '5d2f0c9be1a4:1536:query': the input type is 'query' instead of 'document'."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The body, after decompression, a file or a form field exceeds its size limit. The message states the limit. */
        CohereContentTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The request body is larger than the limit of 33554432 bytes."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The operation does not support this content type or content encoding. */
        CohereUnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "Unsupported content type 'text/plain'. This operation takes 'application/json'."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description A rate limit, a budget or an upstream quota is exhausted. Retry after `retry-after`, if it is present. */
        CohereTooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The upstream is throttling requests for this model. Try again in 2 s."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The gateway failed. Report the problem with its `x-request-id`. */
        CohereInternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The gateway had an error while processing your request."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The upstream failed, refused the gateway's own key, or sent an invalid reply. */
        CohereBadGateway: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The upstream failed with status 500."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The model or the database is unavailable at the moment, or the gateway is overloaded. Retry after `retry-after`. */
        CohereServiceUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "Nothing listens at the upstream's address."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The upstream did not reply in time, or the time of `x-gateway-timeout-ms` is over. */
        CohereGatewayTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The upstream did not reply within 60 s."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The vectors, in the order of the inputs. */
        OllamaEmbeddingsCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-cache": components["headers"]["Cache"];
                "x-gateway-space": components["headers"]["Space"];
                "x-gateway-input-type": components["headers"]["InputType"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateOllamaEmbeddingResponse"];
            };
        };
        /** @description The request is invalid, or the upstream rejected it. The message names the parameter, and says what is expected. */
        OllamaRequestRejected: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Missing required parameter: 'input'."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The key is missing or invalid. */
        OllamaUnauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "www-authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Incorrect API key provided."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The key may not call this model. */
        OllamaModelNotAllowed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "This key may not call the model `gpt-image-2`."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The model does not exist. */
        OllamaModelNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The model `gpt-9` does not exist or you do not have access to it. GET /v1/models lists the models that you can call."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The request did not arrive completely in time. The gateway closes the connection. The error has either shape, because the gateway may not know the path yet. */
        OllamaRequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The request did not arrive in time."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"] | components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The vectors would belong to another space than `x-gateway-space` requests. The message says what differs. */
        OllamaSpaceMismatch: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The request asks for vectors of the space '5d2f0c9be1a4:1536:document', but they would be of '5d2f0c9be1a4:1536:query': the input type is 'query' instead of 'document'."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The body, after decompression, a file or a form field exceeds its size limit. The message states the limit. */
        OllamaContentTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The request body is larger than the limit of 33554432 bytes."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The operation does not support this content type or content encoding. */
        OllamaUnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unsupported content type 'text/plain'. This operation takes 'application/json'."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description A rate limit, a budget or an upstream quota is exhausted. Retry after `retry-after`, if it is present. */
        OllamaTooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["OptionalShouldRetry"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The upstream is throttling requests for this model. Try again in 2 s."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The gateway failed. Report the problem with its `x-request-id`. */
        OllamaInternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The gateway had an error while processing your request."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The upstream failed, refused the gateway's own key, or sent an invalid reply. */
        OllamaBadGateway: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The upstream failed with status 500."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The model or the database is unavailable at the moment, or the gateway is overloaded. Retry after `retry-after`. */
        OllamaServiceUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["OptionalRetryAfter"];
                "retry-after-ms": components["headers"]["OptionalRetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Nothing listens at the upstream's address."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The upstream did not reply in time, or the time of `x-gateway-timeout-ms` is over. */
        OllamaGatewayTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The upstream did not reply within 60 s."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The vector. */
        OllamaEmbeddingCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-queue-place": components["headers"]["QueuePlace"];
                deprecation: components["headers"]["ModelDeprecation"];
                sunset: components["headers"]["Sunset"];
                "x-gateway-cache": components["headers"]["Cache"];
                "x-gateway-space": components["headers"]["Space"];
                "x-gateway-input-type": components["headers"]["InputType"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimitLimitRequests"];
                "x-ratelimit-remaining-requests": components["headers"]["RateLimitRemainingRequests"];
                "x-ratelimit-reset-requests": components["headers"]["RateLimitResetRequests"];
                "x-ratelimit-limit-tokens": components["headers"]["RateLimitLimitTokens"];
                "x-ratelimit-remaining-tokens": components["headers"]["RateLimitRemainingTokens"];
                "x-ratelimit-reset-tokens": components["headers"]["RateLimitResetTokens"];
                "x-ratelimit-limit-images": components["headers"]["RateLimitLimitImages"];
                "x-ratelimit-remaining-images": components["headers"]["RateLimitRemainingImages"];
                "x-ratelimit-reset-images": components["headers"]["RateLimitResetImages"];
                "x-gateway-budget-remaining": components["headers"]["BudgetRemaining"];
                "x-gateway-budget-reset": components["headers"]["BudgetReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateOllamaEmbeddingLegacyResponse"];
            };
        };
        /** @description The embedding models. */
        OllamaModelsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OllamaModelList"];
            };
        };
        /** @description The request is invalid. The message names the parameter, and says what is expected. */
        OllamaBadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Missing required parameter: 'input'."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The database is unavailable at the moment. Retry after `retry-after`. */
        OllamaStorageUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The gateway's database cannot be reached. Retry in a moment."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The embedding model. */
        OllamaModelRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OllamaModelDescription"];
            };
        };
        /** @description The embedding models that can serve requests now. */
        OllamaRunningModelsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OllamaRunningModelList"];
            };
        };
        /** @description The version. */
        OllamaVersionRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OllamaVersion"];
            };
        };
        /** @description The process is running. */
        Healthy: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Health"];
            };
        };
        /** @description The gateway can serve requests. */
        Ready: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Readiness"];
            };
        };
        /** @description The gateway cannot serve requests at the moment. */
        NotReady: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Readiness"];
            };
        };
        /** @description The keys. */
        KeysListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                "x-next-cursor": components["headers"]["NextCursor"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyList"];
                "text/csv": string;
            };
        };
        /** @description The key is not an operator's, or the operator's role does not allow the operation. */
        AdminKeyRequired: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The new key, with its secret. */
        KeyCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreatedKey"];
            };
        };
        /** @description The current state of the key. */
        KeyRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessKey"];
            };
        };
        /** @description The key does not exist. */
        KeyNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The revoked key. */
        KeyRevoked: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessKey"];
            };
        };
        /** @description The configuration file defines the key. */
        KeyInFile: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key is revoked, or the configuration file defines it. */
        KeyUnchangeable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key, with its new secret. */
        KeyRotated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreatedKey"];
            };
        };
        /** @description The key is revoked, the configuration file defines it, or too many of its earlier secrets still work. */
        KeyNotRotated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The usage, by group. */
        UsageRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UsageList"];
                "text/csv": string;
            };
        };
        /** @description The requests. */
        RequestsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                "x-next-cursor": components["headers"]["NextCursor"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestList"];
                "text/csv": string;
            };
        };
        /** @description The record of the request. */
        RequestRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestRecord"];
            };
        };
        /** @description The batches. */
        AdminBatchesListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AdminBatchList"];
            };
        };
        /** @description The batch. */
        AdminBatchRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AdminBatch"];
            };
        };
        /** @description The batch. */
        AdminBatchCancelled: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AdminBatch"];
            };
        };
        /** @description A page of jobs. */
        AdminJobsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AdminJobList"];
            };
        };
        /** @description The job, without its response. */
        AdminJobRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AdminJob"];
            };
        };
        /** @description The job. It may still be `in_progress` for a moment. */
        AdminJobCancelled: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AdminJob"];
            };
        };
        /** @description The models, each with its targets. */
        AdminModelsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AdminModelList"];
            };
        };
        /** @description The upstreams. */
        UpstreamsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UpstreamList"];
            };
        };
        /** @description The result of the trial, whether it succeeded or failed. */
        UpstreamTried: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UpstreamTrial"];
            };
        };
        /** @description The key is not an operator's, or the operator's role does not allow the operation. Or the configuration does not allow changes of upstreams. */
        TrialNotAllowed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There were too many attempts, or there are too many readers or trials. Retry after `retry-after`. */
        AdminTooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The providers. */
        ProvidersListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProviderList"];
            };
        };
        /** @description The alerts. */
        AlertsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Alerts"];
            };
        };
        /** @description The new session, with its secret. */
        SessionCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreatedSession"];
            };
        };
        /** @description The key is missing or invalid, or the one-time code was used already or has expired. */
        SignInRefused: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "www-authenticate": components["headers"]["WwwAuthenticate"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The one-time code was sent from another machine, through a proxy, or for another host. Or the operator's role allows no session. */
        SignInCodeNotLocal: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The session. */
        SessionRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Session"];
            };
        };
        /** @description The session has ended. */
        SessionEnded: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndedSession"];
            };
        };
        /** @description The new code. */
        SignInCodeCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInCode"];
            };
        };
        /** @description The request has a caller's key or a session, and not the admin key. Or it came from another machine, through a proxy, or for another host. */
        SignInCodeNotCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The result of the call, whether it succeeded or failed. */
        TargetProbed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Probe"];
            };
        };
        /** @description The model does not exist. */
        AdminModelNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The comparison. */
        TargetsCompared: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SpaceComparison"];
            };
        };
        /** @description The new revision. */
        SpaceAccepted: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SpaceRevision"];
            };
        };
        /** @description The vectors of the target have not drifted, or are not checked. */
        SpaceNotDrifted: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The configuration. */
        ConfigurationRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Configuration"];
            };
        };
        /** @description The change, whether it was applied or not. */
        ConfigurationChanged: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConfigurationChange"];
            };
        };
        /** @description The configuration file has changed since the `version` of the request. */
        ConfigurationConflict: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The events, as they happen. */
        EventsStreamed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-accel-buffering": components["headers"]["AdminAccelBuffering"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "text/event-stream": components["schemas"]["GatewayEvent"];
            };
        };
        /** @description The metrics. */
        MetricsRead: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "content-encoding": components["headers"]["ContentEncoding"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description 2xx: the receiver has the event. Any other status, and no reply within ten seconds, means that it is sent again later. */
        WebhookReceived: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        MethodNotAllowedPost: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        VoyageMethodNotAllowedPost: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The method PUT is not allowed here; use POST."
                 *     }
                 */
                "application/json": components["schemas"]["VoyageErrorResponse"];
            };
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        MethodNotAllowedGet: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        MethodNotAllowedGetPost: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        MethodNotAllowedGetDelete: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        CohereMethodNotAllowedPost: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e",
                 *       "message": "The method PUT is not allowed here; use POST."
                 *     }
                 */
                "application/json": components["schemas"]["CohereErrorResponse"];
            };
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        OllamaMethodNotAllowedPost: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The method PUT is not allowed here; use POST."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        OllamaMethodNotAllowedGet: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The method PUT is not allowed here; use GET."
                 *     }
                 */
                "application/json": components["schemas"]["OllamaErrorResponse"];
            };
        };
        /** @description The path does not support this method. The `allow` header lists the methods that it supports. */
        MethodNotAllowedGetPatchDelete: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "access-control-allow-origin": components["headers"]["AllowOrigin"];
                "access-control-expose-headers": components["headers"]["ExposeHeaders"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                /** @description The methods that this path supports, separated by commas. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /**
         * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
         *     The header has no effect on a model without a cache.
         * @example no-cache
         */
        CacheControl: string;
        /**
         * @description The name of an upstream. The request goes only to the model's targets at this upstream, and its vectors
         *     are neither read from the cache nor stored in it. Only an operator's session may send it. A model without a target
         *     there is a 400.
         * @example openai
         */
        TargetUpstream: string;
        /**
         * @description The name of the model at the upstream of `x-gateway-target`. The request goes only to this target. Without it, and if the
         *     upstream serves the model under several names, any of them may be called. Only an operator's session may send it, and
         *     only with `x-gateway-target`.
         * @example text-embedding-3-small
         */
        TargetModel: string;
        /**
         * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
         *     belong to another space is refused with 409, so that they never get into your index.
         * @example 5d2f0c9be1a4:1536:document
         */
        ExpectedSpace: string;
        /**
         * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
         *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
         * @example bulk
         */
        Priority: "interactive" | "bulk";
        /**
         * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
         *     the time is over, the response is a 504.
         * @example 10000
         */
        TimeoutMs: number;
        /**
         * @description The id of the model, percent-encoded.
         * @example gte-small
         */
        ModelInPath: components["schemas"]["ModelId"];
        /**
         * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
         *     the stored response of the first request: no image is created or paid for twice. If the first request is still
         *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
         *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
         *
         *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
         *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
         *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
         * @example order-1234-image-1
         */
        IdempotencyKey: string;
        /**
         * @description `respond-async`: the request becomes a job. It is checked at once, and refused as any other request; then the response
         *     is a 202 with a job, whose `response` is the body that this request would have had. Use it where a proxy cuts slow
         *     responses. A job cannot be streamed. Other preferences are ignored.
         *     [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
         * @example respond-async
         */
        Prefer: string;
        /**
         * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
         *     Without this header, one failed image fails the whole request.
         * @example allow
         */
        PartialImages: "allow";
        /**
         * @description The file name, as in the link.
         * @example 6f1f3530a1a2324b19752018ce756088.png
         */
        ImageFileInPath: string;
        /**
         * @description When the link expires, in Unix seconds. Part of the link.
         * @example 1787153686
         */
        LinkExpiry: string;
        /**
         * @description The proof that this gateway issued the link. Part of the link.
         * @example 8sWp3r9Zc5cYb0O2yq3mXw
         */
        LinkSignature: string;
        /**
         * @description The byte range to return, such as `bytes=0-1023`.
         * @example bytes=0-1023
         */
        Range: string;
        /**
         * @description The `etag` of an earlier response, or several. If the file has one of them, the response is a 304 without the bytes.
         * @example "6f1f3530a1a2324b19752018ce756088.png"
         */
        IfNoneMatch: string;
        /**
         * @description Only files with this purpose.
         * @example batch
         */
        FilePurposeFilter: "batch" | "batch_output";
        /**
         * @description The order by time of creation. `desc` has the newest first.
         * @example desc
         */
        FileOrder: "asc" | "desc";
        /**
         * @description The maximum number of files in the response.
         * @example 100
         */
        FileLimit: number;
        /**
         * @description The `last_id` of the previous page. The list goes on after it.
         * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
         */
        AfterFile: string;
        /**
         * @description The id of the file.
         * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
         */
        FileInPath: string;
        /**
         * @description The `last_id` of the previous page. Without it, the list starts with the newest batch.
         * @example batch_6f1f3530a1a2324b19752018
         */
        AfterBatch: string;
        /**
         * @description The maximum number of batches in the response.
         * @example 20
         */
        BatchPageSize: number;
        /**
         * @description Only batches in this state.
         * @example in_progress
         */
        BatchStatusFilter: components["schemas"]["BatchStatus"];
        /**
         * @description The id of the batch.
         * @example batch_6f1f3530a1a2324b19752018
         */
        BatchInPath: string;
        /**
         * @description The `next_cursor` of the previous page. Without it, the list starts with its first entry. Keep the other parameters the same from page to page.
         * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
         */
        Cursor: string;
        /**
         * @description The maximum number of entries in the response.
         * @example 100
         */
        Limit: number;
        /**
         * @description Only jobs with this status.
         * @example failed
         */
        JobStatusFilter: components["schemas"]["JobStatus"];
        /**
         * @description The id of the job.
         * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
         */
        JobInPath: string;
        /**
         * @description `wait=30`: the response comes when the job has ended, or after so many seconds, at most 60. Other preferences are
         *     ignored. [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
         * @example wait=30
         */
        PreferWait: string;
        /**
         * @description The start of the time range, in Unix seconds. Inclusive.
         * @example 1787097600
         */
        From: number;
        /**
         * @description The end of the time range, in Unix seconds. Exclusive.
         * @example 1787184000
         */
        To: number;
        /**
         * @description `true` for requests with a status of 400 or above only. A request whose caller disconnected has status 499 and is
         *     not one of them.
         * @example true
         */
        OwnFailedFilter: true;
        /**
         * @description Only requests of the batch with this id.
         * @example batch_6f1f3530a1a2324b19752018
         */
        BatchFilter: string;
        /**
         * @description Only the request of the image job with this id.
         * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
         */
        RequestJobFilter: string;
        /**
         * @description The id of the request, as in the `x-request-id` header of its response.
         * @example req_a3d50a6faea5e691c607f0a4902c56ab
         */
        RequestInPath: string;
        /**
         * @description The groupings, separated by commas. `day` and `hour` exclude each other. `batch` leaves out requests that are not lines of a batch. Without it, all requests form one group.
         * @example [
         *       "model",
         *       "day"
         *     ]
         */
        OwnGroupBy: ("model" | "operation" | "batch" | "day" | "hour")[];
        /**
         * @description Only requests for this model.
         * @example gte-small
         */
        ModelFilter: string;
        /**
         * @description The name of the deployment, percent-encoded. It is the id of a model.
         * @example gte-small
         */
        DeploymentInPath: components["schemas"]["ModelId"];
        /**
         * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
         * @example 2024-10-21
         */
        ApiVersion: string;
        /**
         * @description Adds the number of targets in each state, regardless of its value. With the admin key it also adds the state of every
         *     target. A request that has it twice is refused with 400.
         * @example
         */
        Verbose: string;
        /**
         * @description Only keys with this text in their name, in their owner or in the last four characters of their secret. The case of the
         *     letters A to Z is ignored.
         * @example search
         */
        KeySearch: string;
        /**
         * @description Only keys with this status.
         * @example active
         */
        KeyStatusFilter: components["schemas"]["KeyStatus"];
        /**
         * @description The property to sort by; keys with the same value are sorted by their id. Names are compared byte by byte, with the
         *     letters A to Z as lower case. A key of the configuration file counts as older than all others, and a key that was never
         *     used as used before all others.
         * @example created_at
         */
        KeySort: "created_at" | "name" | "last_used_at" | "spent_usd";
        /**
         * @description The direction of the sort. `desc` has the newest, the largest, or the last in the alphabet first.
         * @example desc
         */
        SortOrder: "asc" | "desc";
        /**
         * @description The id of the key.
         * @example key_6f1f3530a1a2324b19752018
         */
        KeyInPath: components["schemas"]["KeyId"];
        /**
         * @description The groupings, separated by commas. At most one of `month`, `day` and `hour`. `batch` leaves out requests that are not lines of a batch. Without it, all requests form one group.
         * @example [
         *       "key",
         *       "day"
         *     ]
         */
        GroupBy: ("key" | "model" | "operation" | "owner" | "upstream" | "batch" | "month" | "day" | "hour")[];
        /**
         * @description A calendar day or month in UTC, as for budgets: the cost of a key in `this_month` is what counts against its monthly
         *     budget. Excludes `from` and `to`.
         * @example this_month
         */
        Period: "today" | "yesterday" | "this_month" | "last_month";
        /**
         * @description Only requests of keys whose current owner is this person or team. Revoked keys count as well. The owner is compared
         *     letter for letter.
         * @example search@example.com
         */
        OwnerFilter: string;
        /**
         * @description Only requests that used the key with this id.
         * @example key_6f1f3530a1a2324b19752018
         */
        KeyFilter: string;
        /**
         * @description `true` for requests that operators sent in the console and that the gateway sent itself only, such as trials of targets
         *     and comparisons of vectors. `false` for the requests of API keys only.
         * @example false
         */
        InternalFilter: boolean;
        /**
         * @description Only requests for this operation.
         * @example createEmbedding
         */
        OperationFilter: "createEmbedding" | "createEmbeddingLegacy" | "createImage" | "createImageEdit" | "listModels" | "retrieveModel";
        /**
         * @description Only requests whose last call went to the upstream with this name.
         * @example local
         */
        UpstreamFilter: string;
        /**
         * @description `false` for requests only that named no model, or one that the gateway never had. `true` for the others only.
         * @example false
         */
        HasModelFilter: boolean;
        /**
         * @description Only requests whose response had this status.
         * @example 429
         */
        StatusFilter: number;
        /**
         * @description `true` for requests with a status of 400 or above only, `false` for the others only. A request whose caller
         *     disconnected has status 499 and counts as one of the others.
         * @example true
         */
        FailedFilter: boolean;
        /**
         * @description `true` for requests that succeeded although an upstream call failed: another call, most often to another target, saved
         *     them. `false` for the others only.
         * @example true
         */
        RecoveredFilter: boolean;
        /**
         * @description Only requests that succeeded after a call to this upstream had failed first.
         * @example openai
         */
        RecoveredFromFilter: string;
        /**
         * @description Only requests that failed with this error code.
         * @example rate_limit_exceeded
         */
        ErrorCodeFilter: string;
        /**
         * @description Only embedding requests with this result of the cache: all vectors came from it (`hit`), some (`partial`) or none
         *     (`miss`).
         * @example hit
         */
        CacheFilter: "hit" | "partial" | "miss";
        /**
         * @description Only requests that took at least this many milliseconds.
         * @example 1000
         */
        MinDurationFilter: number;
        /**
         * @description Only batches of the key with this id.
         * @example key_6f1f3530a1a2324b19752018
         */
        BatchKeyFilter: string;
        /**
         * @description Only jobs of the key with this id.
         * @example key_6f1f3530a1a2324b19752018
         */
        JobKeyFilter: string;
        /**
         * @description How many events are sent before the stream ends. Without it, the stream does not end by itself.
         * @example 1
         */
        EventLimit: number;
        /** @description Identifies the event. It stays the same when the event is sent again, so that receivers can ignore a repetition. */
        WebhookId: string;
        /** @description When this attempt was made, in Unix seconds. Refuse a request that is older than five minutes. */
        WebhookTimestamp: number;
        /**
         * @description `v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64, as in Standard Webhooks. The key is
         *     the secret of the webhook, decoded from base64.
         */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request. Quote it when you report a problem. */
        RequestId: string;
        /** @description Scripts of every origin may read the response. A key protects it, never a cookie. */
        AllowOrigin: "*";
        /** @description The headers that scripts in a browser may read, in addition to those that every script may read. */
        ExposeHeaders: string;
        /**
         * @description The upstream that served the request, or that failed last. Absent if no upstream was called. The operator can disable
         *     this header.
         */
        Upstream: string;
        /** @description How many upstream calls the request took. The operator can disable this header. */
        Attempts: number;
        /**
         * @description Only for requests of the priority `bulk`: the place in the queue when the request began to wait for the capacity of an
         *     upstream, `1` for the first. Of several batches, the last place. `0` if it did not have to wait.
         */
        QueuePlace: number;
        /** @description When the model was deprecated, in the format of RFC 9745. Present from 60 days before the end of the model. */
        ModelDeprecation: string;
        /** @description When the model shuts down, in the format of RFC 8594. Present from 60 days before that day. */
        Sunset: string;
        /**
         * @description How many of the vectors came from the gateway's cache. `hit`: all. `partial`: some. `miss`: none. Absent if the model
         *     has no cache.
         */
        Cache: "hit" | "partial" | "miss";
        /**
         * @description The id of the vector space of this response: vectors with the same id may be stored in one index. It has the parts
         *     `space:width:input_type`, without the last one if there is no input type. The first part is `space` of the model in
         *     `GET /v1/models`. With parameters that are passed through, a digest of them follows. If `output_dtype` is any other
         *     than `float`, it follows the width: `1536-ubinary`. Send the id in `x-gateway-space` to get vectors of this space only.
         */
        Space: string;
        /**
         * @description The applied `input_type`, percent-encoded: that of the request, or else the default of the model. Absent if neither
         *     exists.
         */
        InputType: string;
        /** @description How many input images the gateway converted, because the upstream does not take their format. Absent if there are none. */
        ConvertedImages: number;
        /**
         * @description The limit on requests in a minute or a day. If several limits apply, this is the one with the least left. Absent if
         *     requests are not limited.
         */
        RateLimitLimitRequests: number;
        /** @description How many requests are left under `x-ratelimit-limit-requests`. */
        RateLimitRemainingRequests: number;
        /** @description How long until the count of `x-ratelimit-limit-requests` starts again, as a duration such as `12ms`, `1.5s` or `6m0s`. */
        RateLimitResetRequests: string;
        /**
         * @description The limit on input tokens in a minute or a day. If several limits apply, this is the one with the least left. Absent
         *     if input tokens are not limited.
         */
        RateLimitLimitTokens: number;
        /** @description How many input tokens are left under `x-ratelimit-limit-tokens`. */
        RateLimitRemainingTokens: number;
        /** @description How long until the count of `x-ratelimit-limit-tokens` starts again, as a duration such as `12ms`, `1.5s` or `6m0s`. */
        RateLimitResetTokens: string;
        /**
         * @description The limit on images in a minute or a day. If several limits apply, this is the one with the least left. Absent if
         *     images are not limited.
         */
        RateLimitLimitImages: number;
        /** @description How many images are left under `x-ratelimit-limit-images`. */
        RateLimitRemainingImages: number;
        /** @description How long until the count of `x-ratelimit-limit-images` starts again, as a duration such as `12ms`, `1.5s` or `6m0s`. */
        RateLimitResetImages: string;
        /**
         * @description The rest of the key's budget, in US dollars, without the money that is reserved for requests in flight. Absent if the
         *     key has no budget.
         */
        BudgetRemaining: number;
        /** @description How long until the budget of `x-gateway-budget-remaining` is renewed, as a duration such as `6m0s` or `340h12m3s`. */
        BudgetReset: string;
        /** @description `false`: do not retry. The same request would fail again. */
        ShouldRetry: "false";
        /** @description The authentication scheme that the gateway expects. */
        WwwAuthenticate: string;
        /**
         * @description `false`: do not retry. The same request would fail again, would have to wait for more than a minute, or might pay for
         *     the same images twice.
         */
        OptionalShouldRetry: "false";
        /** @description Seconds to wait before a retry. Absent if a retry cannot succeed, or might pay for the same images twice. */
        OptionalRetryAfter: number;
        /** @description The value of `retry-after` in milliseconds. */
        OptionalRetryAfterMs: number;
        /** @description When this path was deprecated, in the format of RFC 9745. */
        Deprecation: string;
        /** @description The path that replaces this one. */
        SuccessorLink: string;
        /**
         * @description The model that created the images, percent-encoded. Sent only if it is the fallback of the requested model, because no
         *     upstream of that model could serve the request.
         */
        ServedModel: string;
        /** @description `true`: this is the stored response to an earlier request with the same `Idempotency-Key`. */
        IdempotentReplayed: "true";
        /** @description How many images could not be created. Sent only with `x-gateway-partial: allow`, and only if some failed. */
        FailedImages: number;
        /**
         * @description The content credentials (C2PA) of the images. `preserved`: an image has them, with the bytes that the upstream signed.
         *     `removed`: a conversion by the gateway has removed those of an image. `none`: the upstream's images had none. Absent in
         *     a stream, whose headers are sent before its images; the record of the request has the same word.
         */
        ContentCredentials: "preserved" | "removed" | "none";
        /** @description Caches must not store a stream of events, nor change it. Sent with `text/event-stream` only. */
        StreamCacheControl: "no-cache, no-transform";
        /** @description `no`: nginx must pass the events on as they come. Sent with `text/event-stream` only. */
        AccelBuffering: "no";
        /** @description The path of the job. */
        JobLocation: string;
        /** @description Seconds to wait before the job is looked at. */
        JobRetryAfter: number;
        /** @description `respond-async`: the preference that was followed. */
        PreferenceApplied: "respond-async";
        /** @description The gateway serves parts of the file on request. */
        AcceptRanges: "bytes";
        /** @description How long a browser may cache the image. */
        FileCacheControl: string;
        /** @description The version of the file. It never changes, so that it is in `if-none-match` of a later request. */
        ETag: string;
        /** @description Browsers show the image, and save it under the file name of the link. They only save an SVG, which could hold scripts. */
        ContentDisposition: string;
        /** @description Browsers run nothing that the file contains. */
        ContentSecurityPolicy: string;
        /** @description Browsers must trust the content type and not guess another. */
        ContentTypeOptions: "nosniff";
        /** @description The byte range in the body, and the size of the whole file. */
        ContentRange: string;
        /** @description Seconds to wait before a retry. */
        RetryAfter: number;
        /** @description The value of `retry-after` in milliseconds. */
        RetryAfterMs: number;
        /** @description Caches must not store the file. */
        PrivateCacheControl: "no-store";
        /** @description Browsers save the file under the name of its upload. */
        FileContentDisposition: string;
        /** @description How the body is compressed, for clients that send `accept-encoding: gzip`. Absent below 4 KB. */
        ContentEncoding: "gzip";
        /** @description Caches must not store responses of the admin API. */
        NoStore: "no-store";
        /** @description Caches must not store responses of the admin API. Absent if the request was refused before its key was read. */
        OptionalNoStore: "no-store";
        /** @description The preference that was followed, with the seconds that the gateway was ready to wait. Absent without one. */
        WaitApplied: string;
        /** @description The value of `next_cursor`, for CSV responses. Absent on the last page. */
        NextCursor: string;
        /** @description `no`: nginx must pass the events on as they come. */
        AdminAccelBuffering: "no";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
                 *     The header has no effect on a model without a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description The name of an upstream. The request goes only to the model's targets at this upstream, and its vectors
                 *     are neither read from the cache nor stored in it. Only an operator's session may send it. A model without a target
                 *     there is a 400.
                 * @example openai
                 */
                "x-gateway-target"?: components["parameters"]["TargetUpstream"];
                /**
                 * @description The name of the model at the upstream of `x-gateway-target`. The request goes only to this target. Without it, and if the
                 *     upstream serves the model under several names, any of them may be called. Only an operator's session may send it, and
                 *     only with `x-gateway-target`.
                 * @example text-embedding-3-small
                 */
                "x-gateway-target-model"?: components["parameters"]["TargetModel"];
                /**
                 * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
                 *     belong to another space is refused with 409, so that they never get into your index.
                 * @example 5d2f0c9be1a4:1536:document
                 */
                "x-gateway-space"?: components["parameters"]["ExpectedSpace"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEmbeddingRequest"];
            };
        };
        responses: {
            200: components["responses"]["EmbeddingsCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SpaceMismatch"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createEmbeddingLegacy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
                 *     The header has no effect on a model without a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
                 *     belong to another space is refused with 409, so that they never get into your index.
                 * @example 5d2f0c9be1a4:1536:document
                 */
                "x-gateway-space"?: components["parameters"]["ExpectedSpace"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path: {
                /**
                 * @description The id of the model, percent-encoded.
                 * @example gte-small
                 */
                model: components["parameters"]["ModelInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEmbeddingLegacyRequest"];
            };
        };
        responses: {
            200: components["responses"]["EmbeddingsCreatedLegacy"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SpaceMismatch"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createVoyageEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
                 *     The header has no effect on a model without a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
                 *     belong to another space is refused with 409, so that they never get into your index.
                 * @example 5d2f0c9be1a4:1536:document
                 */
                "x-gateway-space"?: components["parameters"]["ExpectedSpace"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVoyageEmbeddingRequest"];
            };
        };
        responses: {
            200: components["responses"]["VoyageEmbeddingsCreated"];
            400: components["responses"]["VoyageRequestRejected"];
            401: components["responses"]["VoyageUnauthorized"];
            403: components["responses"]["VoyageModelNotAllowed"];
            404: components["responses"]["VoyageModelNotFound"];
            405: components["responses"]["VoyageMethodNotAllowedPost"];
            408: components["responses"]["VoyageRequestTimeout"];
            409: components["responses"]["VoyageSpaceMismatch"];
            413: components["responses"]["VoyageContentTooLarge"];
            415: components["responses"]["VoyageUnsupportedMediaType"];
            429: components["responses"]["VoyageTooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["VoyageInternalError"];
            502: components["responses"]["VoyageBadGateway"];
            503: components["responses"]["VoyageServiceUnavailable"];
            504: components["responses"]["VoyageGatewayTimeout"];
        };
    };
    createImage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
                 *     the stored response of the first request: no image is created or paid for twice. If the first request is still
                 *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
                 *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
                 *
                 *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
                 *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
                 *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
                 * @example order-1234-image-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `respond-async`: the request becomes a job. It is checked at once, and refused as any other request; then the response
                 *     is a 202 with a job, whose `response` is the body that this request would have had. Use it where a proxy cuts slow
                 *     responses. A job cannot be streamed. Other preferences are ignored.
                 *     [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
                 * @example respond-async
                 */
                prefer?: components["parameters"]["Prefer"];
                /**
                 * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
                 *     Without this header, one failed image fails the whole request.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description The name of an upstream. The request goes only to the model's targets at this upstream, and its vectors
                 *     are neither read from the cache nor stored in it. Only an operator's session may send it. A model without a target
                 *     there is a 400.
                 * @example openai
                 */
                "x-gateway-target"?: components["parameters"]["TargetUpstream"];
                /**
                 * @description The name of the model at the upstream of `x-gateway-target`. The request goes only to this target. Without it, and if the
                 *     upstream serves the model under several names, any of them may be called. Only an operator's session may send it, and
                 *     only with `x-gateway-target`.
                 * @example text-embedding-3-small
                 */
                "x-gateway-target-model"?: components["parameters"]["TargetModel"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateImageRequest"];
            };
        };
        responses: {
            200: components["responses"]["ImagesCreated"];
            202: components["responses"]["JobCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ImageInternalError"];
            502: components["responses"]["ImageBadGateway"];
            503: components["responses"]["ImageServiceUnavailable"];
            504: components["responses"]["ImageGatewayTimeout"];
        };
    };
    createImageEdit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
                 *     the stored response of the first request: no image is created or paid for twice. If the first request is still
                 *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
                 *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
                 *
                 *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
                 *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
                 *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
                 * @example order-1234-image-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `respond-async`: the request becomes a job. It is checked at once, and refused as any other request; then the response
                 *     is a 202 with a job, whose `response` is the body that this request would have had. Use it where a proxy cuts slow
                 *     responses. A job cannot be streamed. Other preferences are ignored.
                 *     [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
                 * @example respond-async
                 */
                prefer?: components["parameters"]["Prefer"];
                /**
                 * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
                 *     Without this header, one failed image fails the whole request.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description The name of an upstream. The request goes only to the model's targets at this upstream, and its vectors
                 *     are neither read from the cache nor stored in it. Only an operator's session may send it. A model without a target
                 *     there is a 400.
                 * @example openai
                 */
                "x-gateway-target"?: components["parameters"]["TargetUpstream"];
                /**
                 * @description The name of the model at the upstream of `x-gateway-target`. The request goes only to this target. Without it, and if the
                 *     upstream serves the model under several names, any of them may be called. Only an operator's session may send it, and
                 *     only with `x-gateway-target`.
                 * @example text-embedding-3-small
                 */
                "x-gateway-target-model"?: components["parameters"]["TargetModel"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreateImageEditForm"];
                "application/json": components["schemas"]["CreateImageEditRequest"];
            };
        };
        responses: {
            200: components["responses"]["ImagesEdited"];
            202: components["responses"]["JobCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ImageInternalError"];
            502: components["responses"]["ImageBadGateway"];
            503: components["responses"]["ImageServiceUnavailable"];
            504: components["responses"]["ImageGatewayTimeout"];
        };
    };
    retrieveImageFile: {
        parameters: {
            query?: {
                /**
                 * @description When the link expires, in Unix seconds. Part of the link.
                 * @example 1787153686
                 */
                expires?: components["parameters"]["LinkExpiry"];
                /**
                 * @description The proof that this gateway issued the link. Part of the link.
                 * @example 8sWp3r9Zc5cYb0O2yq3mXw
                 */
                signature?: components["parameters"]["LinkSignature"];
            };
            header?: {
                /**
                 * @description The byte range to return, such as `bytes=0-1023`.
                 * @example bytes=0-1023
                 */
                range?: components["parameters"]["Range"];
                /**
                 * @description The `etag` of an earlier response, or several. If the file has one of them, the response is a 304 without the bytes.
                 * @example "6f1f3530a1a2324b19752018ce756088.png"
                 */
                "if-none-match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The file name, as in the link.
                 * @example 6f1f3530a1a2324b19752018ce756088.png
                 */
                file: components["parameters"]["ImageFileInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ImageFile"];
            206: components["responses"]["ImageFilePart"];
            304: components["responses"]["ImageFileNotModified"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["InvalidSignature"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["LinkExpired"];
            416: components["responses"]["RangeNotSatisfiable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ImageStoreUnavailable"];
        };
    };
    createContentProvenanceCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreateContentProvenanceCheckForm"];
            };
        };
        responses: {
            200: components["responses"]["ContentProvenanceChecked"];
            400: components["responses"]["FileFormRejected"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyFiles"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["FileFormUnavailable"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /**
                 * @description Only files with this purpose.
                 * @example batch
                 */
                purpose?: components["parameters"]["FilePurposeFilter"];
                /**
                 * @description The order by time of creation. `desc` has the newest first.
                 * @example desc
                 */
                order?: components["parameters"]["FileOrder"];
                /**
                 * @description The maximum number of files in the response.
                 * @example 100
                 */
                limit?: components["parameters"]["FileLimit"];
                /**
                 * @description The `last_id` of the previous page. The list goes on after it.
                 * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
                 */
                after?: components["parameters"]["AfterFile"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FilesListed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowedGetPost"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadFileForm"];
            };
        };
        responses: {
            200: components["responses"]["FileUploaded"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["FileQuotaExceeded"];
            405: components["responses"]["MethodNotAllowedGetPost"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["FileNotStored"];
        };
    };
    retrieveFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the file.
                 * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
                 */
                file: components["parameters"]["FileInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FileRetrieved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["FileNotFound"];
            405: components["responses"]["MethodNotAllowedGetDelete"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the file.
                 * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
                 */
                file: components["parameters"]["FileInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FileDeleted"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["FileNotFound"];
            405: components["responses"]["MethodNotAllowedGetDelete"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    retrieveFileContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The byte range to return, such as `bytes=0-1023`.
                 * @example bytes=0-1023
                 */
                range?: components["parameters"]["Range"];
            };
            path: {
                /**
                 * @description The id of the file.
                 * @example file-019e0c2b4f8a6f1f3530a1a2324b1975
                 */
                file: components["parameters"]["FileInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FileContent"];
            206: components["responses"]["FileContentPart"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["FileNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            416: components["responses"]["RangeNotSatisfiable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["FileStoreUnavailable"];
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /**
                 * @description The `last_id` of the previous page. Without it, the list starts with the newest batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                after?: components["parameters"]["AfterBatch"];
                /**
                 * @description The maximum number of batches in the response.
                 * @example 20
                 */
                limit?: components["parameters"]["BatchPageSize"];
                /**
                 * @description Only batches in this state.
                 * @example in_progress
                 */
                status?: components["parameters"]["BatchStatusFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BatchesListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            405: components["responses"]["MethodNotAllowedGetPost"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    createBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBatchRequest"];
            };
        };
        responses: {
            200: components["responses"]["BatchCreated"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["BatchHasNoRoom"];
            404: components["responses"]["BatchInputNotFound"];
            405: components["responses"]["MethodNotAllowedGetPost"];
            408: components["responses"]["AdminRequestTimeout"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            429: components["responses"]["BatchRefused"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["BatchNotStored"];
        };
    };
    retrieveBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch: components["parameters"]["BatchInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BatchRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            404: components["responses"]["BatchNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch: components["parameters"]["BatchInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BatchCancelled"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            404: components["responses"]["BatchNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["BatchEnded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the previous page. Without it, the list starts with its first entry. Keep the other parameters the same from page to page.
                 * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of entries in the response.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only jobs with this status.
                 * @example failed
                 */
                status?: components["parameters"]["JobStatusFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["JobsListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `wait=30`: the response comes when the job has ended, or after so many seconds, at most 60. Other preferences are
                 *     ignored. [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
                 * @example wait=30
                 */
                prefer?: components["parameters"]["PreferWait"];
            };
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["JobRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            404: components["responses"]["JobNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["JobUnavailable"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["JobCancelled"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            404: components["responses"]["JobNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    createAsyncImage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
                 *     the stored response of the first request: no image is created or paid for twice. If the first request is still
                 *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
                 *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
                 *
                 *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
                 *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
                 *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
                 * @example order-1234-image-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
                 *     Without this header, one failed image fails the whole request.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateImageRequest"];
            };
        };
        responses: {
            202: components["responses"]["AsyncImageJobCreated"];
            400: components["responses"]["JobRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyJobs"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["JobNotStored"];
        };
    };
    retrieveAsyncImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AsyncImageJobRetrieved"];
            202: components["responses"]["AsyncImageJobPending"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            404: components["responses"]["JobNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["JobUnavailable"];
        };
    };
    createAsyncImageEdit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
                 *     the stored response of the first request: no image is created or paid for twice. If the first request is still
                 *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
                 *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
                 *
                 *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
                 *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
                 *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
                 * @example order-1234-image-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
                 *     Without this header, one failed image fails the whole request.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreateImageEditForm"];
                "application/json": components["schemas"]["CreateImageEditRequest"];
            };
        };
        responses: {
            202: components["responses"]["AsyncImageJobCreated"];
            400: components["responses"]["JobRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyJobs"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["JobNotStored"];
        };
    };
    retrieveAsyncImageEdit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AsyncImageJobRetrieved"];
            202: components["responses"]["AsyncImageJobPending"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            404: components["responses"]["JobNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["JobUnavailable"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ModelsListed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    retrieveModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the model, percent-encoded.
                 * @example gte-small
                 */
                model: components["parameters"]["ModelInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ModelRetrieved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    retrieveOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OwnKeyRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listOwnRequests: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the previous page. Without it, the list starts with its first entry. Keep the other parameters the same from page to page.
                 * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of entries in the response.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The start of the time range, in Unix seconds. Inclusive.
                 * @example 1787097600
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The end of the time range, in Unix seconds. Exclusive.
                 * @example 1787184000
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description `true` for requests with a status of 400 or above only. A request whose caller disconnected has status 499 and is
                 *     not one of them.
                 * @example true
                 */
                failed?: components["parameters"]["OwnFailedFilter"];
                /**
                 * @description Only requests of the batch with this id.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch?: components["parameters"]["BatchFilter"];
                /**
                 * @description Only the request of the image job with this id.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job?: components["parameters"]["RequestJobFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OwnRequestsListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveOwnRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the request, as in the `x-request-id` header of its response.
                 * @example req_a3d50a6faea5e691c607f0a4902c56ab
                 */
                request_id: components["parameters"]["RequestInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OwnRequestRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            404: components["responses"]["RequestNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveOwnUsage: {
        parameters: {
            query?: {
                /**
                 * @description The groupings, separated by commas. `day` and `hour` exclude each other. `batch` leaves out requests that are not lines of a batch. Without it, all requests form one group.
                 * @example [
                 *       "model",
                 *       "day"
                 *     ]
                 */
                group_by?: components["parameters"]["OwnGroupBy"];
                /**
                 * @description The start of the time range, in Unix seconds. Inclusive.
                 * @example 1787097600
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The end of the time range, in Unix seconds. Exclusive.
                 * @example 1787184000
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Only requests for this model.
                 * @example gte-small
                 */
                model?: components["parameters"]["ModelFilter"];
                /**
                 * @description Only requests of the batch with this id.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch?: components["parameters"]["BatchFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OwnUsageRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    createCohereEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
                 *     The header has no effect on a model without a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
                 *     belong to another space is refused with 409, so that they never get into your index.
                 * @example 5d2f0c9be1a4:1536:document
                 */
                "x-gateway-space"?: components["parameters"]["ExpectedSpace"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCohereEmbeddingRequest"];
            };
        };
        responses: {
            200: components["responses"]["CohereEmbeddingsCreated"];
            400: components["responses"]["CohereRequestRejected"];
            401: components["responses"]["CohereUnauthorized"];
            403: components["responses"]["CohereModelNotAllowed"];
            404: components["responses"]["CohereModelNotFound"];
            405: components["responses"]["CohereMethodNotAllowedPost"];
            408: components["responses"]["CohereRequestTimeout"];
            409: components["responses"]["CohereSpaceMismatch"];
            413: components["responses"]["CohereContentTooLarge"];
            415: components["responses"]["CohereUnsupportedMediaType"];
            429: components["responses"]["CohereTooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["CohereInternalError"];
            502: components["responses"]["CohereBadGateway"];
            503: components["responses"]["CohereServiceUnavailable"];
            504: components["responses"]["CohereGatewayTimeout"];
        };
    };
    createAzureDeploymentEmbedding: {
        parameters: {
            query?: {
                /**
                 * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
                 * @example 2024-10-21
                 */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            header?: {
                /**
                 * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
                 *     The header has no effect on a model without a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
                 *     belong to another space is refused with 409, so that they never get into your index.
                 * @example 5d2f0c9be1a4:1536:document
                 */
                "x-gateway-space"?: components["parameters"]["ExpectedSpace"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path: {
                /**
                 * @description The name of the deployment, percent-encoded. It is the id of a model.
                 * @example gte-small
                 */
                model: components["parameters"]["DeploymentInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDeploymentEmbeddingRequest"];
            };
        };
        responses: {
            200: components["responses"]["EmbeddingsCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SpaceMismatch"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createAzureDeploymentImage: {
        parameters: {
            query?: {
                /**
                 * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
                 * @example 2024-10-21
                 */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            header?: {
                /**
                 * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
                 *     the stored response of the first request: no image is created or paid for twice. If the first request is still
                 *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
                 *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
                 *
                 *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
                 *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
                 *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
                 * @example order-1234-image-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `respond-async`: the request becomes a job. It is checked at once, and refused as any other request; then the response
                 *     is a 202 with a job, whose `response` is the body that this request would have had. Use it where a proxy cuts slow
                 *     responses. A job cannot be streamed. Other preferences are ignored.
                 *     [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
                 * @example respond-async
                 */
                prefer?: components["parameters"]["Prefer"];
                /**
                 * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
                 *     Without this header, one failed image fails the whole request.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path: {
                /**
                 * @description The name of the deployment, percent-encoded. It is the id of a model.
                 * @example gte-small
                 */
                model: components["parameters"]["DeploymentInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDeploymentImageRequest"];
            };
        };
        responses: {
            200: components["responses"]["ImagesCreated"];
            202: components["responses"]["JobCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ImageInternalError"];
            502: components["responses"]["ImageBadGateway"];
            503: components["responses"]["ImageServiceUnavailable"];
            504: components["responses"]["ImageGatewayTimeout"];
        };
    };
    createAzureDeploymentImageEdit: {
        parameters: {
            query?: {
                /**
                 * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
                 * @example 2024-10-21
                 */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            header?: {
                /**
                 * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
                 *     the stored response of the first request: no image is created or paid for twice. If the first request is still
                 *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
                 *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
                 *
                 *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
                 *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
                 *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
                 * @example order-1234-image-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `respond-async`: the request becomes a job. It is checked at once, and refused as any other request; then the response
                 *     is a 202 with a job, whose `response` is the body that this request would have had. Use it where a proxy cuts slow
                 *     responses. A job cannot be streamed. Other preferences are ignored.
                 *     [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
                 * @example respond-async
                 */
                prefer?: components["parameters"]["Prefer"];
                /**
                 * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
                 *     Without this header, one failed image fails the whole request.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path: {
                /**
                 * @description The name of the deployment, percent-encoded. It is the id of a model.
                 * @example gte-small
                 */
                model: components["parameters"]["DeploymentInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreateDeploymentImageEditForm"];
                "application/json": components["schemas"]["CreateDeploymentImageEditRequest"];
            };
        };
        responses: {
            200: components["responses"]["ImagesEdited"];
            202: components["responses"]["JobCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ImageInternalError"];
            502: components["responses"]["ImageBadGateway"];
            503: components["responses"]["ImageServiceUnavailable"];
            504: components["responses"]["ImageGatewayTimeout"];
        };
    };
    listAzureDeploymentModels: {
        parameters: {
            query?: {
                /**
                 * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
                 * @example 2024-10-21
                 */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ModelsListed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    createAzureEmbedding: {
        parameters: {
            query?: {
                /**
                 * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
                 * @example 2024-10-21
                 */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            header?: {
                /**
                 * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
                 *     The header has no effect on a model without a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
                 *     belong to another space is refused with 409, so that they never get into your index.
                 * @example 5d2f0c9be1a4:1536:document
                 */
                "x-gateway-space"?: components["parameters"]["ExpectedSpace"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEmbeddingRequest"];
            };
        };
        responses: {
            200: components["responses"]["EmbeddingsCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SpaceMismatch"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createAzureImage: {
        parameters: {
            query?: {
                /**
                 * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
                 * @example 2024-10-21
                 */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            header?: {
                /**
                 * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
                 *     the stored response of the first request: no image is created or paid for twice. If the first request is still
                 *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
                 *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
                 *
                 *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
                 *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
                 *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
                 * @example order-1234-image-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `respond-async`: the request becomes a job. It is checked at once, and refused as any other request; then the response
                 *     is a 202 with a job, whose `response` is the body that this request would have had. Use it where a proxy cuts slow
                 *     responses. A job cannot be streamed. Other preferences are ignored.
                 *     [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
                 * @example respond-async
                 */
                prefer?: components["parameters"]["Prefer"];
                /**
                 * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
                 *     Without this header, one failed image fails the whole request.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateImageRequest"];
            };
        };
        responses: {
            200: components["responses"]["ImagesCreated"];
            202: components["responses"]["JobCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ImageInternalError"];
            502: components["responses"]["ImageBadGateway"];
            503: components["responses"]["ImageServiceUnavailable"];
            504: components["responses"]["ImageGatewayTimeout"];
        };
    };
    createAzureImageEdit: {
        parameters: {
            query?: {
                /**
                 * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
                 * @example 2024-10-21
                 */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            header?: {
                /**
                 * @description A name that you choose for this request. If you send the same body with the same name again within 24 hours, you get
                 *     the stored response of the first request: no image is created or paid for twice. If the first request is still
                 *     running, the second one waits for its response. That holds if you have left meanwhile or your timeout has passed: a call
                 *     that was sent to an upstream runs to its end. The same name with a different body is refused with 409.
                 *
                 *     If the response could not be stored, the request is refused with 503, code `idempotency_unavailable`, before anything is
                 *     bought. If an image may have been bought and its response is lost, for example because the gateway crashed, the same name
                 *     is refused with 409, code `idempotency_outcome_unknown`. Buying again then takes a new name.
                 * @example order-1234-image-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `respond-async`: the request becomes a job. It is checked at once, and refused as any other request; then the response
                 *     is a 202 with a job, whose `response` is the body that this request would have had. Use it where a proxy cuts slow
                 *     responses. A job cannot be streamed. Other preferences are ignored.
                 *     [RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)
                 * @example respond-async
                 */
                prefer?: components["parameters"]["Prefer"];
                /**
                 * @description `allow` accepts fewer than `n` images if some cannot be created. `x-gateway-failed-images` then says how many failed.
                 *     Without this header, one failed image fails the whole request.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreateImageEditForm"];
                "application/json": components["schemas"]["CreateImageEditRequest"];
            };
        };
        responses: {
            200: components["responses"]["ImagesEdited"];
            202: components["responses"]["JobCreated"];
            400: components["responses"]["RequestRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ImageInternalError"];
            502: components["responses"]["ImageBadGateway"];
            503: components["responses"]["ImageServiceUnavailable"];
            504: components["responses"]["ImageGatewayTimeout"];
        };
    };
    listAzureModels: {
        parameters: {
            query?: {
                /**
                 * @description The version of Azure's API. Azure's clients send it. Any value is accepted, and it has no effect.
                 * @example 2024-10-21
                 */
                "api-version"?: components["parameters"]["ApiVersion"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ModelsListed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    createOllamaEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
                 *     The header has no effect on a model without a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
                 *     belong to another space is refused with 409, so that they never get into your index.
                 * @example 5d2f0c9be1a4:1536:document
                 */
                "x-gateway-space"?: components["parameters"]["ExpectedSpace"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOllamaEmbeddingRequest"];
            };
        };
        responses: {
            200: components["responses"]["OllamaEmbeddingsCreated"];
            400: components["responses"]["OllamaRequestRejected"];
            401: components["responses"]["OllamaUnauthorized"];
            403: components["responses"]["OllamaModelNotAllowed"];
            404: components["responses"]["OllamaModelNotFound"];
            405: components["responses"]["OllamaMethodNotAllowedPost"];
            408: components["responses"]["OllamaRequestTimeout"];
            409: components["responses"]["OllamaSpaceMismatch"];
            413: components["responses"]["OllamaContentTooLarge"];
            415: components["responses"]["OllamaUnsupportedMediaType"];
            429: components["responses"]["OllamaTooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OllamaInternalError"];
            502: components["responses"]["OllamaBadGateway"];
            503: components["responses"]["OllamaServiceUnavailable"];
            504: components["responses"]["OllamaGatewayTimeout"];
        };
    };
    createOllamaEmbeddingLegacy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `no-cache` computes new vectors instead of reading the cache. `no-store` also keeps the new vectors out of the cache.
                 *     The header has no effect on a model without a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description The id of a vector space, from the header `x-gateway-space` of an earlier response. A request whose vectors would
                 *     belong to another space is refused with 409, so that they never get into your index.
                 * @example 5d2f0c9be1a4:1536:document
                 */
                "x-gateway-space"?: components["parameters"]["ExpectedSpace"];
                /**
                 * @description How urgent this request is. `bulk` lowers it: the request waits while others need the capacity of the upstreams. It
                 *     cannot be raised: a key of the priority `bulk` that sends `interactive` gets a 400. Default: the priority of the key.
                 * @example bulk
                 */
                "x-gateway-priority"?: components["parameters"]["Priority"];
                /**
                 * @description The maximum time for this request, in milliseconds. It can shorten the gateway's timeout, but not extend it. When
                 *     the time is over, the response is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOllamaEmbeddingLegacyRequest"];
            };
        };
        responses: {
            200: components["responses"]["OllamaEmbeddingCreated"];
            400: components["responses"]["OllamaRequestRejected"];
            401: components["responses"]["OllamaUnauthorized"];
            403: components["responses"]["OllamaModelNotAllowed"];
            404: components["responses"]["OllamaModelNotFound"];
            405: components["responses"]["OllamaMethodNotAllowedPost"];
            408: components["responses"]["OllamaRequestTimeout"];
            409: components["responses"]["OllamaSpaceMismatch"];
            413: components["responses"]["OllamaContentTooLarge"];
            415: components["responses"]["OllamaUnsupportedMediaType"];
            429: components["responses"]["OllamaTooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OllamaInternalError"];
            502: components["responses"]["OllamaBadGateway"];
            503: components["responses"]["OllamaServiceUnavailable"];
            504: components["responses"]["OllamaGatewayTimeout"];
        };
    };
    listOllamaModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OllamaModelsListed"];
            400: components["responses"]["OllamaBadRequest"];
            401: components["responses"]["OllamaUnauthorized"];
            405: components["responses"]["OllamaMethodNotAllowedGet"];
            408: components["responses"]["OllamaRequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OllamaInternalError"];
            503: components["responses"]["OllamaStorageUnavailable"];
        };
    };
    retrieveOllamaModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetrieveOllamaModelRequest"];
            };
        };
        responses: {
            200: components["responses"]["OllamaModelRetrieved"];
            400: components["responses"]["OllamaBadRequest"];
            401: components["responses"]["OllamaUnauthorized"];
            403: components["responses"]["OllamaModelNotAllowed"];
            404: components["responses"]["OllamaModelNotFound"];
            405: components["responses"]["OllamaMethodNotAllowedPost"];
            408: components["responses"]["OllamaRequestTimeout"];
            413: components["responses"]["OllamaContentTooLarge"];
            415: components["responses"]["OllamaUnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OllamaInternalError"];
            503: components["responses"]["OllamaStorageUnavailable"];
        };
    };
    listRunningOllamaModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OllamaRunningModelsListed"];
            400: components["responses"]["OllamaBadRequest"];
            401: components["responses"]["OllamaUnauthorized"];
            405: components["responses"]["OllamaMethodNotAllowedGet"];
            408: components["responses"]["OllamaRequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OllamaInternalError"];
            503: components["responses"]["OllamaStorageUnavailable"];
        };
    };
    retrieveOllamaVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OllamaVersionRetrieved"];
            400: components["responses"]["OllamaBadRequest"];
            401: components["responses"]["OllamaUnauthorized"];
            405: components["responses"]["OllamaMethodNotAllowedGet"];
            408: components["responses"]["OllamaRequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OllamaInternalError"];
            503: components["responses"]["OllamaStorageUnavailable"];
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Healthy"];
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    checkReadiness: {
        parameters: {
            query?: {
                /**
                 * @description Adds the number of targets in each state, regardless of its value. With the admin key it also adds the state of every
                 *     target. A request that has it twice is refused with 400.
                 * @example
                 */
                verbose?: components["parameters"]["Verbose"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Ready"];
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["NotReady"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the previous page. Without it, the list starts with its first entry. Keep the other parameters the same from page to page.
                 * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of entries in the response.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only keys with this text in their name, in their owner or in the last four characters of their secret. The case of the
                 *     letters A to Z is ignored.
                 * @example search
                 */
                search?: components["parameters"]["KeySearch"];
                /**
                 * @description Only keys with this status.
                 * @example active
                 */
                status?: components["parameters"]["KeyStatusFilter"];
                /**
                 * @description The property to sort by; keys with the same value are sorted by their id. Names are compared byte by byte, with the
                 *     letters A to Z as lower case. A key of the configuration file counts as older than all others, and a key that was never
                 *     used as used before all others.
                 * @example created_at
                 */
                sort?: components["parameters"]["KeySort"];
                /**
                 * @description The direction of the sort. `desc` has the newest, the largest, or the last in the alphabet first.
                 * @example desc
                 */
                order?: components["parameters"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["KeysListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGetPost"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["KeyCreated"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGetPost"];
            408: components["responses"]["AdminRequestTimeout"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["KeyRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["KeyNotFound"];
            405: components["responses"]["MethodNotAllowedGetPatchDelete"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["KeyRevoked"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["KeyNotFound"];
            405: components["responses"]["MethodNotAllowedGetPatchDelete"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["KeyInFile"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    changeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["KeyRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["KeyNotFound"];
            405: components["responses"]["MethodNotAllowedGetPatchDelete"];
            408: components["responses"]["AdminRequestTimeout"];
            409: components["responses"]["KeyUnchangeable"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["KeyRotated"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["KeyNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["AdminRequestTimeout"];
            409: components["responses"]["KeyNotRotated"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveUsage: {
        parameters: {
            query?: {
                /**
                 * @description The groupings, separated by commas. At most one of `month`, `day` and `hour`. `batch` leaves out requests that are not lines of a batch. Without it, all requests form one group.
                 * @example [
                 *       "key",
                 *       "day"
                 *     ]
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description A calendar day or month in UTC, as for budgets: the cost of a key in `this_month` is what counts against its monthly
                 *     budget. Excludes `from` and `to`.
                 * @example this_month
                 */
                period?: components["parameters"]["Period"];
                /**
                 * @description The start of the time range, in Unix seconds. Inclusive.
                 * @example 1787097600
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The end of the time range, in Unix seconds. Exclusive.
                 * @example 1787184000
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Only requests of keys whose current owner is this person or team. Revoked keys count as well. The owner is compared
                 *     letter for letter.
                 * @example search@example.com
                 */
                owner?: components["parameters"]["OwnerFilter"];
                /**
                 * @description Only requests that used the key with this id.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key?: components["parameters"]["KeyFilter"];
                /**
                 * @description `true` for requests that operators sent in the console and that the gateway sent itself only, such as trials of targets
                 *     and comparisons of vectors. `false` for the requests of API keys only.
                 * @example false
                 */
                internal?: components["parameters"]["InternalFilter"];
                /**
                 * @description Only requests for this model.
                 * @example gte-small
                 */
                model?: components["parameters"]["ModelFilter"];
                /**
                 * @description Only requests for this operation.
                 * @example createEmbedding
                 */
                operation?: components["parameters"]["OperationFilter"];
                /**
                 * @description Only requests whose last call went to the upstream with this name.
                 * @example local
                 */
                upstream?: components["parameters"]["UpstreamFilter"];
                /**
                 * @description Only requests of the batch with this id.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch?: components["parameters"]["BatchFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UsageRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the previous page. Without it, the list starts with its first entry. Keep the other parameters the same from page to page.
                 * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of entries in the response.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The start of the time range, in Unix seconds. Inclusive.
                 * @example 1787097600
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The end of the time range, in Unix seconds. Exclusive.
                 * @example 1787184000
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Only requests that used the key with this id.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key?: components["parameters"]["KeyFilter"];
                /**
                 * @description `true` for requests that operators sent in the console and that the gateway sent itself only, such as trials of targets
                 *     and comparisons of vectors. `false` for the requests of API keys only.
                 * @example false
                 */
                internal?: components["parameters"]["InternalFilter"];
                /**
                 * @description Only requests of keys whose current owner is this person or team. Revoked keys count as well. The owner is compared
                 *     letter for letter.
                 * @example search@example.com
                 */
                owner?: components["parameters"]["OwnerFilter"];
                /**
                 * @description Only requests for this model.
                 * @example gte-small
                 */
                model?: components["parameters"]["ModelFilter"];
                /**
                 * @description `false` for requests only that named no model, or one that the gateway never had. `true` for the others only.
                 * @example false
                 */
                has_model?: components["parameters"]["HasModelFilter"];
                /**
                 * @description Only requests for this operation.
                 * @example createEmbedding
                 */
                operation?: components["parameters"]["OperationFilter"];
                /**
                 * @description Only requests whose last call went to the upstream with this name.
                 * @example local
                 */
                upstream?: components["parameters"]["UpstreamFilter"];
                /**
                 * @description Only requests whose response had this status.
                 * @example 429
                 */
                status?: components["parameters"]["StatusFilter"];
                /**
                 * @description `true` for requests with a status of 400 or above only, `false` for the others only. A request whose caller
                 *     disconnected has status 499 and counts as one of the others.
                 * @example true
                 */
                failed?: components["parameters"]["FailedFilter"];
                /**
                 * @description `true` for requests that succeeded although an upstream call failed: another call, most often to another target, saved
                 *     them. `false` for the others only.
                 * @example true
                 */
                recovered?: components["parameters"]["RecoveredFilter"];
                /**
                 * @description Only requests that succeeded after a call to this upstream had failed first.
                 * @example openai
                 */
                recovered_from?: components["parameters"]["RecoveredFromFilter"];
                /**
                 * @description Only requests that failed with this error code.
                 * @example rate_limit_exceeded
                 */
                error_code?: components["parameters"]["ErrorCodeFilter"];
                /**
                 * @description Only embedding requests with this result of the cache: all vectors came from it (`hit`), some (`partial`) or none
                 *     (`miss`).
                 * @example hit
                 */
                cache?: components["parameters"]["CacheFilter"];
                /**
                 * @description Only requests that took at least this many milliseconds.
                 * @example 1000
                 */
                min_duration_ms?: components["parameters"]["MinDurationFilter"];
                /**
                 * @description Only requests of the batch with this id.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch?: components["parameters"]["BatchFilter"];
                /**
                 * @description Only the request of the image job with this id.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job?: components["parameters"]["RequestJobFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RequestsListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the request, as in the `x-request-id` header of its response.
                 * @example req_a3d50a6faea5e691c607f0a4902c56ab
                 */
                request_id: components["parameters"]["RequestInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RequestRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["RequestNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listAllBatches: {
        parameters: {
            query?: {
                /**
                 * @description The `last_id` of the previous page. Without it, the list starts with the newest batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                after?: components["parameters"]["AfterBatch"];
                /**
                 * @description The maximum number of batches in the response.
                 * @example 20
                 */
                limit?: components["parameters"]["BatchPageSize"];
                /**
                 * @description Only batches of the key with this id.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key?: components["parameters"]["BatchKeyFilter"];
                /**
                 * @description Only batches in this state.
                 * @example in_progress
                 */
                status?: components["parameters"]["BatchStatusFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AdminBatchesListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveAnyBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch: components["parameters"]["BatchInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AdminBatchRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["BatchNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    cancelAnyBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example batch_6f1f3530a1a2324b19752018
                 */
                batch: components["parameters"]["BatchInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AdminBatchCancelled"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["BatchNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["BatchEnded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listAllJobs: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the previous page. Without it, the list starts with its first entry. Keep the other parameters the same from page to page.
                 * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of entries in the response.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only jobs with this status.
                 * @example failed
                 */
                status?: components["parameters"]["JobStatusFilter"];
                /**
                 * @description Only jobs of the key with this id.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key?: components["parameters"]["JobKeyFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AdminJobsListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveAnyJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AdminJobRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["JobNotFound"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    cancelAnyJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job.
                 * @example job_019c1f2e6d3a4b5c6d7e8f9012345678
                 */
                job: components["parameters"]["JobInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AdminJobCancelled"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["JobNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listAdminModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AdminModelsListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listUpstreams: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UpstreamsListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    tryUpstream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryUpstreamRequest"];
            };
        };
        responses: {
            200: components["responses"]["UpstreamTried"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["TrialNotAllowed"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["AdminRequestTimeout"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            429: components["responses"]["AdminTooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProvidersListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    listAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AlertsListed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SessionCreated"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["SignInRefused"];
            403: components["responses"]["SignInCodeNotLocal"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["AdminTooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SessionRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            405: components["responses"]["MethodNotAllowedGetDelete"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SessionEnded"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            405: components["responses"]["MethodNotAllowedGetDelete"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    createSignInCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SignInCodeCreated"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["SignInCodeNotCreated"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    probeTarget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProbeTargetRequest"];
            };
        };
        responses: {
            200: components["responses"]["TargetProbed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["AdminModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["AdminRequestTimeout"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    compareTargets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompareTargetsRequest"];
            };
        };
        responses: {
            200: components["responses"]["TargetsCompared"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["AdminModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["AdminRequestTimeout"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    acceptSpace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptSpaceRequest"];
            };
        };
        responses: {
            200: components["responses"]["SpaceAccepted"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["AdminModelNotFound"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["AdminRequestTimeout"];
            409: components["responses"]["SpaceNotDrifted"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    retrieveConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConfigurationRetrieved"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    changeConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeConfigurationRequest"];
            };
        };
        responses: {
            200: components["responses"]["ConfigurationChanged"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedPost"];
            408: components["responses"]["AdminRequestTimeout"];
            409: components["responses"]["ConfigurationConflict"];
            413: components["responses"]["AdminContentTooLarge"];
            415: components["responses"]["AdminUnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /**
                 * @description How many events are sent before the stream ends. Without it, the stream does not end by itself.
                 * @example 1
                 */
                limit?: components["parameters"]["EventLimit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventsStreamed"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["AdminTooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
    readMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MetricsRead"];
            400: components["responses"]["AdminBadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            405: components["responses"]["MethodNotAllowedGet"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["AdminInternalError"];
            503: components["responses"]["AdminStorageUnavailable"];
        };
    };
}
/** The error codes of each operation, by status. */
export interface errorCodes {
    createEmbedding: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "empty_array" | "context_length_exceeded" | "unsupported_modality" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file" | "invalid_media_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_mismatch";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createEmbeddingLegacy: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "invalid_url" | "empty_array" | "context_length_exceeded" | "unsupported_modality" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file" | "invalid_media_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_mismatch";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createVoyageEmbedding: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "empty_array" | "context_length_exceeded" | "unsupported_modality" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file" | "invalid_media_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_mismatch";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createImage: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "idempotency_conflict" | "idempotency_outcome_unknown";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createImageEdit: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "invalid_form" | "duplicate_parameter" | "empty_array" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "idempotency_conflict" | "idempotency_outcome_unknown";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    retrieveImageFile: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "duplicate_parameter" | "empty_string" | "invalid_type" | "invalid_value" | "string_above_max_length";
        403: "invalid_signature";
        405: "method_not_allowed";
        408: "request_timeout";
        410: "link_expired";
        416: "range_not_satisfiable";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "image_store_unavailable" | "gateway_overloaded";
    };
    createContentProvenanceCheck: {
        400: "invalid_form" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "invalid_type" | "array_above_max_length" | "unsupported_file_mimetype";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "storage_full" | "gateway_overloaded";
    };
    listFiles: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "empty_string" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    uploadFile: {
        400: "invalid_http" | "unknown_parameter" | "invalid_form" | "missing_required_parameter" | "duplicate_parameter" | "array_above_max_length" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value";
        401: "missing_api_key" | "invalid_api_key";
        403: "file_quota_exceeded";
        405: "method_not_allowed";
        408: "request_timeout";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "file_store_unavailable" | "storage_full" | "gateway_overloaded";
    };
    retrieveFile: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "file_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    deleteFile: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "file_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    retrieveFileContent: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "invalid_value" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "file_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        416: "range_not_satisfiable";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "file_store_unavailable";
    };
    listBatches: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    createBatch: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        403: "file_quota_exceeded";
        404: "file_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "file_store_unavailable" | "storage_full" | "gateway_overloaded";
    };
    retrieveBatch: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "batch_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    cancelBatch: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "batch_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "batch_ended";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listJobs: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveJob: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "job_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "image_store_unavailable" | "gateway_overloaded";
    };
    cancelJob: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "job_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    createAsyncImage: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "idempotency_conflict" | "idempotency_outcome_unknown";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded";
    };
    retrieveAsyncImage: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "job_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "image_store_unavailable" | "gateway_overloaded";
    };
    createAsyncImageEdit: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "invalid_form" | "duplicate_parameter" | "empty_array" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "idempotency_conflict" | "idempotency_outcome_unknown";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded";
    };
    retrieveAsyncImageEdit: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "job_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "image_store_unavailable" | "gateway_overloaded";
    };
    listModels: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    retrieveModel: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    retrieveOwnKey: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listOwnRequests: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveOwnRequest: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        404: "request_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveOwnUsage: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    createCohereEmbedding: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "empty_array" | "context_length_exceeded" | "unsupported_modality" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file" | "invalid_media_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_mismatch";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createAzureDeploymentEmbedding: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "invalid_url" | "duplicate_parameter" | "empty_array" | "context_length_exceeded" | "unsupported_modality" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file" | "invalid_media_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_mismatch";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createAzureDeploymentImage: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "invalid_url" | "duplicate_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "idempotency_conflict" | "idempotency_outcome_unknown";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createAzureDeploymentImageEdit: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "invalid_form" | "invalid_url" | "duplicate_parameter" | "empty_array" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "idempotency_conflict" | "idempotency_outcome_unknown";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    listAzureDeploymentModels: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "empty_string" | "invalid_type" | "invalid_value";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    createAzureEmbedding: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "duplicate_parameter" | "empty_array" | "context_length_exceeded" | "unsupported_modality" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file" | "invalid_media_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_mismatch";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createAzureImage: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "duplicate_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "idempotency_conflict" | "idempotency_outcome_unknown";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createAzureImageEdit: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "invalid_form" | "duplicate_parameter" | "empty_array" | "unsupported_file_mimetype" | "invalid_image_url" | "invalid_image_file";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "idempotency_conflict" | "idempotency_outcome_unknown";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "storage_unavailable" | "image_store_unavailable" | "file_store_unavailable" | "storage_full" | "idempotency_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    listAzureModels: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "empty_string" | "invalid_type" | "invalid_value";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    createOllamaEmbedding: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "integer_above_max_value" | "integer_below_min_value" | "empty_array" | "context_length_exceeded";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_mismatch";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    createOllamaEmbeddingLegacy: {
        400: "invalid_json" | "invalid_http" | "missing_required_parameter" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "unsupported_operation" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "moderation_blocked" | "content_policy_violation" | "upstream_rejected" | "context_length_exceeded";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_mismatch";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded" | "insufficient_quota";
        431: "headers_too_large";
        500: "internal_error";
        502: "upstream_error" | "upstream_invalid_reply" | "upstream_auth_error" | "upstream_model_missing";
        503: "upstream_unavailable" | "model_unavailable" | "space_drifted" | "storage_unavailable" | "gateway_overloaded";
        504: "upstream_timeout";
    };
    listOllamaModels: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    retrieveOllamaModel: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "missing_required_parameter" | "unsupported_operation" | "invalid_type" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        403: "model_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    listRunningOllamaModels: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    retrieveOllamaVersion: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable";
    };
    checkHealth: {
        400: "invalid_http" | "unknown_parameter";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
    };
    checkReadiness: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: never;
    };
    listKeys: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    createKey: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveKey: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "key_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    changeKey: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "invalid_url" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "key_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "key_revoked" | "key_in_file";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    revokeKey: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "key_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "key_in_file";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    rotateKey: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "invalid_url" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "key_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "key_revoked" | "key_in_file" | "too_many_secrets";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveUsage: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string" | "array_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listRequests: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveRequest: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "request_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listAllBatches: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveAnyBatch: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "batch_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    cancelAnyBatch: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "batch_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "batch_ended";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listAllJobs: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveAnyJob: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "job_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    cancelAnyJob: {
        400: "invalid_http" | "unknown_parameter" | "invalid_url" | "string_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "job_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listAdminModels: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listUpstreams: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    tryUpstream: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string" | "array_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed" | "configuring_disabled";
        405: "method_not_allowed";
        408: "request_timeout";
        413: "content_too_large";
        415: "unsupported_content_type";
        429: "rate_limit_exceeded";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listProviders: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    listAlerts: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    createSession: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key" | "invalid_sign_in_code";
        403: "sign_in_code_not_local" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        429: "rate_limit_exceeded";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveSession: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    endSession: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    createSignInCode: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed" | "sign_in_code_not_local";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    probeTarget: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string" | "array_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    compareTargets: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string" | "array_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    acceptSpace: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string" | "array_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        404: "model_not_found";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "space_not_drifted";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    retrieveConfiguration: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    changeConfiguration: {
        400: "invalid_http" | "unknown_parameter" | "invalid_json" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string" | "array_above_max_length";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        409: "configuration_changed";
        413: "content_too_large";
        415: "unsupported_content_type";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    streamEvents: {
        400: "invalid_http" | "unknown_parameter" | "duplicate_parameter" | "invalid_type" | "invalid_value" | "integer_above_max_value" | "integer_below_min_value" | "empty_string";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        429: "rate_limit_exceeded";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
    readMetrics: {
        400: "invalid_http" | "unknown_parameter";
        401: "missing_api_key" | "invalid_api_key";
        403: "admin_key_required" | "role_not_allowed";
        405: "method_not_allowed";
        408: "request_timeout";
        431: "headers_too_large";
        500: "internal_error";
        503: "storage_unavailable" | "gateway_overloaded";
    };
}

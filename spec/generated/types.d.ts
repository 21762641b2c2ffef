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
         *     `input` takes four shapes: one string, an array of strings, an array of token ids (that is *one* input),
         *     or an array of arrays of token ids. Token ids only make sense to a model that shares your tokenizer;
         *     a model that does not refuses them and asks for text.
         *
         *     `encoding_format: base64` answers each vector as little-endian float32 bytes in base64, about a third of
         *     the size of the numbers as text.
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
                 * @description The id of a model, percent-encoded.
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
         * @description The path that OpenAI clients used before 2022. It does the same work as `POST /v1/embeddings`; use that one
         *     in new code. The model is taken from the path, percent-decoded once, so that an id with a slash is sent as
         *     `%2F`. A `model` in the body must be the same id.
         */
        post: operations["createEmbeddingLegacy"];
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
         * @description Draws `n` pictures from a prompt.
         *
         *     `response_format` is the envelope (`b64_json` or `url`) and `output_format` is the picture (`png`, `jpeg`,
         *     `webp`). Both work on every model, and so do `n` and `stream`, whatever its upstream can do. Which sizes, qualities
         *     and other options a model takes is listed by `GET /v1/models/{model}`; any other is refused with a 400 that names the
         *     parameter and what is supported.
         *
         *     With `stream: true` the answer is a stream of server-sent events, whatever the `Accept` header says: any
         *     number of `image_generation.partial_image`, then one `image_generation.completed` for each picture. A failure
         *     after the first byte arrives as an `error` event.
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
         * @description Draws a new picture from one or several pictures and a prompt.
         *
         *     As a form, send the picture as a file part named `image`; for several, repeat `image`, or use `image[]` or
         *     `image[0]`, `image[1]`, and so on. Parts may come in any order. A part sent as `application/octet-stream` is
         *     recognised by its content. Numbers and booleans are sent as text.
         *
         *     A `mask` is a PNG with an alpha channel and the size of the first picture: where it is fully transparent the
         *     picture may change, everywhere else it must not.
         *
         *     The JSON form carries pictures in `images`, as data URLs or as `https` URLs that the gateway fetches.
         *
         *     With `stream: true` the answer is a stream of server-sent events: any number of `image_edit.partial_image`,
         *     then one `image_edit.completed` for each picture.
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
                 * @description The name of the file, as the link has it.
                 * @example 6f1f3530a1a2324b19752018ce756088.png
                 */
                file: components["parameters"]["ImageFileInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a picture
         * @description The bytes of a picture that was answered as a link, with `response_format` `url`. The link carries everything: it
         *     needs no key, its signature can not be guessed, and it stops working when it expires. Use it as it is.
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
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Every model that this gateway serves and the key may call, with what each can do. The list is whole: there is no
         *     paging.
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
                 * @description The id of a model, percent-encoded.
                 * @example gte-small
                 */
                model: components["parameters"]["ModelInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a model
         * @description One model and what it can do: which operations, vector widths, sizes, formats and options. An id with a slash
         *     is sent as `%2F`.
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
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process lives
         * @description Answers 200 while the process runs. Restart the process when it does not answer.
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
         * Check that requests can be served
         * @description Answers 200 when at least one model can serve requests, 503 while starting, while stopping, or when none can. Send traffic here only on 200.
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
         * @description The keys that were made with `createKey`, the newest first. Revoked keys stay in the list, so that what they used
         *     can be named. Keys of the configuration file are not in it: they are what the file says.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Makes a key. Its secret is in the answer, and nowhere else: the gateway keeps a digest of it. Every gateway on the
         *     same database takes the key at once.
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
                 * @description The id of a key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        /**
         * Retrieve a key
         * @description One key: what it may do, and when it was last used.
         */
        get: operations["retrieveKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Stops a key for good, within a second on every gateway. Requests that are under way are finished. To revoke a key
         *     that was revoked before changes nothing. To stop a key for a time, change `disabled`.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change a key
         * @description Changes what is in the body and leaves the rest as it is; `null` takes a restriction away. The change takes effect
         *     within a second on every gateway.
         */
        patch: operations["changeKey"];
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
         * @description What was used from one time to another, grouped by key, model, and day or hour of UTC. What would be more than
         *     50,000 groups is refused: ask for a shorter time, or for fewer groupings.
         *
         *     With `Accept: text/csv` the answer is a table.
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
         * @description One entry a request, the newest first: who asked for what, what came of it, and what it cost. An entry appears some
         *     seconds after its request. Prompts, vectors and pictures are not kept.
         *
         *     With `Accept: text/csv` the answer is a table, and `next_cursor` is in the header `x-next-cursor`.
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
    "/admin/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models with their targets
         * @description Every model of the configuration: which targets serve it, how one is chosen, how much may be used, and whether the
         *     price is known. What callers see of a model is in `GET /v1/models`.
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
         * @description Every upstream of the configuration without its secrets, and how each of its targets does now, as the gateway that
         *     answers sees it.
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
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read metrics
         * @description The metrics of the gateway that answers, in the text format of Prometheus. Give the scraper the admin key as its
         *     bearer token.
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
         * @description The id of a model, as `GET /v1/models` lists it.
         * @example gte-small
         */
        ModelId: string;
        /**
         * @description The text to embed. No text may be empty. At most 2048 inputs in one request; the model's own limit on the length
         *     of one input is `embedding.max_tokens` of `GET /v1/models/{model}`.
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
        EmbeddingInput: string | string[] | number[] | number[][];
        /**
         * @description How many numbers each vector shall have. Only for models that were trained to be shortened
         *     (`embedding.matryoshka` of `GET /v1/models/{model}`); others refuse it. At most the model's own width.
         * @example 256
         */
        EmbeddingDimensions: number | null;
        /**
         * @description `float`, the default, writes each vector as an array of numbers; `base64` as little-endian float32 bytes.
         * @example float
         * @enum {string|null}
         */
        EmbeddingEncoding: "float" | "base64" | null;
        /**
         * @description An id of your own end user, passed on to upstreams that take one.
         * @example user-1234
         */
        EndUser: string;
        /** @description What to embed, with which model, and how to write the vectors. */
        CreateEmbeddingRequest: {
            model: components["schemas"]["ModelId"];
            input: components["schemas"]["EmbeddingInput"];
            dimensions?: components["schemas"]["EmbeddingDimensions"];
            encoding_format?: components["schemas"]["EmbeddingEncoding"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description The vector of one input. */
        Embedding: {
            /**
             * @example embedding
             * @constant
             */
            object: "embedding";
            /**
             * @description The position of the input in the request.
             * @example 0
             */
            index: number;
            /**
             * @description The vector, in the encoding that was asked for.
             * @example [
             *       0.0023,
             *       -0.0093,
             *       0.0157
             *     ]
             */
            embedding: number[] | string;
        };
        /** @description What the request is counted as. */
        EmbeddingUsage: {
            /**
             * @description Tokens in all inputs together.
             * @example 8
             */
            prompt_tokens: number;
            /**
             * @description The same number; embeddings have no output tokens.
             * @example 8
             */
            total_tokens: number;
        };
        /** @description The vectors, in the order of the inputs. */
        CreateEmbeddingResponse: {
            /**
             * @example list
             * @constant
             */
            object: "list";
            data: components["schemas"]["Embedding"][];
            model: components["schemas"]["ModelId"];
            usage: components["schemas"]["EmbeddingUsage"];
        };
        /** @description What went wrong. All four keys are always there. */
        Error: {
            /**
             * @description A sentence for people. Its wording may change.
             * @example Missing required parameter: 'prompt'.
             */
            message: string;
            /**
             * @description The kind of error, as OpenAI names it.
             * @example invalid_request_error
             */
            type: string;
            /**
             * @description The parameter at fault, such as `size` or `input[3]`.
             * @example prompt
             */
            param: string | null;
            /**
             * @description What programs decide by. The errors page lists every code.
             * @example missing_required_parameter
             */
            code: string | null;
        };
        /** @description The body of every error answer. */
        ErrorResponse: {
            error: components["schemas"]["Error"];
        };
        /** @description As `CreateEmbeddingRequest`; the model is in the path, and may be repeated here. */
        CreateEmbeddingLegacyRequest: {
            model?: components["schemas"]["ModelId"];
            input: components["schemas"]["EmbeddingInput"];
            dimensions?: components["schemas"]["EmbeddingDimensions"];
            encoding_format?: components["schemas"]["EmbeddingEncoding"];
            user?: components["schemas"]["EndUser"];
        };
        /**
         * @description What the picture shall show.
         * @example a red fox in the snow
         */
        ImagePrompt: string;
        /**
         * @description Width x height in pixels, or `auto`, the default, which leaves the choice to the model. `image.sizes` of
         *     `GET /v1/models/{model}` lists what a model takes.
         * @example 1024x1024
         */
        ImageSize: string | null;
        /**
         * @description How much work to put into the picture. `auto`, the default, leaves the choice to the model.
         * @example medium
         * @enum {string|null}
         */
        ImageQuality: "auto" | "low" | "medium" | "high" | "xhigh" | "max" | "standard" | "hd" | null;
        /**
         * @description `transparent` needs an `output_format` with transparency (`png` or `webp`). `auto`, the default, leaves the choice
         *     to the model.
         * @example opaque
         * @enum {string|null}
         */
        ImageBackground: "auto" | "transparent" | "opaque" | null;
        /**
         * @description How many pictures to make. 1 is the default.
         * @example 1
         */
        ImageCount: number | null;
        /**
         * @description How strictly the upstream judges the content. `auto` is the default.
         * @example auto
         * @enum {string|null}
         */
        ImageModeration: "auto" | "low" | null;
        /**
         * @description The quality of a `jpeg` or `webp` picture in percent. 100, the default, is the best. Not for `png`.
         * @example 80
         */
        ImageOutputCompression: number | null;
        /**
         * @description The format of the picture. Without it, a model gives its own, the first of `image.output_formats` of `GET /v1/models/{model}`.
         * @example png
         * @enum {string|null}
         */
        ImageOutputFormat: "png" | "jpeg" | "webp" | null;
        /**
         * @description How the picture is handed over: `b64_json` puts its bytes into the answer, `url` a link to it that expires. Both
         *     work on every model. Without it, a model answers in its own way, listed first in `image.response_formats` of
         *     `GET /v1/models/{model}`. A stream has no links.
         * @example b64_json
         * @enum {string|null}
         */
        ImageResponseFormat: "b64_json" | "url" | null;
        /**
         * @description `vivid` is more dramatic, `natural` closer to a photograph. Only some models take it.
         * @example vivid
         * @enum {string|null}
         */
        ImageStyle: "vivid" | "natural" | null;
        /**
         * @description Answer with server-sent events instead of one JSON document.
         * @example false
         */
        ImageStream: boolean | null;
        /**
         * @description How many unfinished pictures to send on the way, with `stream`. There may be fewer. 0 is the default.
         * @example 0
         */
        ImagePartialCount: number | null;
        /** @description What to draw, with which model, and how to hand it over. */
        CreateImageRequest: {
            model: components["schemas"]["ModelId"];
            prompt: components["schemas"]["ImagePrompt"];
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            style?: components["schemas"]["ImageStyle"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description One picture, as bytes or as a link; there is always one of the two. */
        Image: {
            /**
             * @description The bytes of the picture in base64, with `response_format` `b64_json`.
             * @example iVBORw0KGgo=
             */
            b64_json?: string;
            /**
             * Format: uri
             * @description A link to the picture, with `response_format` `url`. It expires.
             * @example https://images.example/a.png
             */
            url?: string;
            /**
             * @description The prompt that the upstream drew, where it changes prompts.
             * @example A red fox standing in fresh snow.
             */
            revised_prompt?: string;
        };
        /** @description Tokens by what they stand for. */
        ImageTokensDetails: {
            /**
             * @description Tokens of text.
             * @example 10
             */
            text_tokens: number;
            /**
             * @description Tokens of pictures.
             * @example 0
             */
            image_tokens: number;
        };
        /** @description What the upstream counted, where it counts tokens. */
        ImageUsage: {
            /**
             * @description Tokens of the prompt and of the pictures sent.
             * @example 10
             */
            input_tokens: number;
            input_tokens_details: components["schemas"]["ImageTokensDetails"];
            /**
             * @description Tokens of the pictures made.
             * @example 4160
             */
            output_tokens: number;
            output_tokens_details?: components["schemas"]["ImageTokensDetails"];
            /**
             * @description Both together.
             * @example 4170
             */
            total_tokens: number;
        };
        /** @description The pictures, and what they are. */
        ImagesResponse: {
            /**
             * @description When the pictures were made, in Unix seconds.
             * @example 1787150086
             */
            created: number;
            data: components["schemas"]["Image"][];
            /**
             * @description The background that was drawn.
             * @example opaque
             * @enum {string}
             */
            background?: "transparent" | "opaque";
            /**
             * @description The format of the pictures.
             * @example png
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /**
             * @description The quality that was used.
             * @example medium
             */
            quality?: string;
            /**
             * @description Width x height in pixels.
             * @example 1024x1024
             */
            size?: string;
            usage?: components["schemas"]["ImageUsage"];
        };
        /** @description An unfinished picture. */
        ImageGenerationPartialImageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_generation.partial_image";
            /**
             * @description The bytes of the picture in base64.
             * @example iVBORw0KGgo=
             */
            b64_json: string;
            /**
             * @description When the picture was made, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description Width x height in pixels.
             * @example 1024x1024
             */
            size: string;
            /**
             * @description The quality that was used.
             * @example medium
             */
            quality: string;
            /**
             * @description The background that was drawn.
             * @example opaque
             * @enum {string}
             */
            background: "auto" | "transparent" | "opaque";
            /**
             * @description The format of the picture.
             * @example png
             * @enum {string}
             */
            output_format: "png" | "jpeg" | "webp";
            /**
             * @description Which of the unfinished pictures this is, from 0.
             * @example 0
             */
            partial_image_index: number;
        };
        /** @description A finished picture. One comes for each picture that was asked for. */
        ImageGenerationCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_generation.completed";
            /**
             * @description The bytes of the picture in base64.
             * @example iVBORw0KGgo=
             */
            b64_json: string;
            /**
             * @description When the picture was made, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description Width x height in pixels.
             * @example 1024x1024
             */
            size: string;
            /**
             * @description The quality that was used.
             * @example medium
             */
            quality: string;
            /**
             * @description The background that was drawn.
             * @example opaque
             * @enum {string}
             */
            background: "auto" | "transparent" | "opaque";
            /**
             * @description The format of the picture.
             * @example png
             * @enum {string}
             */
            output_format: "png" | "jpeg" | "webp";
            usage?: components["schemas"]["ImageUsage"];
        };
        /** @description A failure after the stream began. It is the last event. */
        StreamErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            error: components["schemas"]["Error"];
        };
        /**
         * @description The `data` of one server-sent event; its `event` line repeats `type`. Lines that begin with a colon are comments
         *     that keep the connection open.
         */
        ImageGenerationStreamEvent: components["schemas"]["ImageGenerationPartialImageEvent"] | components["schemas"]["ImageGenerationCompletedEvent"] | components["schemas"]["StreamErrorEvent"];
        /**
         * @description How closely the result keeps to the pictures that were sent.
         * @example high
         * @enum {string|null}
         */
        ImageInputFidelity: "low" | "high" | null;
        /** @description The form of an edit. Numbers and booleans are sent as text. */
        CreateImageEditForm: {
            model: components["schemas"]["ModelId"];
            prompt: components["schemas"]["ImagePrompt"];
            /** @description The picture to edit, or several: PNG, JPEG or WebP, at most 50 MB each, at most 16. Repeat the part for several. */
            image: Blob | Blob[];
            /**
             * Format: binary
             * @description A PNG with an alpha channel, the size of the first picture. Fully transparent = may change.
             */
            mask?: Blob;
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            input_fidelity?: components["schemas"]["ImageInputFidelity"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description A picture that is part of a JSON request. */
        ImageReference: {
            /**
             * @description A data URL (`data:image/png;base64,` and the bytes of a PNG, JPEG or WebP picture), or an `https` URL on the public
             *     internet that the gateway fetches.
             * @example data:image/png;base64,iVBORw0KGgo=
             */
            image_url: string;
        };
        /** @description An edit as JSON, with the pictures as data URLs or links. */
        CreateImageEditRequest: {
            model: components["schemas"]["ModelId"];
            prompt: components["schemas"]["ImagePrompt"];
            /** @description The pictures to edit, in order. */
            images: components["schemas"]["ImageReference"][];
            /** @description A PNG with an alpha channel, the size of the first picture. Fully transparent = may change. */
            mask?: components["schemas"]["ImageReference"];
            size?: components["schemas"]["ImageSize"];
            quality?: components["schemas"]["ImageQuality"];
            background?: components["schemas"]["ImageBackground"];
            n?: components["schemas"]["ImageCount"];
            moderation?: components["schemas"]["ImageModeration"];
            output_compression?: components["schemas"]["ImageOutputCompression"];
            output_format?: components["schemas"]["ImageOutputFormat"];
            response_format?: components["schemas"]["ImageResponseFormat"];
            input_fidelity?: components["schemas"]["ImageInputFidelity"];
            stream?: components["schemas"]["ImageStream"];
            partial_images?: components["schemas"]["ImagePartialCount"];
            user?: components["schemas"]["EndUser"];
        };
        /** @description An unfinished picture. */
        ImageEditPartialImageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_edit.partial_image";
            /**
             * @description The bytes of the picture in base64.
             * @example iVBORw0KGgo=
             */
            b64_json: string;
            /**
             * @description When the picture was made, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description Width x height in pixels.
             * @example 1024x1024
             */
            size: string;
            /**
             * @description The quality that was used.
             * @example medium
             */
            quality: string;
            /**
             * @description The background that was drawn.
             * @example opaque
             * @enum {string}
             */
            background: "auto" | "transparent" | "opaque";
            /**
             * @description The format of the picture.
             * @example png
             * @enum {string}
             */
            output_format: "png" | "jpeg" | "webp";
            /**
             * @description Which of the unfinished pictures this is, from 0.
             * @example 0
             */
            partial_image_index: number;
        };
        /** @description A finished picture. One comes for each picture that was asked for. */
        ImageEditCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_edit.completed";
            /**
             * @description The bytes of the picture in base64.
             * @example iVBORw0KGgo=
             */
            b64_json: string;
            /**
             * @description When the picture was made, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description Width x height in pixels.
             * @example 1024x1024
             */
            size: string;
            /**
             * @description The quality that was used.
             * @example medium
             */
            quality: string;
            /**
             * @description The background that was drawn.
             * @example opaque
             * @enum {string}
             */
            background: "auto" | "transparent" | "opaque";
            /**
             * @description The format of the picture.
             * @example png
             * @enum {string}
             */
            output_format: "png" | "jpeg" | "webp";
            usage?: components["schemas"]["ImageUsage"];
        };
        /**
         * @description The `data` of one server-sent event; its `event` line repeats `type`. Lines that begin with a colon are comments
         *     that keep the connection open.
         */
        ImageEditStreamEvent: components["schemas"]["ImageEditPartialImageEvent"] | components["schemas"]["ImageEditCompletedEvent"] | components["schemas"]["StreamErrorEvent"];
        /** @description What an embedding model takes and gives. */
        EmbeddingCapabilities: {
            /**
             * @description How many numbers a vector has. Null where the operator did not say.
             * @example 384
             */
            dimensions: number | null;
            /**
             * @description Whether `dimensions` may ask for fewer.
             * @example false
             */
            matryoshka: boolean;
            /**
             * @description How many inputs one request may have.
             * @example 2048
             */
            max_inputs: number;
            /**
             * @description How many tokens one input may have. Null where the operator did not say.
             * @example 512
             */
            max_tokens: number | null;
            /**
             * @description What `encoding_format` may be.
             * @example [
             *       "float",
             *       "base64"
             *     ]
             */
            encoding_formats: ("float" | "base64")[];
            /**
             * @description Whether inputs may be text, token ids, or both.
             * @example [
             *       "text"
             *     ]
             */
            input_types: ("text" | "tokens")[];
        };
        /** @description What an image model takes and gives. */
        ImageCapabilities: {
            /**
             * @description What `size` may be. `WIDTHxHEIGHT` stands for any size within the model's bounds.
             * @example [
             *       "auto",
             *       "1024x1024"
             *     ]
             */
            sizes: string[];
            /**
             * @description What `quality` may be.
             * @example [
             *       "auto",
             *       "low",
             *       "medium",
             *       "high"
             *     ]
             */
            qualities: string[];
            /**
             * @description What `background` may be.
             * @example [
             *       "auto",
             *       "transparent",
             *       "opaque"
             *     ]
             */
            backgrounds: string[];
            /**
             * @description What `output_format` may be.
             * @example [
             *       "png",
             *       "jpeg",
             *       "webp"
             *     ]
             */
            output_formats: string[];
            /**
             * @description What `response_format` may be; the first is the default.
             * @example [
             *       "b64_json"
             *     ]
             */
            response_formats: string[];
            /**
             * @description How many pictures one request may ask for.
             * @example 10
             */
            max_n: number;
            /**
             * @description Whether the model edits pictures.
             * @example true
             */
            edits: boolean;
            /**
             * @description Whether edits take a mask.
             * @example true
             */
            mask: boolean;
            /**
             * @description How many pictures one edit may send.
             * @example 16
             */
            max_images: number;
            /**
             * @description Whether `stream` is taken.
             * @example true
             */
            streaming: boolean;
            /**
             * @description The optional parameters that the model takes.
             * @example [
             *       "n",
             *       "size",
             *       "quality"
             *     ]
             */
            parameters: string[];
        };
        /** @description A model and what it can do. */
        Model: {
            id: components["schemas"]["ModelId"];
            /**
             * @example model
             * @constant
             */
            object: "model";
            /**
             * @description When this gateway first offered the model in this run, in Unix seconds.
             * @example 1787150086
             */
            created: number;
            /**
             * @description The name of the upstream that serves the model.
             * @example local
             */
            owned_by: string;
            /**
             * @description What the model makes.
             * @example embedding
             * @enum {string}
             */
            type: "embedding" | "image";
            /**
             * @description What the model is, in a sentence.
             * @example English sentence embeddings that run inside the gateway.
             */
            description?: string;
            /**
             * @description The operations that take this model.
             * @example [
             *       "createEmbedding",
             *       "createEmbeddingLegacy"
             *     ]
             */
            operations: ("createEmbedding" | "createEmbeddingLegacy" | "createImage" | "createImageEdit")[];
            /**
             * @description Whether the model can be asked now.
             * @example ready
             * @enum {string}
             */
            status: "ready" | "unavailable";
            /**
             * @description Why the model is unavailable.
             * @example The weights package is not installed.
             */
            status_reason?: string;
            embedding?: components["schemas"]["EmbeddingCapabilities"];
            image?: components["schemas"]["ImageCapabilities"];
        };
        /** @description Every model that this gateway serves. */
        ModelList: {
            /**
             * @example list
             * @constant
             */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        /** @description The process lives. */
        Health: {
            /**
             * @example ok
             * @constant
             */
            status: "ok";
        };
        /** @description How a target does now. */
        TargetState: {
            /**
             * @description The upstream's name in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The model's name at the upstream.
             * @example text-embedding-3-small
             */
            model: string;
            /**
             * @description `healthy`; `cooling`, it asked to be left alone; `misconfigured`, it refuses the gateway's key or does not know the
             *     model; `open`, it failed too often and is left alone; `half-open`, one request may try.
             * @example healthy
             * @enum {string}
             */
            state: "healthy" | "cooling" | "misconfigured" | "open" | "half-open";
            /**
             * @description Requests under way there.
             * @example 2
             */
            in_flight: number;
            /**
             * @description How long requests take there lately.
             * @example 81.5
             */
            latency_ms: number;
            /**
             * @description The code of its last failure.
             * @example upstream_timeout
             */
            last_error: string | null;
        };
        /** @description Whether requests can be served, and by what. */
        Readiness: {
            /**
             * @description `ready`, or why not.
             * @example ready
             * @enum {string}
             */
            status: "ready" | "starting" | "stopping" | "unavailable";
            /** @description How many models the configuration names, and how many of them can serve. */
            models: {
                /**
                 * @description All models.
                 * @example 3
                 */
                total: number;
                /**
                 * @description The models that can serve.
                 * @example 3
                 */
                ready: number;
            };
            /** @description The state of every target, with `verbose`. */
            targets?: components["schemas"]["TargetState"][];
        };
        /**
         * @description The id of a key. It is no secret, and opens nothing.
         * @example key_6f1f3530a1a2324b19752018
         */
        KeyId: string;
        /**
         * @description What people call the key. It stands in the log and in the usage.
         * @example search-service
         */
        KeyName: string;
        /**
         * @description Who answers for the key, such as a team or an address. `null` where nobody is named.
         * @example search@example.com
         */
        KeyOwner: string | null;
        /**
         * @description How the key begins, and its last four letters, by which people know it again.
         * @example mg_...1k2x
         */
        RedactedKey: string;
        /**
         * @description Whether the key works now, and if not, why.
         * @example active
         * @enum {string}
         */
        KeyStatus: "active" | "disabled" | "expired" | "revoked";
        /**
         * @description The models that the key may call, as ids or as patterns in which `*` stands for any letters. `null` for all models.
         * @example [
         *       "gte-small",
         *       "gpt-image-*"
         *     ]
         */
        KeyModels: string[] | null;
        /** @description How much may be used, in the unit that each thing is measured in. `null` where there is no limit. */
        UsageLimits: {
            /**
             * @description Requests in a minute.
             * @example 600
             */
            requests_per_minute: number | null;
            /**
             * @description Requests in a day.
             * @example 100000
             */
            requests_per_day: number | null;
            /**
             * @description Tokens that go in, in a minute.
             * @example 1000000
             */
            tokens_per_minute: number | null;
            /**
             * @description Tokens that go in, in a day.
             * @example 50000000
             */
            tokens_per_day: number | null;
            /**
             * @description Pictures that come out, in a minute.
             * @example 10
             */
            images_per_minute: number | null;
            /**
             * @description Pictures that come out, in a day.
             * @example 500
             */
            images_per_day: number | null;
            /**
             * @description Requests that are under way at once.
             * @example 16
             */
            max_concurrency: number | null;
        };
        /**
         * @description How much money may be spent in a day or a month of UTC. `null` for as much as there is.
         * @example {
         *       "usd": 25,
         *       "per": "month"
         *     }
         */
        Budget: {
            /**
             * @description In US dollars.
             * @example 25
             */
            usd: number;
            /**
             * @description The time after which the count begins anew.
             * @example month
             * @enum {string}
             */
            per: "day" | "month";
        } | null;
        /**
         * @description Whether the key is switched off for now.
         * @example false
         */
        KeyDisabled: boolean;
        /**
         * @description When the key stops working, in Unix seconds. `null` for never.
         * @example 1818686086
         */
        KeyExpiry: number | null;
        /**
         * @description When the key was made, in Unix seconds.
         * @example 1787150086
         */
        KeyCreationTime: number;
        /**
         * @description When the key was last used, in Unix seconds, some seconds late. `null` where it never was.
         * @example 1787153686
         */
        KeyUseTime: number | null;
        /**
         * @description When the key was revoked, in Unix seconds. `null` where it was not.
         * @example null
         */
        KeyRevocationTime: number | null;
        /** @description A key, and what it may do. The secret itself is not kept, and is never shown again. */
        AccessKey: {
            /**
             * @example key
             * @constant
             */
            object: "key";
            id: components["schemas"]["KeyId"];
            name: components["schemas"]["KeyName"];
            owner: components["schemas"]["KeyOwner"];
            redacted_value: components["schemas"]["RedactedKey"];
            status: components["schemas"]["KeyStatus"];
            models: components["schemas"]["KeyModels"];
            limits: components["schemas"]["UsageLimits"];
            budget: components["schemas"]["Budget"];
            disabled: components["schemas"]["KeyDisabled"];
            expires_at: components["schemas"]["KeyExpiry"];
            created_at: components["schemas"]["KeyCreationTime"];
            last_used_at: components["schemas"]["KeyUseTime"];
            revoked_at: components["schemas"]["KeyRevocationTime"];
        };
        /**
         * @description Send it as `cursor` for the next part of the list. `null` at the end.
         * @example null
         */
        NextCursor: string | null;
        /** @description Keys, the newest first. */
        KeyList: {
            /**
             * @example list
             * @constant
             */
            object: "list";
            data: components["schemas"]["AccessKey"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description How much may be used. A limit that is left out stays as it is, one that is `null` is taken away; `null` in place of
         *     them all takes all away.
         * @example {
         *       "requests_per_minute": 600,
         *       "images_per_day": null
         *     }
         */
        UsageLimitsChange: {
            /**
             * @description Requests in a minute.
             * @example 600
             */
            requests_per_minute?: number | null;
            /**
             * @description Requests in a day.
             * @example 100000
             */
            requests_per_day?: number | null;
            /**
             * @description Tokens that go in, in a minute.
             * @example 1000000
             */
            tokens_per_minute?: number | null;
            /**
             * @description Tokens that go in, in a day.
             * @example 50000000
             */
            tokens_per_day?: number | null;
            /**
             * @description Pictures that come out, in a minute.
             * @example 10
             */
            images_per_minute?: number | null;
            /**
             * @description Pictures that come out, in a day.
             * @example 500
             */
            images_per_day?: number | null;
            /**
             * @description Requests that are under way at once.
             * @example 16
             */
            max_concurrency?: number | null;
        } | null;
        /** @description What the new key is called, and what it may do. What is left out is not restricted. */
        CreateKeyRequest: {
            name: components["schemas"]["KeyName"];
            owner?: components["schemas"]["KeyOwner"];
            models?: components["schemas"]["KeyModels"];
            limits?: components["schemas"]["UsageLimitsChange"];
            budget?: components["schemas"]["Budget"];
            disabled?: components["schemas"]["KeyDisabled"];
            expires_at?: components["schemas"]["KeyExpiry"];
        };
        /** @description A new key with its secret, which is shown this once. */
        CreatedKey: {
            /**
             * @example key
             * @constant
             */
            object: "key";
            id: components["schemas"]["KeyId"];
            name: components["schemas"]["KeyName"];
            owner: components["schemas"]["KeyOwner"];
            redacted_value: components["schemas"]["RedactedKey"];
            status: components["schemas"]["KeyStatus"];
            models: components["schemas"]["KeyModels"];
            limits: components["schemas"]["UsageLimits"];
            budget: components["schemas"]["Budget"];
            disabled: components["schemas"]["KeyDisabled"];
            expires_at: components["schemas"]["KeyExpiry"];
            created_at: components["schemas"]["KeyCreationTime"];
            last_used_at: components["schemas"]["KeyUseTime"];
            revoked_at: components["schemas"]["KeyRevocationTime"];
            /**
             * @description The secret. Keep it now; the gateway has only its digest.
             * @example mg_7zh0v9c3q8b5m1x6n4k2j0rt5w8ydpae3c7g91k2x
             */
            value: string;
        };
        /** @description What shall be different. What is left out stays as it is; `null` takes a restriction away. */
        ChangeKeyRequest: {
            name?: components["schemas"]["KeyName"];
            owner?: components["schemas"]["KeyOwner"];
            models?: components["schemas"]["KeyModels"];
            limits?: components["schemas"]["UsageLimitsChange"];
            budget?: components["schemas"]["Budget"];
            disabled?: components["schemas"]["KeyDisabled"];
            expires_at?: components["schemas"]["KeyExpiry"];
        };
        /** @description What was used by one group of requests. What was not grouped by is not there. */
        UsageGroup: {
            /**
             * @example usage
             * @constant
             */
            object: "usage";
            /**
             * @description The beginning of the day or hour of UTC, in Unix seconds.
             * @example 1787097600
             */
            starts_at?: number;
            /**
             * @description The id of the key; `config:` and its name for a key of the configuration file.
             * @example key_6f1f3530a1a2324b19752018
             */
            key_id?: string;
            /**
             * @description What the key was called when it was last used.
             * @example search-service
             */
            key_name?: string;
            /**
             * @description The model. `null` where no model could be made out.
             * @example gte-small
             */
            model?: string | null;
            /**
             * @description How many requests there were.
             * @example 1250
             */
            requests: number;
            /**
             * @description How many of them were answered with a status of 400 and above.
             * @example 3
             */
            failed_requests: number;
            /**
             * @description Tokens that went in.
             * @example 48211
             */
            input_tokens: number;
            /**
             * @description Tokens that came out.
             * @example 0
             */
            output_tokens: number;
            /**
             * @description Pictures that came out.
             * @example 0
             */
            images: number;
            /**
             * @description What the requests with a known price cost, in US dollars. `null` where no price is known.
             * @example 0.000964
             */
            cost_usd: number | null;
            /**
             * @description How many requests are not in `cost_usd`, because what they cost is not known.
             * @example 0
             */
            unpriced_requests: number;
        };
        /** @description What was used, sorted by time and then by name. The list is whole. */
        UsageList: {
            /**
             * @example list
             * @constant
             */
            object: "list";
            data: components["schemas"]["UsageGroup"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description What is kept of a request. Never a prompt, a vector or a picture. */
        RequestRecord: {
            /**
             * @example request
             * @constant
             */
            object: "request";
            /**
             * @description The `x-request-id` of the answer.
             * @example req_a3d50a6faea5e691c607f0a4902c56ab
             */
            id: string;
            /**
             * @description When the request came, in Unix seconds.
             * @example 1787150086
             */
            created_at: number;
            /**
             * @description The id of the key; `config:` and its name for a key of the configuration file.
             * @example key_6f1f3530a1a2324b19752018
             */
            key_id: string;
            /**
             * @description What the key was called then.
             * @example search-service
             */
            key_name: string;
            /**
             * @description The operation, by the name it has in this document.
             * @example createEmbedding
             */
            operation: string;
            /**
             * @description The model. `null` where no model could be made out.
             * @example gte-small
             */
            model: string | null;
            /**
             * @description The upstream that was asked last. `null` where none was, or where the caller left before its embeddings came.
             * @example local
             */
            upstream: string | null;
            /**
             * @description How many times an upstream was asked.
             * @example 1
             */
            attempts: number;
            /**
             * @description The status of the answer. 499 where the caller left before it was complete.
             * @example 200
             */
            status: number;
            /**
             * @description Tokens that went in.
             * @example 8
             */
            input_tokens: number;
            /**
             * @description Tokens that came out.
             * @example 0
             */
            output_tokens: number;
            /**
             * @description Pictures that came out.
             * @example 0
             */
            images: number;
            /**
             * @description What it cost, in US dollars. `null` where that is not known: the price, or what an upstream has made that was asked
             *     and whose answer did not come.
             * @example 1.6e-7
             */
            cost_usd: number | null;
            /**
             * @description How long it took, from its first byte to the last of its answer.
             * @example 12.4
             */
            duration_ms: number;
            /**
             * @description The size of its body.
             * @example 63
             */
            request_bytes: number;
            /**
             * @description The size of its answer.
             * @example 8244
             */
            response_bytes: number;
            /**
             * @description How much of it was in the cache. `null` where the model has none.
             * @example miss
             * @enum {string|null}
             */
            cache: "hit" | "partial" | "miss" | null;
            /**
             * @description The code of its error, as the errors page lists it.
             * @example null
             */
            error_code: string | null;
        };
        /** @description Requests, the newest first. */
        RequestList: {
            /**
             * @example list
             * @constant
             */
            object: "list";
            data: components["schemas"]["RequestRecord"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description A place where a model can be had, and how much it may be given. */
        AdminTarget: {
            /**
             * @description The upstream's name in the configuration.
             * @example openai
             */
            upstream: string;
            /**
             * @description The model's name at the upstream.
             * @example text-embedding-3-small
             */
            model: string;
            /**
             * @description The share of requests it shall have.
             * @example 1
             */
            weight: number;
            /**
             * @description Lower tiers are asked first.
             * @example 1
             */
            tier: number;
            /**
             * @description How many calls may be under way there at once. `null` where there is no limit.
             * @example 32
             */
            max_concurrency: number | null;
            /**
             * @description How many calls it takes in a minute. `null` where there is no limit.
             * @example null
             */
            requests_per_minute: number | null;
            /**
             * @description How many tokens it takes in a minute. `null` where there is no limit.
             * @example null
             */
            tokens_per_minute: number | null;
            /**
             * @description Whether the gateway knows what a request costs there.
             * @example true
             */
            price_known: boolean;
        };
        /** @description A model as its operator sees it, with the targets that serve it. */
        AdminModel: {
            /**
             * @example admin.model
             * @constant
             */
            object: "admin.model";
            id: components["schemas"]["ModelId"];
            /**
             * @description What the model makes.
             * @example embedding
             * @enum {string}
             */
            type: "embedding" | "image";
            /**
             * @description How a target is chosen among those of one tier.
             * @example fastest
             * @enum {string}
             */
            strategy: "fastest" | "weighted" | "ordered";
            /**
             * @description Whether the model can be asked now.
             * @example ready
             * @enum {string}
             */
            status: "ready" | "unavailable";
            /**
             * @description Why the model is unavailable.
             * @example null
             */
            status_reason: string | null;
            limits: components["schemas"]["UsageLimits"];
            /** @description Where the model can be had. */
            targets: components["schemas"]["AdminTarget"][];
        };
        /** @description Every model, in the order of the configuration. The list is whole. */
        AdminModelList: {
            /**
             * @example list
             * @constant
             */
            object: "list";
            data: components["schemas"]["AdminModel"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description A service that models run on, without its secrets, and how it does now. */
        Upstream: {
            /**
             * @example upstream
             * @constant
             */
            object: "upstream";
            /**
             * @description Its name in the configuration.
             * @example openai
             */
            name: string;
            /**
             * @description Which dialect it speaks.
             * @example openai
             */
            provider: string;
            /**
             * @description Its address, without what could be a secret in it. `null` where it runs inside the gateway.
             * @example https://api.openai.com/v1
             */
            base_url: string | null;
            /**
             * @description Whether the gateway sends it a key.
             * @example true
             */
            has_key: boolean;
            /**
             * @description The longest a request to it may take. `null` for the default of each operation.
             * @example null
             */
            timeout_ms: number | null;
            /** @description How each of its models does now, as this gateway sees it. */
            targets: components["schemas"]["TargetState"][];
        };
        /** @description Every upstream, in the order of the configuration. The list is whole. */
        UpstreamList: {
            /**
             * @example list
             * @constant
             */
            object: "list";
            data: components["schemas"]["Upstream"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
    };
    responses: {
        /** @description The vectors, in the order of the inputs. */
        EmbeddingsCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-cache": components["headers"]["Cache"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateEmbeddingResponse"];
            };
        };
        /** @description The request is at fault. `param` names the parameter, `message` says what is expected. */
        BadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key is missing or wrong. */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "www-authenticate": components["headers"]["WwwAuthenticate"];
                "x-should-retry": components["headers"]["ShouldRetry"];
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
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There is no such model, or no such path. */
        ModelNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body, a file or a field is larger than the limit. The message gives the limit. */
        ContentTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The content type is not one that the operation takes. */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A limit was reached. Try again after `retry-after`. */
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The gateway failed. The fault is ours; quote `x-request-id`. */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The upstream failed, refused the key that the gateway holds, or gave an answer that is not valid. */
        BadGateway: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The model can not be reached now, or the database that knows the key. Try again after `retry-after`. */
        ServiceUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The upstream did not answer in time. */
        GatewayTimeout: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "x-gateway-cache": components["headers"]["Cache"];
                deprecation: components["headers"]["Deprecation"];
                link: components["headers"]["SuccessorLink"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateEmbeddingResponse"];
            };
        };
        /** @description The pictures. */
        ImagesCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                "x-gateway-failed-images": components["headers"]["FailedImages"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImagesResponse"];
                "text/event-stream": components["schemas"]["ImageGenerationStreamEvent"];
            };
        };
        /** @description The `Idempotency-Key` was used with another body. */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The pictures. */
        ImagesEdited: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-gateway-upstream": components["headers"]["Upstream"];
                "x-gateway-attempts": components["headers"]["Attempts"];
                "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                "x-gateway-failed-images": components["headers"]["FailedImages"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImagesResponse"];
                "text/event-stream": components["schemas"]["ImageEditStreamEvent"];
            };
        };
        /** @description The picture. */
        ImageFile: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "accept-ranges": components["headers"]["AcceptRanges"];
                "cache-control": components["headers"]["FileCacheControl"];
                "x-content-type-options": components["headers"]["ContentTypeOptions"];
                [name: string]: unknown;
            };
            content: {
                "image/png": Blob;
                "image/jpeg": Blob;
                "image/webp": Blob;
            };
        };
        /** @description The part of the picture that was asked for. */
        ImageFilePart: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "accept-ranges": components["headers"]["AcceptRanges"];
                "cache-control": components["headers"]["FileCacheControl"];
                "x-content-type-options": components["headers"]["ContentTypeOptions"];
                "content-range": components["headers"]["ContentRange"];
                [name: string]: unknown;
            };
            content: {
                "image/png": Blob;
                "image/jpeg": Blob;
                "image/webp": Blob;
            };
        };
        /** @description The link was not made by this gateway, or was changed. */
        InvalidSignature: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The link has expired, or the picture is gone. */
        LinkExpired: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The range is outside the file. */
        RangeNotSatisfiable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "content-range": components["headers"]["ContentRange"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The models. */
        ModelsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelList"];
            };
        };
        /** @description What is needed is in a database that can not be reached now. Try again after `retry-after`. */
        StorageUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "retry-after": components["headers"]["RetryAfter"];
                "retry-after-ms": components["headers"]["RetryAfterMs"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The model. */
        ModelRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Model"];
            };
        };
        /** @description The process lives. */
        Healthy: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Health"];
            };
        };
        /** @description Requests can be served. */
        Ready: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Readiness"];
            };
        };
        /** @description Requests can not be served now. */
        NotReady: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyList"];
            };
        };
        /** @description The key is known, but it is not the admin key. */
        AdminKeyRequired: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key, with its secret. */
        KeyCreated: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreatedKey"];
            };
        };
        /** @description The key as it is now. */
        KeyRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessKey"];
            };
        };
        /** @description There is no such key. */
        KeyNotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The key, which does not work any more. */
        KeyRevoked: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessKey"];
            };
        };
        /** @description The key was revoked, which is for good. */
        KeyRevokedAlready: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description What was used. */
        UsageRetrieved: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "cache-control": components["headers"]["NoStore"];
                "x-next-cursor": components["headers"]["NextCursor"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestList"];
                "text/csv": string;
            };
        };
        /** @description The models. */
        AdminModelsListed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UpstreamList"];
            };
        };
        /** @description The metrics. */
        MetricsRead: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "cache-control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
    };
    parameters: {
        /**
         * @description `no-cache` asks for vectors that were made now; `no-store` asks that they are not kept either. It matters only for
         *     models with a cache.
         * @example no-cache
         */
        CacheControl: string;
        /**
         * @description How long you are willing to wait, in milliseconds. It can only shorten what the gateway allows; then the answer is a 504.
         * @example 10000
         */
        TimeoutMs: number;
        /**
         * @description The id of a model, percent-encoded.
         * @example gte-small
         */
        ModelInPath: components["schemas"]["ModelId"];
        /**
         * @description A name of your own for this request. Sent again with the same name and the same body within 24 hours, it is answered
         *     with the first answer and nothing is made or paid twice; while the first is still being made, the second waits for it.
         *     The same name with another body is a 409.
         * @example order-1234-picture-1
         */
        IdempotencyKey: string;
        /**
         * @description `allow` accepts fewer pictures than `n` when some can not be made. Without it a request fails as a whole. How many
         *     failed is then in `x-gateway-failed-images`.
         * @example allow
         */
        PartialImages: "allow";
        /**
         * @description The name of the file, as the link has it.
         * @example 6f1f3530a1a2324b19752018ce756088.png
         */
        ImageFileInPath: string;
        /**
         * @description When the link stops working, in Unix seconds. Part of the link.
         * @example 1787153686
         */
        LinkExpiry: string;
        /**
         * @description Proof that the gateway made the link. Part of the link.
         * @example 8sWp3r9Zc5cYb0O2yq3mXw
         */
        LinkSignature: string;
        /**
         * @description The part of the file that is wanted, as `bytes=0-1023`.
         * @example bytes=0-1023
         */
        Range: string;
        /**
         * @description Adds the state of every target.
         * @example
         */
        Verbose: string;
        /**
         * @description The `next_cursor` of the part before. Without it the list begins at its top.
         * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
         */
        Cursor: string;
        /**
         * @description How many entries the answer may have.
         * @example 100
         */
        Limit: number;
        /**
         * @description The id of a key.
         * @example key_6f1f3530a1a2324b19752018
         */
        KeyInPath: components["schemas"]["KeyId"];
        /**
         * @description What to group by, with commas between. `day` and `hour` exclude each other. Without it all is one group.
         * @example [
         *       "key",
         *       "day"
         *     ]
         */
        GroupBy: ("key" | "model" | "day" | "hour")[];
        /**
         * @description The first moment that counts, in Unix seconds.
         * @example 1787097600
         */
        From: number;
        /**
         * @description The first moment that does not count any more, in Unix seconds.
         * @example 1787184000
         */
        To: number;
        /**
         * @description Only requests with the key of this id.
         * @example key_6f1f3530a1a2324b19752018
         */
        KeyFilter: string;
        /**
         * @description Only requests for this model.
         * @example gte-small
         */
        ModelFilter: string;
        /**
         * @description Only requests for this operation.
         * @example createEmbedding
         */
        OperationFilter: "createEmbedding" | "createEmbeddingLegacy" | "createImage" | "createImageEdit" | "listModels" | "retrieveModel";
        /**
         * @description Only requests that were answered with this status.
         * @example 429
         */
        StatusFilter: number;
        /**
         * @description Only requests that failed with this code.
         * @example rate_limit_exceeded
         */
        ErrorCodeFilter: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request. Quote it when you ask about it. */
        RequestId: string;
        /** @description The upstream that answered, or failed last, where one was asked. An operator may switch it off. */
        Upstream: string;
        /** @description How many times upstreams were asked. An operator may switch it off. */
        Attempts: number;
        /**
         * @description Whether the vectors came from the gateway's cache: `hit`, all of them; `partial`, some; `miss`, none. Absent for a model
         *     without a cache.
         */
        Cache: "hit" | "partial" | "miss";
        /** @description `false`: the same request would fail again. */
        ShouldRetry: "false";
        /** @description How to authenticate. */
        WwwAuthenticate: string;
        /** @description Seconds to wait before the next try. */
        RetryAfter: number;
        /** @description The same wait in milliseconds. */
        RetryAfterMs: number;
        /** @description When this path was deprecated, as RFC 9745 writes it. */
        Deprecation: string;
        /** @description The path to use instead. */
        SuccessorLink: string;
        /** @description `true`: this is the stored answer to an earlier request with the same `Idempotency-Key`. */
        IdempotentReplayed: "true";
        /** @description How many of the pictures could not be made, where the caller accepts fewer. */
        FailedImages: number;
        /** @description Parts of the file may be asked for. */
        AcceptRanges: "bytes";
        /** @description How long a browser may keep the picture. */
        FileCacheControl: string;
        /** @description Browsers believe the content type. */
        ContentTypeOptions: "nosniff";
        /** @description Which bytes of how many. */
        ContentRange: string;
        /** @description What the admin API answers is for the caller alone, and not for a cache. */
        NoStore: "no-store";
        /** @description The same as `next_cursor`, for answers that have no place for it. Absent at the end. */
        NextCursor: string;
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
                 * @description `no-cache` asks for vectors that were made now; `no-store` asks that they are not kept either. It matters only for
                 *     models with a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description How long you are willing to wait, in milliseconds. It can only shorten what the gateway allows; then the answer is a 504.
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
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
                 * @description `no-cache` asks for vectors that were made now; `no-store` asks that they are not kept either. It matters only for
                 *     models with a cache.
                 * @example no-cache
                 */
                "cache-control"?: components["parameters"]["CacheControl"];
                /**
                 * @description How long you are willing to wait, in milliseconds. It can only shorten what the gateway allows; then the answer is a 504.
                 * @example 10000
                 */
                "x-gateway-timeout-ms"?: components["parameters"]["TimeoutMs"];
            };
            path: {
                /**
                 * @description The id of a model, percent-encoded.
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createImage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your own for this request. Sent again with the same name and the same body within 24 hours, it is answered
                 *     with the first answer and nothing is made or paid twice; while the first is still being made, the second waits for it.
                 *     The same name with another body is a 409.
                 * @example order-1234-picture-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `allow` accepts fewer pictures than `n` when some can not be made. Without it a request fails as a whole. How many
                 *     failed is then in `x-gateway-failed-images`.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description How long you are willing to wait, in milliseconds. It can only shorten what the gateway allows; then the answer is a 504.
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createImageEdit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your own for this request. Sent again with the same name and the same body within 24 hours, it is answered
                 *     with the first answer and nothing is made or paid twice; while the first is still being made, the second waits for it.
                 *     The same name with another body is a 409.
                 * @example order-1234-picture-1
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `allow` accepts fewer pictures than `n` when some can not be made. Without it a request fails as a whole. How many
                 *     failed is then in `x-gateway-failed-images`.
                 * @example allow
                 */
                "x-gateway-partial"?: components["parameters"]["PartialImages"];
                /**
                 * @description How long you are willing to wait, in milliseconds. It can only shorten what the gateway allows; then the answer is a 504.
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ModelNotAllowed"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    retrieveImageFile: {
        parameters: {
            query?: {
                /**
                 * @description When the link stops working, in Unix seconds. Part of the link.
                 * @example 1787153686
                 */
                expires?: components["parameters"]["LinkExpiry"];
                /**
                 * @description Proof that the gateway made the link. Part of the link.
                 * @example 8sWp3r9Zc5cYb0O2yq3mXw
                 */
                signature?: components["parameters"]["LinkSignature"];
            };
            header?: {
                /**
                 * @description The part of the file that is wanted, as `bytes=0-1023`.
                 * @example bytes=0-1023
                 */
                range?: components["parameters"]["Range"];
            };
            path: {
                /**
                 * @description The name of the file, as the link has it.
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
            400: components["responses"]["BadRequest"];
            403: components["responses"]["InvalidSignature"];
            410: components["responses"]["LinkExpired"];
            416: components["responses"]["RangeNotSatisfiable"];
            500: components["responses"]["InternalError"];
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
            401: components["responses"]["Unauthorized"];
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
                 * @description The id of a model, percent-encoded.
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
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
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
        };
    };
    checkReadiness: {
        parameters: {
            query?: {
                /**
                 * @description Adds the state of every target.
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
            503: components["responses"]["NotReady"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the part before. Without it the list begins at its top.
                 * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many entries the answer may have.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["KeysListed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    retrieveKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["KeyRetrieved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["KeyNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a key.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["KeyRevoked"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["KeyNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    changeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a key.
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            404: components["responses"]["KeyNotFound"];
            409: components["responses"]["KeyRevokedAlready"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    retrieveUsage: {
        parameters: {
            query?: {
                /**
                 * @description What to group by, with commas between. `day` and `hour` exclude each other. Without it all is one group.
                 * @example [
                 *       "key",
                 *       "day"
                 *     ]
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description The first moment that counts, in Unix seconds.
                 * @example 1787097600
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The first moment that does not count any more, in Unix seconds.
                 * @example 1787184000
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Only requests with the key of this id.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key?: components["parameters"]["KeyFilter"];
                /**
                 * @description Only requests for this model.
                 * @example gte-small
                 */
                model?: components["parameters"]["ModelFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UsageRetrieved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the part before. Without it the list begins at its top.
                 * @example MTc4NzE1MDA4NjAwMC5yZXFfYTNk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many entries the answer may have.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The first moment that counts, in Unix seconds.
                 * @example 1787097600
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The first moment that does not count any more, in Unix seconds.
                 * @example 1787184000
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Only requests with the key of this id.
                 * @example key_6f1f3530a1a2324b19752018
                 */
                key?: components["parameters"]["KeyFilter"];
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
                 * @description Only requests that were answered with this status.
                 * @example 429
                 */
                status?: components["parameters"]["StatusFilter"];
                /**
                 * @description Only requests that failed with this code.
                 * @example rate_limit_exceeded
                 */
                error_code?: components["parameters"]["ErrorCodeFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RequestsListed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminKeyRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailable"];
        };
    };
}

import type { ApiPromise } from './api-promise.js'
import { type ApiRequest, type HttpClient, randomKey } from './http-client.js'
import type { RequestOptions } from './request-options.js'
import { sendWithProgress, type UploadProgress } from './send-with-progress.js'

/** A file of the browser or of Node's `openAsBlob`, or a name with contents. A stream is sent as it arrives. */
export type UploadInput =
  | File
  | {
      name: string
      contents:
        | Blob
        | ArrayBuffer
        | Uint8Array<ArrayBuffer>
        | string
        | ReadableStream<Uint8Array>
        | AsyncIterable<Uint8Array>
      /** The media type. The service checks the content in any case. */
      type?: string
    }

export interface UploadOptions extends RequestOptions {
  /** Called with the upload progress. In a browser it is not called with a custom `fetch`. */
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

interface FilePart {
  readonly name: string
  readonly type: string
  readonly source: Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>
}

export function uploadFile<Data>(
  http: HttpClient,
  request: ApiRequest,
  input: UploadInput,
  { onProgress = () => undefined, ...options }: UploadOptions,
): ApiPromise<Data> {
  const part = partOf(input)
  if (part.source instanceof Blob) {
    if (!isBrowser()) return http.json({ ...request, makeBody: () => streamBody(part, onProgress) }, options)
    const { source } = part
    const makeBody = () => ({ body: formOf(part, source) })
    const way = http.config.hasOwnFetch ? {} : { fetch: sendWithProgress(source.size, onProgress) }
    return http.json({ ...request, ...way, makeBody }, options)
  }
  // A stream can be read only once.
  return http.json(
    { ...request, makeBody: () => streamBody(part, onProgress) },
    { ...options, maxRetries: 0 },
  )
}

function partOf(input: UploadInput): FilePart {
  if (input instanceof File) return { name: input.name, type: input.type || unknownType, source: input }
  const { name, contents, type = unknownType } = input
  const isBlobPart =
    typeof contents === 'string' || contents instanceof ArrayBuffer || ArrayBuffer.isView(contents)
  return { name, type, source: isBlobPart ? new Blob([contents]) : contents }
}

const unknownType = 'application/octet-stream'
const pieceBytes = 65_536

const isBrowser = () => 'XMLHttpRequest' in globalThis

function formOf({ name, type }: FilePart, source: Blob): FormData {
  const form = new FormData()
  form.set('file', new File([source], name, { type }))
  return form
}

/** A form with one file, streamed so that it need not fit into memory. */
function streamBody(part: FilePart, onProgress: (progress: UploadProgress) => void) {
  const boundary = `parley-${randomKey()}`
  const chunks = formChunks(part, boundary, onProgress)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return()
    },
  })
  return { body, contentType: `multipart/form-data; boundary=${boundary}` }
}

async function* formChunks(
  { name, type, source }: FilePart,
  boundary: string,
  onProgress: (progress: UploadProgress) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  const quoted = name.replaceAll(/["\r\n]/g, encodeURIComponent)
  yield encoder.encode(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted}"\r\ncontent-type: ${type}\r\n\r\n`,
  )
  const totalBytes = source instanceof Blob ? source.size : null
  let sentBytes = 0
  for await (const chunk of piecesOf(source)) {
    yield chunk
    sentBytes += chunk.byteLength
    onProgress({ sentBytes, totalBytes })
  }
  yield encoder.encode(`\r\n--${boundary}--\r\n`)
}

/** Small enough for visible progress. Not every runtime can iterate a stream. */
async function* piecesOf(source: FilePart['source']): AsyncGenerator<Uint8Array, void, undefined> {
  if (source instanceof Blob) {
    for (let at = 0; at < source.size; at += pieceBytes)
      yield new Uint8Array(await source.slice(at, at + pieceBytes).arrayBuffer())
  } else if (source instanceof ReadableStream) {
    const reader = source.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } else yield* source
}

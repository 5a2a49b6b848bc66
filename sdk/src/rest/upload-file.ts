import type { ApiPromise } from './api-promise.js'
import { type ApiRequest, type HttpClient, randomKey } from './http-client.js'
import type { RequestOptions } from './request-options.js'

/** A file of the browser or of Node's `openAsBlob`, or a name with contents. A stream is sent as it comes. */
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
      /** The media type; the service looks at the contents in any case. */
      type?: string
    }

export interface UploadProgress {
  readonly sentBytes: number
  /** Null for a stream, whose length nobody knows. */
  readonly totalBytes: number | null
}

export interface UploadOptions extends RequestOptions {
  /** Called as the file goes out. In a browser, whose `fetch` cannot send a stream, once: when it is all out. */
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
    const { source } = part
    const makeBody = isBrowser()
      ? () => formBody(part, source, onProgress)
      : () => streamBody(part, onProgress)
    return http.json({ ...request, makeBody }, options)
  }
  // A stream can be read once.
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

const isBrowser = () => 'XMLHttpRequest' in globalThis

function formBody({ name, type }: FilePart, source: Blob, onProgress: (progress: UploadProgress) => void) {
  const body = new FormData()
  body.set('file', new File([source], name, { type }))
  onProgress({ sentBytes: source.size, totalBytes: source.size })
  return { body }
}

/** A form of one file, written as it is read, so that it need not fit into memory. */
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

/** Not every runtime can iterate a stream. */
async function* piecesOf(source: FilePart['source']): AsyncGenerator<Uint8Array, void, undefined> {
  if (Symbol.asyncIterator in source && !(source instanceof ReadableStream)) return yield* source
  const reader = (source instanceof Blob ? source.stream() : source).getReader()
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
      if (value !== undefined) yield value
  } finally {
    reader.releaseLock()
  }
}

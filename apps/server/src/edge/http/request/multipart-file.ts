import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { DomainError, invalidRequest } from '../../../domain/domain-error.js'
import type { IncomingFile } from '../../../domain/files/files.js'
import type { App } from '../services.js'

const field = 'file'
/** The size limit for a form without its file: boundaries, headers, and a preamble. */
const maxEnvelopeBytes = 64 * 1024
const maxHeaderBytes = 16 * 1024

/** The route adds the signal, which aborts when the sender disconnects. */
type FormFile = Omit<IncomingFile, 'signal'>
/** The part of the file that is known after parsing. The size limit is already known before. */
type FilePart = Omit<FormFile, 'maxBytes'>

const fileError = (message: string) => invalidRequest([{ path: field, message }])

/** Accepts only forms on these routes. Does not parse them, so that the handler can read them as a stream. */
export function registerMultipartBody(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new DomainError('UnsupportedMediaType', 'Send the file as Content-Type: multipart/form-data.')),
  )
}

/**
 * Returns the only file of a multipart form as a stream. An error in the form may appear at any time, even
 * after the file. In this case, reading the contents throws it. The form is read only as fast as the
 * contents.
 */
export function readMultipartFile(request: IncomingMessage, maxFileBytes: number): Promise<FormFile> {
  const announcedBytes = Number(request.headers['content-length'] ?? maxFileBytes)
  if (announcedBytes > maxFileBytes + maxEnvelopeBytes) return Promise.reject(tooLarge(maxFileBytes))
  return new Promise((resolve, reject) => {
    const maxBytes = Math.min(announcedBytes, maxFileBytes)
    const form = new MultipartForm(request, maxFileBytes, (part) => resolve({ ...part, maxBytes }), reject)
    form.start()
  })
}

class MultipartForm {
  readonly #request: IncomingMessage
  readonly #maxFileBytes: number
  readonly #resolve: (part: FilePart) => void
  readonly #reject: (error: Error) => void
  #file: BusboyFileStream | null = null
  #failure: Error | null = null
  #onEnd: () => void = () => undefined
  /** Resolves when the form has ended, with or without an error. */
  readonly #ended = new Promise<void>((resolve) => {
    this.#onEnd = resolve
  })

  constructor(
    request: IncomingMessage,
    maxFileBytes: number,
    resolve: (part: FilePart) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request
    this.#maxFileBytes = maxFileBytes
    this.#resolve = resolve
    this.#reject = reject
  }

  start(): void {
    const parser = this.#makeParser()
    if (parser === null) return this.#fail(fileError('cannot be found: the form has no boundary'))
    let receivedBytes = 0
    this.#request.on('data', (piece: Buffer) => {
      receivedBytes += piece.length
      if (receivedBytes > this.#maxFileBytes + maxEnvelopeBytes) this.#fail(tooLarge(this.#maxFileBytes))
    })
    this.#request.once('error', () => this.#fail(cutOff()))
    this.#request.once('close', () => {
      if (!this.#request.complete) this.#fail(cutOff())
    })
    parser.on('file', (name, stream, fileName, _encoding, type) =>
      this.#takePart(name, stream, fileName, type),
    )
    parser.on('error', () => this.#fail(fileError('is in a form that is malformed or truncated')))
    parser.on('finish', () => {
      if (this.#file === null) this.#fail(fileError(`is missing: send it in a field named ${field}`))
      this.#onEnd()
    })
    this.#request.pipe(parser)
  }

  #makeParser() {
    try {
      return new Busboy({
        headers: { ...this.#request.headers, 'content-type': this.#request.headers['content-type'] ?? '' },
        // Treats every part as a file, so that all parts get the same checks. A second part is rejected.
        isPartAFile: () => true,
        limits: { fileSize: this.#maxFileBytes, parts: 2, headerPairs: 20, headerSize: maxHeaderBytes },
      })
    } catch {
      return null
    }
  }

  #takePart(
    name: string | undefined,
    stream: BusboyFileStream,
    fileName: string | undefined,
    type: string,
  ): void {
    const refuse = (error: Error) => {
      stream.resume()
      this.#fail(error)
    }
    if (name !== field) return refuse(unknownField(name))
    if (this.#file !== null) return refuse(fileError('was sent twice: send one file per request'))
    if (fileName === undefined) return refuse(fileError('must have a file name'))
    this.#file = stream
    stream.once('limit', () => this.#fail(tooLarge(this.#maxFileBytes)))
    stream.on('error', () => this.#fail(fileError('is in a form that is malformed or truncated')))
    this.#resolve({ name: fileName, declaredType: type, content: this.#content(stream) })
  }

  async *#content(stream: Readable): AsyncGenerator<Buffer, void> {
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) yield piece
    } catch (error) {
      throw this.#failure ?? error
    }
    await this.#ended
    if (this.#failure !== null) throw this.#failure
  }

  #fail(error: Error): void {
    if (this.#failure !== null) return
    this.#failure = error
    this.#request.unpipe()
    this.#reject(error)
    this.#file?.destroy(error)
    this.#onEnd()
  }
}

function unknownField(name = ''): DomainError {
  const message = `is not a field of this form: send the file in a field named ${field}`
  return invalidRequest([{ path: name.slice(0, 100), message }])
}

function tooLarge(maxFileBytes: number): DomainError {
  return new DomainError('TooLarge', `The file is larger than ${maxFileBytes} bytes.`)
}

/** The sender disconnected. */
export const cutOff = () => fileError('is incomplete: the upload was interrupted')

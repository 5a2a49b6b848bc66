import type { OutboundResponse } from '../../ports/outbound.js'
import type { ToolOutcome } from '../../ports/tool-executor.js'
import type { Concealer } from '../secret-redaction/conceal-secrets.js'
import { failed, succeeded } from '../secret-redaction/outcomes.js'
import { type ContentType, contentTypeOf } from './content-type.js'

/**
 * The maximum length of a failure's body for the model, in characters, and the number of bytes read for it.
 */
const failureLength = 2000
const failureBytes = 64 * 1024

/** Reads the whole response. For a failed request, reads only as much as the model receives. */
export async function readResponse(response: OutboundResponse, conceal: Concealer): Promise<ToolOutcome> {
  const type = contentTypeOf(response.headers.get('content-type'))
  const isOk = response.status >= 200 && response.status < 300
  return isOk ? readSuccess(response, type) : readFailure(response, type, conceal)
}

async function readSuccess(response: OutboundResponse, type: ContentType): Promise<ToolOutcome> {
  const bytes = await response.bytes()
  if (bytes.byteLength === 0) return succeeded(`The tool answered HTTP ${response.status} with no content.`)
  const text = type.toText(bytes)
  if (text === null)
    return succeeded(
      `The tool returned ${bytes.byteLength} bytes of ${type.name}, which is not text and was omitted.`,
    )
  return succeeded(type.isJson ? compactJson(text) : text)
}

async function readFailure(
  response: OutboundResponse,
  type: ContentType,
  conceal: Concealer,
): Promise<ToolOutcome> {
  const { bytes, isCut } = await readBeginning(response)
  const all = conceal(type.toText(bytes) ?? `${type.name}, which is not text and was omitted`)
  // The end of the text is dropped, because the cut may split a secret, which would then not be recognized.
  const text = isCut ? all.slice(0, Math.max(0, all.length - conceal.longestLength)) : all
  return failed(`HTTP ${response.status}: ${text.trim().slice(0, failureLength)}`.replace(/: $/, ''))
}

async function readBeginning(response: OutboundResponse): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > failureBytes) return { bytes: Buffer.concat(chunks), isCut: true }
  }
  return { bytes: Buffer.concat(chunks), isCut: false }
}

const [quote, backslash] = ['"', '\\'].map((character) => character.charCodeAt(0))
const spaces = new Set([' ', '\t', '\n', '\r'].map((character) => character.charCodeAt(0)))

/**
 * The number of characters to keep. It exceeds the maximum output length, so that secrets at the end of the
 * output are complete and can be redacted.
 */
const maxReadLength = 128 * 1024

/**
 * Removes white space between tokens, up to the length that is used. Parsing and serializing would round long
 * numbers. Each character is read only once, whereas a regular expression for strings would restart at every
 * quote of an unterminated string.
 */
function compactJson(text: string): string {
  const pieces: string[] = []
  let pieceStart = 0
  let keptLength = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    if (keptLength + index - pieceStart > maxReadLength) break
    const code = text.charCodeAt(index)
    if (isInString && code === backslash) index += 1
    else if (code === quote) isInString = !isInString
    else if (!isInString && spaces.has(code)) {
      if (index > pieceStart) pieces.push(text.slice(pieceStart, index))
      keptLength += index - pieceStart
      pieceStart = index + 1
    }
  }
  pieces.push(text.slice(pieceStart))
  return pieces.join('')
}

import { makeFileText } from '#server/adapters/file-text/file-text.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import type { ReadOutcome, ReadPassage } from '#server/ports/file-text.js'

const ignore = () => undefined
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

export type ReadFile = Parameters<ReturnType<typeof makeFileText>['read']>[0]

export const makeReader = (tuning: Parameters<typeof makeFileText>[1] = {}) =>
  makeFileText({ log, timers: systemTimers }, tuning)

/** Reads a whole file. Returns the outcome and the passages. */
export async function readWhole(
  content: Buffer | string,
  contentType: ReadFile['contentType'],
  reader = makeReader(),
  organizationId = 'organization',
): Promise<{ outcome: ReadOutcome; passages: ReadPassage[] }> {
  const bytes = Buffer.from(content)
  const passages: ReadPassage[] = []
  const outcome = await reader.read({
    organizationId,
    contentType,
    sizeBytes: bytes.length,
    content: inPieces(bytes),
    signal: new AbortController().signal,
    onPassages: async (some) => void passages.push(...some),
  })
  return { outcome, passages }
}

async function* inPieces(bytes: Buffer, pieceBytes = 7001): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield bytes.subarray(start, start + pieceBytes)
}

import type { ReadOutcome, ReadPassage, ReadRequest } from '../../ports/file-text.js'
import { MarkdownSections } from './markdown-sections.js'
import { PassageCutter } from './passage-cutter.js'
import { encodingOf } from './text-check.js'

const lengthAtOnce = 16 * 1024

/**
 * Reads text in pieces. It runs in this process, because a piece takes only a millisecond or two and nothing
 * is parsed.
 */
export async function readPlainText({
  contentType,
  content,
  signal,
  onPassages,
}: ReadRequest): Promise<ReadOutcome> {
  const cutter = new PassageCutter()
  const text = contentType === 'text/markdown' ? new MarkdownSections(cutter) : cutter
  const give = async (passages: readonly ReadPassage[]) => {
    signal.throwIfAborted()
    if (passages.length > 0) await onPassages(passages)
  }
  for await (const decoded of decode(content)) await give(text.add(decoded))
  await give(text.end())
  return { kind: 'read' }
}

/** Yields text in short pieces, so that the event loop serves other work in between. */
async function* decode(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder = new TextDecoder()
  let isFirst = true
  for await (const piece of content) {
    if (isFirst) decoder = new TextDecoder(encodingOf(piece))
    isFirst = false
    const text = decoder.decode(piece, { stream: true })
    for (let start = 0; start < text.length; start += lengthAtOnce)
      yield text.slice(start, start + lengthAtOnce)
  }
  yield decoder.decode()
}

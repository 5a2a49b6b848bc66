import type { OutboundFailure } from '../../ports/outbound.js'
import { pieceBytes, takeByteShare } from './answer-share.js'

/**
 * The size limit for an event. It is necessary because an event is parsed at once. It is several times the
 * size of the longest arguments of a call.
 */
const maxEventBytes = 4 * 1024 * 1024
const [lineFeed, carriageReturn] = [0x0a, 0x0d]

class LongEvent extends Error implements OutboundFailure {
  readonly reason = 'too-large'
  readonly detail = `The provider sent an event of more than ${maxEventBytes / 1024 / 1024} MiB.`
}

/**
 * Returns the same response with an event stream that is read in small pieces, so that other work runs in
 * between.
 */
export function paced(response: Response): Response {
  const { body, status, statusText, headers, url } = response
  if (body === null || !/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) return response
  const slow = new Response(pacedBody(body), { status, statusText, headers })
  // The Response constructor cannot set the URL.
  return Object.defineProperty(slow, 'url', { value: url })
}

function pacedBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const event = new EventLength()
  let rest: Uint8Array = new Uint8Array(0)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (rest.length === 0) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          rest = value
        }
        const piece = rest.subarray(0, pieceBytes)
        rest = rest.subarray(piece.length)
        const share = takeByteShare(piece.length)
        if (share !== null) await share
        if (event.add(piece) > maxEventBytes) {
          reader.cancel().catch(() => undefined)
          throw new LongEvent()
        }
        controller.enqueue(piece)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Counts the bytes since the last empty line, which ends an event. */
class EventLength {
  #length = 0
  #isLineEmpty = true
  #last = 0

  /** Returns the length of the longest event up to the end of these bytes. */
  add(piece: Uint8Array): number {
    let greatest = this.#length
    for (const code of piece) {
      this.#length += 1
      if (code !== lineFeed && code !== carriageReturn) this.#isLineEmpty = false
      else if (code === carriageReturn || this.#last !== carriageReturn) {
        if (this.#isLineEmpty) this.#length = 0
        this.#isLineEmpty = true
      }
      this.#last = code
      if (this.#length > greatest) greatest = this.#length
    }
    return greatest
  }
}

import { ConnectionError } from './api-error.js'

/** One server-sent event. An event without data only moves the cursor to resume from. */
export interface ServerSentEvent {
  readonly id: string
  readonly data: string
}

/** The events of a stream until it ends. Throws a `ConnectionError` if it is interrupted or silent for too long. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  idleMilliseconds: number,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await readInTime(reader, idleMilliseconds)
      if (done) return
      text += decoder.decode(value, { stream: true })
      // An event ends with an empty line. The rest after the last one is incomplete.
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventIn(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    // The cancellation is not awaited, because this connection may not respond.
    reader.cancel().catch(() => undefined)
  }
}

function readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  idleMilliseconds: number,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ConnectionError(`The stream was silent for ${idleMilliseconds} ms.`)),
      idleMilliseconds,
    )
    reader
      .read()
      .then(resolve, (cause: unknown) =>
        reject(new ConnectionError('The stream was interrupted.', { cause })),
      )
      .finally(() => clearTimeout(timer))
  })
}

/** Undefined for a comment, which only keeps the connection alive. */
function eventIn(block: string): ServerSentEvent | undefined {
  let id = ''
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'id') id = value
    if (field === 'data') data.push(value)
  }
  return data.length === 0 && id === '' ? undefined : { id, data: data.join('\n') }
}

import { v7 as uuid } from 'uuid'
import { type ChatCall, type ChatUsage, noUsage } from '../../ports/chat-model.js'
import type { ProviderStream } from './provider-model.js'
import { StreamFailure } from './stream-failure.js'

type StreamPart = ProviderStream extends ReadableStream<infer Part> ? Part : never
type Finish = Extract<StreamPart, { type: 'finish' }>

/** The answer so far: filled while the stream is read, so that a failure keeps what was said. */
export class StreamedAnswer {
  readonly #onText: ((delta: string) => void) | undefined
  text = ''
  usage = noUsage
  readonly calls: ChatCall[] = []
  isCutOff = false

  constructor(onText: ((delta: string) => void) | undefined) {
    this.#onText = onText
  }

  /** Reads the stream to its end; throws where it has no proper one. `race` bounds each wait for the provider. */
  async read(stream: ProviderStream, race: <T>(work: Promise<T>) => Promise<T>): Promise<void> {
    const reader = stream.getReader()
    let finish: Finish | undefined
    try {
      for (;;) {
        const { done, value } = await race(reader.read())
        if (done) break
        if (value.type === 'finish') finish = value
        else this.#handle(value)
      }
    } finally {
      reader.cancel().catch(() => undefined)
    }
    // A provider says why it has finished; where it does not, the answer broke off.
    if (finish?.finishReason.raw === undefined) throw new StreamFailure('broken-off')
    this.usage = usageOf(finish)
    this.isCutOff = finish.finishReason.unified === 'length'
  }

  #handle(part: StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        if (part.delta === '') return
        this.text += part.delta
        this.#onText?.(part.delta)
        return
      case 'tool-call':
        // The arguments as the model wrote them: whether they are right is for the domain to say.
        this.calls.push({
          callId: part.toolCallId.trim() === '' ? `call_${uuid()}` : part.toolCallId,
          name: part.toolName,
          arguments: part.input,
        })
        return
      case 'error':
        throw StreamFailure.of(part.error)
    }
  }
}

function usageOf({ usage: { inputTokens, outputTokens } }: Finish): ChatUsage {
  return {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
  }
}

import { v7 as uuid } from 'uuid'
import { type ChatCall, type ChatUsage, noUsage } from '../../ports/chat-model.js'
import { maxArgumentsCharacters, omittedArguments } from '../../ports/tool-executor.js'
import { takeShare } from './answer-share.js'
import type { ProviderStream } from './provider-model.js'
import { StreamFailure } from './stream-failure.js'

type StreamPart = ProviderStream extends ReadableStream<infer Part> ? Part : never
type Finish = Extract<StreamPart, { type: 'finish' }>
type MadeCall = Extract<StreamPart, { type: 'tool-call' }>

/** A call whose arguments are incomplete. */
interface OpenCall {
  readonly toolName: string
  argumentCharacters: number
}

/** More than any model writes in a step. The rest of a longer answer is discarded. */
const maxTextCharacters = 1024 * 1024
const maxCalls = 128
const maxModelCharacters = 200

/**
 * The answer so far. It is filled while the stream is read, so that the text received before a failure is
 * kept.
 */
export class StreamedAnswer {
  readonly #onText: ((delta: string) => void) | undefined
  /** The tool whose arguments are the text of the answer. Null if there is none. */
  readonly #answerTool: string | null
  text = ''
  /** Zero until the provider starts to answer. Null if it answers but has not reported its usage. */
  usage: ChatUsage | null = noUsage
  readonly calls: ChatCall[] = []
  isCutOff = false
  #answerId: string | null = null
  /** Calls that have started and are not complete, by the provider's id. */
  readonly #open = new Map<string, OpenCall>()
  /** The total length of all arguments, including those of incomplete calls. */
  #argumentCharacters = 0
  /** The model that answers, as reported by the provider. */
  responseModel: string | undefined

  constructor(onText: ((delta: string) => void) | undefined, answerTool: string | null = null) {
    this.#onText = onText
    this.#answerTool = answerTool
  }

  /**
   * Reads the stream to its end. Throws if it ends early. `race` limits the time of each wait for the
   * provider.
   */
  async read(stream: ProviderStream, race: <T>(work: Promise<T>) => Promise<T>): Promise<void> {
    const reader = stream.getReader()
    let finish: Finish | undefined
    try {
      for (;;) {
        const { done, value } = await race(reader.read())
        if (done) break
        const share = takeShare()
        if (share !== null) await share
        if (value.type === 'finish') finish = value
        else this.#handle(value)
        if (this.isCutOff) return
      }
    } finally {
      reader.cancel().catch(() => undefined)
    }
    // Providers send the finish reason. If it is missing, the answer was truncated.
    if (finish?.finishReason.raw === undefined) throw new StreamFailure('broken-off')
    this.usage = usageOf(finish)
    this.isCutOff = finish.finishReason.unified === 'length'
  }

  #handle(part: StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        this.#append(part.delta)
        return
      case 'tool-input-start':
        if (part.toolName === this.#answerTool) this.#beginAnswer(part.id)
        else if (this.#open.size < maxCalls)
          this.#open.set(part.id, { toolName: part.toolName, argumentCharacters: 0 })
        return
      case 'tool-input-delta': {
        if (part.id === this.#answerId) return this.#append(part.delta)
        const call = this.#open.get(part.id)
        if (call !== undefined) call.argumentCharacters += part.delta.length
        this.#countArguments(part.delta.length)
        return
      }
      case 'tool-call':
        this.#complete(part)
        return
      case 'response-metadata':
        this.responseModel = part.modelId?.slice(0, maxModelCharacters)
        return
      case 'error':
        throw StreamFailure.of(part.error)
    }
  }

  /** Text before the answer does not belong to it. */
  #beginAnswer(id: string): void {
    this.#answerId = id
    this.text = ''
  }

  #complete({ toolCallId, toolName, input }: MadeCall): void {
    if (toolName === this.#answerTool) {
      if (toolCallId !== this.#answerId) this.#beginAnswer(toolCallId)
      return this.#append(input.slice(this.text.length))
    }
    const counted = this.#open.get(toolCallId)?.argumentCharacters ?? 0
    this.#open.set(toolCallId, { toolName, argumentCharacters: counted })
    // Some providers send the arguments only with the complete call.
    this.#countArguments(Math.max(0, input.length - counted))
    if (this.isCutOff) return
    this.#open.delete(toolCallId)
    // The arguments are passed on as the model wrote them, because the domain validates them.
    this.#push(toolCallId, toolName, input)
  }

  /** Stops reading if the arguments are too long. The incomplete calls then fail for that reason. */
  #countArguments(characters: number): void {
    this.#argumentCharacters += characters
    if (this.#argumentCharacters <= maxArgumentsCharacters) return
    for (const [callId, { toolName }] of this.#open) this.#push(callId, toolName, omittedArguments)
    this.#open.clear()
    this.isCutOff = true
  }

  #push(callId: string, name: string, given: string): void {
    if (this.calls.length === maxCalls) {
      this.isCutOff = true
      return
    }
    this.calls.push({ callId: callId.trim() === '' ? `call_${uuid()}` : callId, name, arguments: given })
  }

  #append(delta: string): void {
    const fitting = delta.slice(0, maxTextCharacters - this.text.length)
    this.isCutOff = fitting.length < delta.length
    if (fitting === '') return
    this.text += fitting
    this.#onText?.(fitting)
  }
}

/** The SDK's total includes cache reads and cache writes for every provider. */
function usageOf({ usage: { inputTokens, outputTokens } }: Finish): ChatUsage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null
  return {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? 0,
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { RealtimeSessionTicket } from '@parley/contract'
import { type AudioClip, samplesFromBytes } from '@parley/engine'
import { openSocket, type RealtimeClient } from '../realtime/open-socket.js'
import type { RunningService } from '../start-service.js'
import { wireRate } from './person.js'

type Event = Record<string, unknown>

export interface VoicedAnswer {
  readonly sound: AudioClip
  /** The status of its last response. */
  readonly status: string
  /** The calls that waited for approval and were approved. */
  readonly approvedCallIds: readonly string[]
  /** The backend tools that ran during the answer, in order. */
  readonly invocations: readonly Invocation[]
}

export interface Invocation {
  readonly functionName: string
  readonly arguments: unknown
  readonly approvalRequired: boolean
}

const chunkMilliseconds = 20
const chunkBytes = (wireRate / 1000) * chunkMilliseconds * 2
const silence = Buffer.alloc(chunkBytes)

/** A stretch of digital silence in microphone chunks. */
export const silenceOf = (milliseconds: number) =>
  Buffer.alloc((milliseconds / chunkMilliseconds) * chunkBytes)

/** A voice session with an agent. Its input is sound, text and approvals. */
export class SpokenSession {
  readonly conversationId: string
  readonly #client: RealtimeClient

  private constructor(conversationId: string, client: RealtimeClient) {
    this.conversationId = conversationId
    this.#client = client
  }

  static async open(
    running: Pick<RunningService, 'client' | 'url'>,
    agentId: string,
    request: object = {},
  ): Promise<SpokenSession> {
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const ticket = await running.client.call<RealtimeSessionTicket>('POST', path, { body: request })
    if (ticket.status !== 201) throw new Error(ticket.text)
    const client = await openSocket(running.url, ticket.body.webSocketPath)
    const session = new SpokenSession(ticket.body.conversationId, client)
    await session.#take('session.updated')
    return session
  }

  /**
   * Speaks and then stays silent until the agent detects the end of the turn. The words are sent faster than
   * real time. The silence is sent in real time, since the agent processes the words during it.
   */
  async say(sound: Buffer): Promise<void> {
    this.startSaying(sound)
    await this.fallSilent()
  }

  /** Sends a text message and requests a text answer. */
  write(text: string): void {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    this.#client.send({ type: 'conversation.item.create', item })
    this.#client.send({ type: 'response.create', response: { output_modalities: ['text'] } })
  }

  async fallSilent(): Promise<void> {
    await this.#keepSilentUntil(this.#take('input_audio_buffer.committed'))
  }

  /** Sends speech without waiting for a response. */
  startSaying(sound: Buffer): void {
    for (let start = 0; start < sound.length; start += chunkBytes)
      this.#append(sound.subarray(start, start + chunkBytes))
  }

  /** Waits for the agent's first sound. */
  async hearFirstSound(): Promise<void> {
    await this.#take('response.output_audio.delta')
  }

  /** Returns the status of the next response that ends. */
  async nextEnd(): Promise<string> {
    return endOf(await this.#take('response.done')).status
  }

  /**
   * Collects the next spoken answer until its end. Approves every call that waits for approval on the way.
   */
  async hearAnswer(): Promise<VoicedAnswer> {
    const sounds: Buffer[] = []
    const approvedCallIds: string[] = []
    const invocations: Invocation[] = []
    for (;;) {
      const event = await this.#next()
      const data = event.data as Event | undefined
      if (event.type === 'response.output_audio.delta')
        sounds.push(Buffer.from(String(event.delta), 'base64'))
      if (event.type === 'response.function_invocation.start' && data) invocations.push(invocationOf(data))
      if (event.type === 'approval.waiting' && data)
        this.#client.send({ type: 'approval.approve', callId: data.callId })
      if (event.type === 'approval.approved' && data) approvedCallIds.push(String(data.callId))
      if (event.type !== 'response.done') continue
      const { status, hasWords } = endOf(event)
      const sound = { samples: samplesFromBytes(Buffer.concat(sounds)), rate: wireRate }
      if (hasWords || status !== 'completed') return { sound, status, approvedCallIds, invocations }
    }
  }

  async close(): Promise<void> {
    this.#client.socket.close()
    await this.#client.inbox.closed
  }

  async #keepSilentUntil(heard: Promise<unknown>): Promise<void> {
    let isHeard = false
    const settled = heard.finally(() => {
      isHeard = true
    })
    // Prevents an unhandled rejection if the session ends before the promise is awaited.
    settled.catch(() => undefined)
    while (!isHeard) {
      this.#append(silence)
      await wait(chunkMilliseconds)
    }
    await settled
  }

  #append(chunk: Buffer): void {
    this.#client.send({ type: 'input_audio_buffer.append', audio: chunk.toString('base64') })
  }

  async #take(type: string): Promise<Event> {
    for (;;) {
      const event = await this.#next()
      if (event.type === type) return event
    }
  }

  /** Fails on an error event, which is never part of a dialogue. */
  async #next(): Promise<Event> {
    const event = await this.#client.inbox.takeJson()
    if (event.type === 'error') throw new Error(JSON.stringify(event.error))
    return event
  }
}

function endOf(event: Event): { readonly status: string; readonly hasWords: boolean } {
  const { status, output } = event.response as { status: string; output: readonly { type: string }[] }
  return { status, hasWords: output.some(({ type }) => type === 'message') }
}

function invocationOf({ functionName, arguments: given, approvalRequired }: Event): Invocation {
  return {
    functionName: String(functionName),
    arguments: JSON.parse(String(given)),
    approvalRequired: approvalRequired === true,
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { RealtimeSessionTicket } from '@parley/contract'
import { type AudioClip, samplesFromBytes } from '@parley/engine'
import { openSocket, type RealtimeClient } from '../realtime/open-socket.js'
import type { RunningService } from '../start-service.js'
import { wireRate } from './person.js'

type Event = Record<string, unknown>

export interface VoicedAnswer {
  readonly sound: AudioClip
  /** How its last response ended. */
  readonly status: string
  /** The calls that were waiting for approval and got it. */
  readonly approvedCallIds: readonly string[]
  /** The backend tools that ran meanwhile, in order. */
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

/** So much of nothing, as a microphone takes it. */
export const silenceOf = (milliseconds: number) =>
  Buffer.alloc((milliseconds / chunkMilliseconds) * chunkBytes)

/** One session of a person with an agent. What goes in is sound, or text, and approvals. */
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
   * Says something and falls silent, until the agent takes it for a turn. The words go in faster than anybody speaks;
   * the silence takes its time, since the agent thinks about the words in it.
   */
  async say(sound: Buffer): Promise<void> {
    this.startSaying(sound)
    await this.fallSilent()
  }

  /** Asks in writing, to be answered in writing. */
  write(text: string): void {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    this.#client.send({ type: 'conversation.item.create', item })
    this.#client.send({ type: 'response.create', response: { output_modalities: ['text'] } })
  }

  async fallSilent(): Promise<void> {
    await this.#keepSilentUntil(this.#take('input_audio_buffer.committed'))
  }

  /** Says something and does not wait for what comes of it. */
  startSaying(sound: Buffer): void {
    for (let start = 0; start < sound.length; start += chunkBytes)
      this.#append(sound.subarray(start, start + chunkBytes))
  }

  /** Waits until the agent is heard. */
  async hearFirstSound(): Promise<void> {
    await this.#take('response.output_audio.delta')
  }

  /** The next response that ends, and how. */
  async nextEnd(): Promise<string> {
    return endOf(await this.#take('response.done')).status
  }

  /** Listens to the end of the next answer in words, and approves whatever waits for it on the way. */
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
    // Otherwise a session that ends meanwhile would be a rejection that nobody waits for yet.
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

  /** What the service or the engine complains of is never part of a dialogue. */
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

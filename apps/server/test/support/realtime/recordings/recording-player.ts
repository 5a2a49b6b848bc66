import { setInterval } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ScriptedHttpServer } from '../../scripted-http-server.js'
import type { RealtimeClient, RealtimeTestService } from '../realtime-service.js'
import type { ProviderSession } from '../scripted-provider.js'
import { patiently } from '../spoken-turns.js'
import { AnswerEnds } from './answer-ends.js'
import { type ClientStep, clientSteps, type Fields } from './client-steps.js'
import { liveFrameMilliseconds, type Recording } from './recording.js'

export interface PlayedWith {
  readonly service: RealtimeTestService
  /** The endpoint of the agent's tools. */
  readonly tools: ScriptedHttpServer
}

interface PlayerParts extends PlayedWith {
  readonly client: RealtimeClient
  readonly recording: Recording
}

/** Plays the steps in their order: the provider must have received what our side did before the next step. */
export class RecordingPlayer {
  readonly #parts: PlayerParts
  #provider: ProviderSession
  readonly #ends = new AnswerEnds()
  /** GPT-Live hears and speaks in real time: a frame each in every tick. */
  readonly #ticks = setInterval(liveFrameMilliseconds)
  #tick = 0
  readonly #frames = { heard: 0, spoken: 0 }
  /** The steps that must have reached the provider on this connection. */
  #expected: ClientStep['step'][] = []
  /** The steps of the history. They must have reached the provider before the first words of the session. */
  readonly #history: ClientStep['step'][]
  /** Requests of the service, which it may send later than the recorded client did, but before the answer. */
  readonly #later: ClientStep['step'][] = []
  #lastStep: ClientStep['step'] | null = null

  constructor(provider: ProviderSession, parts: PlayerParts) {
    this.#provider = provider
    this.#parts = parts
    // GPT-Live receives the history with its configuration.
    const { history, isLive } = parts.recording
    this.#history = isLive ? [] : history.map(() => 'type')
  }

  async play(): Promise<void> {
    for (const step of this.#parts.recording.steps)
      if (step.step === 'receive') await this.#send(step.message)
      else if (step.step === 'close') await this.#reconnect(step)
      else await this.#act(step)
    await this.#allRequested()
    await this.#allEnded()
    await this.#ticks.return?.()
  }

  async #send(message: Fields): Promise<void> {
    const { event } = message as { readonly event?: Fields }
    if ([message.type, event?.type].includes('response.created')) await this.#allRequested()
    // A provider echoes a text when it has received it.
    if (this.#lastStep === 'type') await this.#allReceived()
    if (message.type === 'session.output_audio.delta') await this.#paceFrame('spoken')
    this.#ends.note(message)
    this.#provider.send(withOurId(message, this.#ownItems()))
  }

  async #reconnect({ code, reason }: { readonly code: number; readonly reason: string }): Promise<void> {
    await this.#allEnded()
    this.#provider.socket.close(code, reason)
    this.#provider = await this.#parts.service.provider.accept()
    this.#expected = []
  }

  async #act(step: ClientStep): Promise<void> {
    const { client, tools } = this.#parts
    const isOfService = step.step === 'request' && this.#lastStep === 'output'
    this.#lastStep = step.step
    if (isOfService) return void this.#later.push(step.step)
    if (step.step !== 'configure') this.#expected.push(...this.#history.splice(0))
    this.#expected.push(step.step)
    switch (step.step) {
      case 'append':
        if (this.#parts.recording.isLive) await this.#paceFrame('heard')
        client.send({ type: 'input_audio_buffer.append', audio: step.audio })
        // Waiting for frames of GPT-Live to arrive would slow its clock down.
        if (this.#parts.recording.isLive) return
        break
      case 'type': {
        await this.#allEnded()
        const content = [{ type: 'input_text', text: step.text }]
        client.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
        // Gemini receives a text with the request for its answer.
        return
      }
      case 'request':
        client.send({ type: 'response.create' })
        break
      case 'say':
        client.send({ type: 'response.create', response: { instructions: step.text } })
        break
      case 'commit':
        client.send({ type: 'input_audio_buffer.commit' })
        break
      case 'output':
        void tools.expect(`POST /${step.name}`, { body: step.output })
    }
    await this.#allReceived()
  }

  /** Waits until a frame is due. */
  async #paceFrame(side: 'heard' | 'spoken'): Promise<void> {
    this.#frames[side] += 1
    for (; this.#tick < this.#frames[side]; this.#tick += 1) await this.#ticks.next()
  }

  async #allRequested(): Promise<void> {
    this.#expected.push(...this.#later.splice(0))
    await this.#allReceived()
  }

  /** Waits until all expected steps have reached the provider. */
  async #allReceived(): Promise<void> {
    const missing = () => {
      const steps = this.#received().flatMap((message) => clientSteps(message, new Map()))
      const left = steps.map(({ step }) => step)
      return this.#expected.filter((step) => {
        const at = left.indexOf(step)
        if (at >= 0) left.splice(at, 1)
        return at < 0
      })
    }
    await expect.poll(missing, patiently).toEqual([])
  }

  /** Waits until the client knows the ends of all answers and the words of all turns. */
  async #allEnded(): Promise<void> {
    const count = (...types: readonly string[]) =>
      this.#parts.client.inbox.types.filter((type) => types.includes(String(type))).length
    const expected = () => (this.#parts.recording.isLive ? count('response.created') : this.#ends.count)
    await expect.poll(() => count('response.done') - expected(), patiently).toBe(0)
    const words = 'conversation.item.input_audio_transcription'
    const openTurns = () =>
      count('input_audio_buffer.committed') - count(`${words}.completed`, `${words}.failed`)
    await expect.poll(openTurns, patiently).toBe(0)
  }

  #received(): readonly Fields[] {
    return this.#provider.inbox.all.map(({ data }) => JSON.parse(data.toString()) as Fields)
  }

  #ownItems(): readonly Fields[] {
    return this.#received().flatMap(({ item }) => (item === undefined ? [] : [item as Fields]))
  }
}

/**
 * A provider keeps the ids of a client's items. The recorded client has sent none, so the recorded ids are those of the
 * provider.
 */
function withOurId(message: Fields, ownItems: readonly Fields[]): Fields {
  const item = message.item as Fields | undefined
  if (item === undefined || !String(message.type).startsWith('conversation.item.')) return message
  const own = ownItems.find(
    ({ id, role, content }) => id !== undefined && role === item.role && sameText(content, item.content),
  )
  return own === undefined ? message : { ...message, item: { ...item, id: own.id } }
}

function sameText(one: unknown, other: unknown): boolean {
  const textIn = (content: unknown) =>
    Array.isArray(content) ? content.map(({ text }: Fields) => text ?? '').join('') : ''
  return textIn(one) !== '' && textIn(one) === textIn(other)
}

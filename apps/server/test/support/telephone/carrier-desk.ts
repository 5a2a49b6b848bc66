import { once } from 'node:events'
import type { PhoneCall, PhoneConnection } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  type ScriptedCarrier,
  scriptedCarriers,
} from '../../../../../packages/telephone/test/streams/support/scripted-carriers.js'
import type { ApiAnswer } from '../api-client.js'
import { FrameInbox } from '../realtime/frame-inbox.js'
import type { RealtimeTestService } from '../realtime/realtime-service.js'
import type { ProviderSession } from '../realtime/scripted-provider.js'
import type { CarrierScript, Parties, StreamTarget, Webhook } from './carrier-script.js'
import { type ScriptedApi, startScriptedApi } from './scripted-api.js'

/** The media socket of a call, from the carrier's side. */
export interface CarrierStream {
  readonly socket: WebSocket
  readonly inbox: FrameInbox
  readonly frames: ScriptedCarrier
  /** Sends 20 ms of sound. */
  speak(sound: Buffer): void
  press(digit: string): void
  /** Returns the next sound of the agent, as mu-law. */
  heard(): Promise<Buffer>
}

/** The frames of the carrier's media sockets. */
export function framesOf(kind: string): ScriptedCarrier {
  const found = scriptedCarriers.find(([name]) => name === kind)?.[1]
  if (!found) throw new Error(`no carrier ${kind}`)
  return found
}

/** Opens a media socket without a first message. */
export async function openMedia(
  frames: ScriptedCarrier,
  url: string,
  { headers, subprotocols }: { headers: Readonly<Record<string, string>>; subprotocols: readonly string[] },
): Promise<CarrierStream> {
  const socket = new WebSocket(url, [...subprotocols], { headers: { ...headers } })
  const inbox = new FrameInbox(socket)
  await once(socket, 'open')
  let number = 0
  return {
    ...{ socket, inbox, frames },
    speak(sound) {
      number += 1
      socket.send(frames.audio(sound, number))
    },
    press: (digit) => socket.send(frames.digit(digit)),
    async heard() {
      for (;;) {
        const { data, isBinary } = await inbox.take()
        const sound = frames.readAudio(isBinary ? data : data.toString())
        if (sound !== null) return sound
      }
    },
  }
}

/** A phone connection of one carrier with one number, and the carrier's side of it. */
export class CarrierDesk {
  readonly running: RealtimeTestService
  readonly script: CarrierScript
  readonly ownNumber: string
  readonly guest = '+4930765432'
  #connection: PhoneConnection | null = null
  #api: ScriptedApi | null = null
  #nextCallId = ''

  constructor(running: RealtimeTestService, script: CarrierScript) {
    this.running = running
    this.script = script
    const digits = { twilio: 1, telnyx: 2, plivo: 3, vonage: 4 }[script.kind]
    this.ownNumber = `+493012345${digits}`
  }

  get connection(): PhoneConnection {
    if (this.#connection === null) throw new Error('not open')
    return this.#connection
  }

  get api(): ScriptedApi {
    if (this.#api === null) throw new Error('not open')
    return this.#api
  }

  get webhooks(): string {
    return `${this.running.url}/phone/${this.connection.id}`
  }

  async open(): Promise<void> {
    const { script, running } = this
    this.#api = await startScriptedApi((request) => script.respond(request, this.#nextCallId))
    this.#connection = await this.#create<PhoneConnection>('PhoneConnection', {
      ...{ name: script.kind, ...script.account, baseUrl: this.api.baseUrl, allowedPrefixes: ['+49'] },
    })
    await this.#create('PhoneNumber', {
      ...{ name: 'Desk', number: this.ownNumber, phoneConnectionId: this.connection.id },
      ...{ agentId: running.agentId, greeting: 'Good day.' },
      transferTargets: [{ name: 'Porter', number: '+4930111111' }],
    })
  }

  parties(callId: string = uuid()): Parties {
    return { callId, from: this.guest, to: this.ownNumber }
  }

  /** Sends a signed webhook. */
  async send(webhook: Webhook, url: string, headers?: Readonly<Record<string, string>>) {
    const { method, query, contentType, body } = webhook
    const address = query ? `${url}?${new URLSearchParams(query)}` : url
    const answer = await fetch(address, {
      method,
      headers: {
        ...(contentType && { 'content-type': contentType }),
        ...(headers ?? this.script.sign(webhook, address)),
      },
      ...(method === 'POST' && { body }),
    })
    return { status: answer.status, text: await answer.text() }
  }

  /** Announces a call, and returns the socket that the service asks for. The model is ready before. */
  async ring(parties: Parties): Promise<{ model: ProviderSession; target: StreamTarget }> {
    const { script } = this
    const ringing = this.send(script.announce(parties), `${this.webhooks}/answer`)
    const model = await this.running.provider.accept()
    await model.inbox.takeType('session.update')
    model.send({ type: 'session.updated', session: {} })
    const answered = await ringing
    expect(answered.status).toBeLessThan(300)
    const { isAnswer } = script
    if (!isAnswer) return { model, target: script.streamIn(answered.text) }
    const { body } = await this.api.take((request) => isAnswer(request, parties.callId))
    return { model, target: script.streamIn(body) }
  }

  async stream({ url, token }: StreamTarget, callId: string): Promise<CarrierStream> {
    const { script } = this
    const frames = framesOf(script.kind)
    const { subprotocols } = script
    const stream = await openMedia(frames, url, { headers: script.signHandshake(url), subprotocols })
    for (const frame of frames.startOf({ callId, token })) stream.socket.send(frame)
    return stream
  }

  /** An answered incoming call. */
  async incoming() {
    const parties = this.parties()
    const { model, target } = await this.ring(parties)
    const stream = await this.stream(target, parties.callId)
    const call = await this.newest({ state: 'active', providerCallId: parties.callId })
    return { call, callId: parties.callId, parties, model, stream }
  }

  /** An outgoing call that the carrier has taken. */
  async dial() {
    const callId = uuid()
    this.#nextCallId = callId
    const { agentId } = this.running
    const made = await this.call<PhoneCall>('POST', `Agent/${agentId}/call`, {
      ...{ to: this.guest, from: this.ownNumber },
    })
    expect(made.status).toBe(201)
    const request = await this.api.take((each) => this.script.isDial(each))
    const parties = { callId, from: this.ownNumber, to: this.guest }
    const { dialed } = this.script
    return { call: made.body, parties, request, ...dialed(request) }
  }

  call<Body>(method: string, path: string, body?: object): Promise<ApiAnswer<Body>> {
    return this.running.client.call<Body>(method, `/api/v1/${path}`, body && { body })
  }

  /** Waits until the newest call of this carrier has these fields. */
  newest(fields: object): Promise<PhoneCall> {
    const query = `PhoneCall?Limit=1&PhoneConnectionId=${this.connection.id}`
    return vi.waitFor(
      async () => {
        const { body } = await this.call<{ items: PhoneCall[] }>('GET', query)
        expect(body.items[0]).toMatchObject(fields)
        return body.items[0] as PhoneCall
      },
      { timeout: 30_000, interval: 20 },
    )
  }

  async countCalls(): Promise<number> {
    const query = `PhoneCall?Limit=1&PhoneConnectionId=${this.connection.id}`
    return (await this.call<{ totalCount: number }>('GET', query)).body.totalCount
  }

  async #create<Made>(path: string, body: object): Promise<Made> {
    const made = await this.call<Made>('POST', path, body)
    if (made.status !== 201) throw new Error(made.text)
    return made.body
  }
}

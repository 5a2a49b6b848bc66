import { setTimeout as sleep } from 'node:timers/promises'
import type WebSocket from 'ws'
import type { AnnouncedTurn } from '../records/client-records.js'
import { Decisions } from './decisions.js'
import type { LoadStage } from './load-stage.js'
import type { Tenant } from './tenant.js'
import { type OpenSocket, openVoice } from './voice-socket.js'

const append = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(1000) })
const commit = JSON.stringify({ type: 'input_audio_buffer.commit' })
const frameMilliseconds = 200
/** A user who receives nothing for this long assumes that the service is gone. */
const silenceMilliseconds = 12_000
const retryMilliseconds = 700
/** How long a user waits for the last calls after everything else is over. */
const leaveMilliseconds = 75_000

interface ReceivedEvent {
  readonly type?: string
  readonly data?: {
    readonly id?: string
    readonly content?: string
    readonly callId?: string
    readonly timeoutSeconds?: number
  }
  readonly error?: { readonly code?: string; readonly message?: string }
}

/** A voice user: opens sessions, speaks every few seconds, decides on calls, and leaves or vanishes. */
export class VoiceUser {
  readonly #stage: LoadStage
  readonly #tenant: Tenant
  readonly #name: string
  #sessions = 0
  #conversationId: string | null = null

  constructor(stage: LoadStage, tenant: Tenant, index: number) {
    this.#stage = stage
    this.#tenant = tenant
    this.#name = `u${index}`
  }

  async talk(): Promise<void> {
    const stage = this.#stage
    while (!stage.isOver) {
      this.#sessions += 1
      const key = `${this.#name}s${this.#sessions}`
      const wish = { url: stage.url, tenant: this.#tenant, key, conversationId: this.#conversationId }
      const opened = await openVoice(stage.ledger, wish)
      if (opened === null) await sleep(retryMilliseconds)
      else {
        await new Conversing(stage, this.#tenant, { key, opened }).run()
        // Half of the users continue their conversation.
        this.#conversationId = stage.random() < 0.5 ? opened.conversationId : null
      }
    }
  }
}

/** One session, until its socket closes. */
class Conversing {
  readonly #stage: LoadStage
  readonly #socket: WebSocket
  readonly #turns: AnnouncedTurn[] = []
  readonly #openCalls = new Set<string>()
  readonly #decisions: Decisions
  readonly #entry: LoadStage['ledger']['sessions'][number]
  #heardAt = performance.now()
  #speakAt: number
  #turnsLeft: number
  #leavingSince: number | null = null

  constructor(
    stage: LoadStage,
    tenant: Tenant,
    { key, opened }: { readonly key: string; readonly opened: OpenSocket },
  ) {
    this.#stage = stage
    this.#socket = opened.socket
    const { conversationId } = opened
    this.#entry = {
      key,
      tenant: tenant.index,
      conversationId,
      openedAt: Date.now(),
      turns: this.#turns,
      closedAt: null,
      closeCode: null,
      isLeft: false,
    }
    stage.ledger.sessions.push(this.#entry)
    this.#decisions = new Decisions(stage, tenant, { conversationId, socket: opened.socket })
    this.#speakAt = performance.now() + stage.random() * 3000
    this.#turnsLeft = 4 + Math.floor(stage.random() * 16)
  }

  async run(): Promise<void> {
    const socket = this.#socket
    const closed = new Promise<void>((resolve) => {
      socket.once('close', (code) => {
        Object.assign(this.#entry, { closedAt: Date.now(), closeCode: code })
        resolve()
      })
    })
    socket.on('message', (data) => this.#hear(String(data)))
    const timer = setInterval(() => this.#tick(), frameMilliseconds)
    await closed
    clearInterval(timer)
    this.#decisions.end()
  }

  #tick(): void {
    const now = performance.now()
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (now - this.#heardAt > silenceMilliseconds + (this.#openCalls.size > 0 ? 15_000 : 0))
      return this.#vanish()
    this.#socket.send(append)
    if (this.#stage.isOver || this.#turnsLeft === 0) return this.#leave(now)
    if (now < this.#speakAt) return
    this.#socket.send(commit)
    this.#turnsLeft -= 1
    this.#speakAt = now + 3500 + this.#stage.random() * 3500
  }

  /** Waits for open calls, then leaves. Sometimes leaves without a close frame. */
  #leave(now: number): void {
    this.#leavingSince ??= now
    const waited = now - this.#leavingSince
    if (waited < 2000 || (this.#openCalls.size > 0 && waited < leaveMilliseconds)) return
    if (this.#stage.random() < 0.2) return this.#vanish()
    this.#entry.isLeft = true
    this.#socket.close(1000)
    // A frozen instance does not answer the close frame.
    setTimeout(() => this.#socket.terminate(), 3000).unref()
  }

  #vanish(): void {
    this.#entry.isLeft = true
    this.#socket.terminate()
  }

  #hear(text: string): void {
    this.#heardAt = performance.now()
    const event = parse(text)
    const { id = '', content = null, callId = '', timeoutSeconds = 0 } = event.data ?? {}
    const at = Date.now()
    switch (event.type) {
      case 'message.created':
        return void this.#turns.push({ messageId: id, role: 'user', content, at })
      case 'response.id':
        return void this.#turns.push({ messageId: id, role: 'assistant', content: null, at })
      case 'response.function_invocation.start':
        return void this.#openCalls.add(callId)
      case 'response.function_invocation.done':
        this.#openCalls.delete(callId)
        return this.#decisions.done(callId)
      case 'approval.waiting':
        return this.#decisions.waiting(callId, timeoutSeconds)
      case 'approval.approved':
        return this.#decisions.approved(callId)
      case 'error':
        if (event.error?.code === 'approval_not_pending') this.#decisions.refused(event.error.message ?? '')
    }
  }
}

/** Parses a frame. Frames of the provider need not be JSON. */
function parse(text: string): ReceivedEvent {
  // Most frames are audio, which the load ignores.
  if (text.startsWith('{"type":"response.output_audio')) return {}
  try {
    return (JSON.parse(text) as ReceivedEvent | null) ?? {}
  } catch {
    return {}
  }
}

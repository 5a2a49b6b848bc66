import { setImmediate } from 'node:timers/promises'
import type { ProviderSession, ScriptedProvider } from './scripted-provider.js'

/** The model's reaction to a user's words: it says words, or makes calls first. */
export interface PlayedTurn {
  readonly words: readonly string[]
  /** The arguments of each call of the tool `note`. */
  readonly calls?: readonly string[]
  /** When the transcript of the user's speech arrives. */
  readonly transcription?: 'early' | 'late'
}

export interface PlayedModel {
  /** Everything that went wrong on the provider's side. */
  readonly faults: string[]
  /** The number of events that each connection has sent, oldest first. */
  readonly sent: number[]
  /** The newest connection. */
  readonly newest: Playing | undefined
  /** Ends the next connection after it has sent this many events, including the two that start it. */
  killNextAfter(events: number): void
}

interface Item {
  readonly id?: string
  readonly type: string
  readonly role?: string
  readonly call_id?: string
  readonly output?: string
  readonly arguments?: string
  readonly content?: readonly { readonly text?: string; readonly transcript?: string }[]
}

interface ClientEvent {
  readonly type: string
  readonly event_id?: string
  readonly audio?: string
  readonly item?: Item
}

/**
 * Plays a realtime model on each connection of a scripted provider. Its audio is text in base64. Speech interrupts an answer
 * and ends with a full stop, as if the provider had detected both. An answer continues after the words that the history
 * already contains.
 */
export function playModel(
  provider: ScriptedProvider,
  turns: Readonly<Record<string, PlayedTurn>>,
  name: string,
): PlayedModel {
  const played = { faults: [] as string[], sent: [] as number[], newest: undefined as Playing | undefined }
  let killAfter = Number.POSITIVE_INFINITY
  const acceptAll = async () => {
    for (;;) {
      const session = await provider.accept()
      played.newest = new Playing(session, turns, { played, killAfter, name })
      killAfter = Number.POSITIVE_INFINITY
    }
  }
  void acceptAll()
  return Object.assign(played, {
    killNextAfter: (events: number) => {
      killAfter = events
    },
  })
}

/** The answer that the model works on. Its words depend on the conversation at its beginning. */
interface Answer {
  readonly responseId: string
  readonly question: string
  /** The words that were not said yet. */
  readonly left: readonly string[]
  readonly isLate: boolean
}

/** The item that asks the model to continue its answer. All of it may have been said. */
const cutOffId = 'past_cut_off'

interface PlayOptions {
  readonly played: { readonly faults: string[]; readonly sent: number[] }
  readonly killAfter: number
  readonly name: string
}

/** One connection. */
export class Playing {
  readonly #session: ProviderSession
  readonly #turns: Readonly<Record<string, PlayedTurn>>
  readonly #options: PlayOptions
  #killAfter: number
  readonly #index: number
  readonly #items: Item[] = []
  #heard = ''
  #answer: Answer | null = null
  #isGone = false
  #ids = 0

  constructor(session: ProviderSession, turns: Readonly<Record<string, PlayedTurn>>, options: PlayOptions) {
    this.#session = session
    this.#turns = turns
    this.#options = options
    this.#killAfter = options.killAfter
    this.#index = options.played.sent.push(0) - 1
    session.socket.on('close', () => {
      this.#isGone = true
    })
    session.socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as ClientEvent))
  }

  get isOpen(): boolean {
    return !this.#isGone
  }

  /** Ends the connection after this many more events. */
  dieAfter(events: number): void {
    this.#killAfter = (this.#options.played.sent[this.#index] ?? 0) + events
  }

  die(): void {
    this.#isGone = true
    this.#session.socket.close(1011, 'overloaded')
  }

  #receive(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
        this.#send({ type: 'session.created', session: {} })
        return this.#send({ type: 'session.updated', session: {} })
      case 'conversation.item.create': {
        const item = { id: this.#newId('item'), ...event.item } as Item
        if (item.type === 'function_call_output' && !this.#hasCall(item.call_id))
          return void this.#options.played.faults.push('an output came without its call')
        this.#items.push(item)
        return this.#send({ type: 'conversation.item.added', item })
      }
      case 'input_audio_buffer.append':
        if (this.#heard === '') this.#startSpeech()
        this.#heard += Buffer.from(event.audio ?? '', 'base64').toString()
        if (this.#heard.endsWith('.') && this.#commit()) void this.#respond()
        return
      case 'input_audio_buffer.commit':
        if (!this.#commit()) this.#refuse('input_audio_buffer_commit_empty', event.event_id)
        return
      case 'response.create':
        if (this.#answer !== null) this.#refuse('conversation_already_has_active_response', event.event_id)
        else void this.#respond()
    }
  }

  #refuse(code: string, eventId: string | undefined): void {
    this.#send({ type: 'error', error: { type: 'invalid_request_error', code, event_id: eventId } })
  }

  /** The user's speech interrupts the answer. */
  #startSpeech(): void {
    const answer = this.#answer
    this.#send({ type: 'input_audio_buffer.speech_started' })
    if (answer === null) return
    this.#answer = null
    const response = { id: answer.responseId, status: 'cancelled', output: [] }
    this.#send({ type: 'response.done', response })
  }

  #commit(): boolean {
    if (this.#heard === '') return false
    const words = this.#heard
    this.#heard = ''
    const id = this.#newId('speech')
    this.#items.push({ id, type: 'message', role: 'user', content: [{ text: words }] })
    this.#send({ type: 'input_audio_buffer.speech_stopped' })
    this.#send({ type: 'input_audio_buffer.committed', item_id: id })
    const item = { id, type: 'message', role: 'user', content: [{ type: 'input_audio' }] }
    this.#send({ type: 'conversation.item.added', item })
    if (this.#turns[words]?.transcription !== 'late') this.#transcribe(id, words)
    return true
  }

  #transcribe(id: string, transcript: string): void {
    const type = 'conversation.item.input_audio_transcription.completed'
    this.#send({ type, item_id: id, content_index: 0, transcript })
  }

  /** Makes the calls that are missing, or says the words that are missing. */
  async #respond(): Promise<void> {
    const asked = this.#items.findLastIndex(({ type, role }) => type === 'message' && role === 'user')
    const question = textOf(this.#items[asked])
    const turn = this.#turns[question]
    if (turn === undefined) return void this.#options.played.faults.push(`asked to answer "${question}"`)
    const since = this.#items.slice(asked + 1)
    const isRun = (args: string) =>
      since.some(
        ({ type, call_id, arguments: made }) =>
          type === 'function_call' && made === args && !this.#outputOf(call_id)?.includes('interrupted'),
      )
    const missing = (turn.calls ?? []).filter((args) => !isRun(args))
    const open = since.filter(
      ({ type, call_id }) => type === 'function_call' && this.#outputOf(call_id) === null,
    )
    if (missing.length === 0 && open.length > 0) this.#options.played.faults.push('asked before the outputs')
    const said = since
      .filter(({ role }) => role === 'assistant')
      .map(textOf)
      .join('')
    const left = turn.words.slice(said.split(' ').filter((word) => word !== '').length)
    const isContinued = this.#items.at(-1)?.id === cutOffId
    if (missing.length + left.length === 0 && !isContinued)
      this.#options.played.faults.push(`"${question}" was answered twice`)
    const responseId = this.#newId('response')
    const answer = { responseId, question, left, isLate: turn.transcription === 'late' }
    this.#answer = answer
    this.#send({ type: 'response.created', response: { id: responseId, status: 'in_progress' } })
    await setImmediate()
    const output: object[] = []
    for (const args of missing) output.push(await this.#call(answer, args))
    if (missing.length === 0) output.push(await this.#say(answer))
    const usage = { total_tokens: 3, input_tokens: 1, output_tokens: 2 }
    const response = { id: responseId, status: 'completed', output, usage }
    this.#sendOf(answer, { type: 'response.done', response })
    if (this.#answer === answer) this.#answer = null
  }

  async #say(answer: Answer): Promise<object> {
    const { responseId, question, left, isLate } = answer
    const id = this.#newId('answer')
    const item = { id, type: 'message', role: 'assistant' }
    const ids = { response_id: responseId, item_id: id, content_index: 0 }
    this.#sendOf(answer, { type: 'response.output_item.added', response_id: responseId, item })
    for (const [index, word] of left.entries()) {
      this.#sendOf(answer, { type: 'response.output_audio_transcript.delta', ...ids, delta: `${word} ` })
      this.#sendOf(answer, { type: 'response.output_audio.delta', ...ids, delta: 'AAAA' })
      await setImmediate()
      const speech = this.#items.findLast(({ id: itemId }) =>
        itemId?.startsWith(`speech-${this.#options.name}`),
      )
      if (index === 0 && isLate && speech !== undefined) this.#transcribe(speech.id ?? '', question)
    }
    const transcript = left.map((word) => `${word} `).join('')
    this.#sendOf(answer, { type: 'response.output_audio_transcript.done', ...ids, transcript })
    this.#addOf(answer, { ...item, content: [{ text: transcript }] })
    const done = { ...item, status: 'completed' }
    this.#sendOf(answer, { type: 'response.output_item.done', response_id: responseId, item: done })
    return done
  }

  async #call(answer: Answer, args: string): Promise<object> {
    const { responseId } = answer
    const callId = this.#newId('call')
    const item = {
      id: `item_${callId}`,
      type: 'function_call',
      call_id: callId,
      name: 'note',
      arguments: args,
    }
    const added = { ...item, arguments: '', status: 'in_progress' }
    this.#sendOf(answer, { type: 'response.output_item.added', response_id: responseId, item: added })
    await setImmediate()
    const type = 'response.function_call_arguments.done'
    const ids = { response_id: responseId, item_id: item.id, call_id: callId }
    this.#sendOf(answer, { type, ...ids, arguments: args })
    const done = { ...item, status: 'completed' }
    this.#sendOf(answer, { type: 'response.output_item.done', response_id: responseId, item: done })
    this.#addOf(answer, item)
    return done
  }

  /** Sends an event of the answer, unless it was interrupted. */
  #sendOf(answer: Answer, event: object): void {
    if (this.#answer === answer) this.#send(event)
  }

  #addOf(answer: Answer, item: Item): void {
    if (this.#answer === answer) this.#items.push(item)
  }

  #hasCall(callId: string | undefined): boolean {
    return this.#items.some(({ type, call_id }) => type === 'function_call' && call_id === callId)
  }

  #outputOf(callId: string | undefined): string | null {
    const output = this.#items.find(
      ({ type, call_id }) => type === 'function_call_output' && call_id === callId,
    )
    return output?.output ?? null
  }

  #newId(kind: string): string {
    this.#ids += 1
    return `${kind}-${this.#options.name}-${this.#index}-${this.#ids}`
  }

  #send(event: object): void {
    if (this.#isGone) return
    this.#session.send(event)
    const { played } = this.#options
    const sent = (played.sent[this.#index] ?? 0) + 1
    played.sent[this.#index] = sent
    if (sent >= this.#killAfter) this.die()
  }
}

function textOf(item: Item | undefined): string {
  return (item?.content ?? []).map(({ text, transcript }) => text ?? transcript ?? '').join('')
}

/** The frame with audio that the played model hears as this text. */
export const spoken = (text: string) => ({
  type: 'input_audio_buffer.append',
  audio: Buffer.from(text).toString('base64'),
})

type Fields = Readonly<Record<string, unknown>>

/** A provider whose protocol resembles OpenAI's, with the events and fields that it knows. */
export interface SimilarVendor {
  /** The events of clients, each with its fields besides `type` and `event_id`. */
  readonly events: Readonly<Record<string, readonly string[]>>
  readonly sessionFields: readonly string[]
  readonly responseFields: readonly string[]
  readonly voices: readonly string[]
  readonly acceptsInputBeforeSession: boolean
  /** The sample rate of the user's audio. */
  readonly inputRate: number
  /** Returns what is wrong with a configuration, or null. */
  readonly sessionProblem: (session: Fields) => { readonly message: string; readonly param: string } | null
  readonly itemProblem: (item: Fields) => string | null
  /** Returns the name in the configuration. */
  readonly voiceOf: (session: Fields) => unknown
  /** Converts an event from OpenAI's current protocol to none, one or several events of the vendor. */
  readonly write: (event: Fields) => readonly Fields[]
}

/** The other end of a socket. */
interface SimilarPeer {
  send(message: object): void
}

interface CalledTool {
  readonly id: string
  readonly name: string
  readonly args?: string
}

interface OpenAnswer {
  readonly responseId: string
  readonly itemId: string
  words: string
}

/** Silence of 100 ms is not enough for a turn. */
const minTurnMilliseconds = 100

/** Plays a provider that resembles OpenAI on a connection, and rejects what the real one rejects. */
export class SimilarServer {
  /** The samples that the user has sent. */
  readonly heard: number[] = []
  /** The errors that the server has sent. */
  readonly errors: string[] = []
  /** The items that the client has created. */
  readonly items: Fields[] = []
  /** All items of the conversation, in order. */
  readonly conversation: Fields[] = []
  session: Fields = {}
  /** How many responses were requested. */
  requested = 0
  readonly #peer: SimilarPeer
  readonly #vendor: SimilarVendor
  readonly #openCalls = new Set<string>()
  #isConfigured = false
  #isGone = false
  #counts = { event: 0, response: 0, item: 0 }
  /** The samples that belong to no turn yet. */
  #unread = 0
  #speechItem: string | null = null
  #answer: OpenAnswer | null = null

  constructor(peer: SimilarPeer, vendor: SimilarVendor) {
    this.#peer = peer
    this.#vendor = vendor
    this.#write('session.created', {
      session: { type: 'realtime', object: 'realtime.session', output_modalities: ['audio'], audio: {} },
    })
  }

  /** How many outputs of calls were accepted. */
  get outputCount(): number {
    return this.items.filter(({ type }) => type === 'function_call_output').length
  }

  get isAnswering(): boolean {
    return this.#answer !== null
  }

  lose(): void {
    this.#isGone = true
  }

  receive(event: Fields): void {
    const type = String(event.type)
    const fields = this.#vendor.events[type]
    if (fields === undefined) return this.#fail(event, `Invalid event type: ${type}.`, 'type')
    const unknown = unknownField(event, ['type', 'event_id', ...fields])
    if (unknown !== null) return this.#fail(event, `Unknown parameter: ${unknown}.`, unknown)
    if (type === 'session.update') return this.#update(event)
    if (!this.#isConfigured && !this.#vendor.acceptsInputBeforeSession)
      return this.#fail(event, 'Send session.update first.')
    switch (type) {
      case 'input_audio_buffer.append': {
        const bytes = Buffer.from(String(event.audio), 'base64')
        for (let at = 0; at + 1 < bytes.length; at += 2) this.heard.push(bytes.readInt16LE(at))
        this.#unread += bytes.length / 2
        return
      }
      case 'input_audio_buffer.commit': {
        const milliseconds = (this.#unread * 1000) / this.#vendor.inputRate
        if (milliseconds < minTurnMilliseconds)
          return this.#fail(event, 'The buffer is too small.', null, 'input_audio_buffer_commit_empty')
        this.endSpeech()
        return
      }
      case 'conversation.item.create':
        return this.#create(event)
      case 'response.create':
        return this.#request(event)
      case 'response.cancel':
        if (this.#answer === null)
          return this.#fail(event, 'No response is active.', null, 'response_cancel_not_active')
        return this.end('cancelled')
    }
  }

  /** Server-side detection: the user begins to speak, and interrupts an answer. */
  startSpeech(): void {
    if (this.#speechItem !== null) return
    this.#speechItem = this.#newItem()
    this.#write('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: this.#speechItem })
    if (this.#answer !== null) this.end('cancelled')
  }

  /** Ends the turn of the user. Returns its item, whose words are not known yet. */
  endSpeech(): string {
    const itemId = this.#speechItem ?? this.#newItem()
    if (this.#speechItem !== null)
      this.#write('input_audio_buffer.speech_stopped', { audio_end_ms: 900, item_id: itemId })
    this.#speechItem = null
    this.#unread = 0
    this.#write('input_audio_buffer.committed', { item_id: itemId, previous_item_id: null })
    const content = [{ type: 'input_audio', transcript: null }]
    const item = { id: itemId, object: 'realtime.item', type: 'message', status: 'completed', role: 'user' }
    this.conversation.push({ ...item, content })
    this.#writeItem('added', { ...item, content })
    return itemId
  }

  transcribe(itemId: string, transcript: string): void {
    const at = this.conversation.findIndex(({ id }) => id === itemId)
    const content = [{ type: 'input_audio', transcript }]
    if (at >= 0) this.conversation[at] = { ...this.conversation[at], content }
    this.#write('conversation.item.input_audio_transcription.completed', {
      ...{ item_id: itemId, content_index: 0, transcript },
    })
  }

  /** The user has said this. */
  hear(words: string): void {
    this.startSpeech()
    this.transcribe(this.endSpeech(), words)
  }

  /** Says something with this audio, in the response that is active or in a new one. */
  say(words: string, audio = 'AAAA'): void {
    const answer = this.#answer ?? this.#begin()
    answer.words += words
    this.#write('response.output_audio_transcript.delta', { ...placeOf(answer), delta: words })
    this.#write('response.output_audio.delta', { ...placeOf(answer), delta: audio })
  }

  /** Ends the response. */
  end(status: 'completed' | 'cancelled' = 'completed'): void {
    const answer = this.#answer
    if (answer === null) return
    this.#answer = null
    const { responseId, itemId, words } = answer
    const part = { type: 'output_audio', transcript: words }
    const item = {
      ...{ id: itemId, object: 'realtime.item', type: 'message', role: 'assistant', content: [part] },
      status: status === 'completed' ? 'completed' : 'incomplete',
    }
    this.conversation.push(item)
    this.#write('response.output_audio_transcript.done', { ...placeOf(answer), transcript: words })
    this.#write('response.output_audio.done', placeOf(answer))
    this.#write('response.content_part.done', { ...placeOf(answer), part })
    this.#writeItem('done', item)
    this.#write('response.output_item.done', { response_id: responseId, output_index: 0, item })
    this.#write('response.done', { response: responseOf(responseId, status, [item], usage) })
  }

  answer(words: string, audio?: string): void {
    this.say(words, audio)
    this.end()
  }

  /** Starts an answer that does not end, and interrupts it. */
  interrupted(words: string): void {
    this.say(words)
    this.startSpeech()
    this.#speechItem = null
  }

  call(...calls: readonly CalledTool[]): void {
    const responseId = this.#newResponse()
    const output = calls.map(({ id, name, args = '{}' }, output_index) => {
      this.#openCalls.add(id)
      const call = { type: 'function_call', name, call_id: id }
      const item = { id: this.#newItem(), object: 'realtime.item', ...call }
      const place = { response_id: responseId, item_id: item.id, output_index, call_id: id }
      const added = { ...item, status: 'in_progress', arguments: '' }
      const done = { ...item, status: 'completed', arguments: args }
      this.#write('response.output_item.added', { response_id: responseId, output_index, item: added })
      this.#writeItem('added', added)
      this.#write('response.function_call_arguments.delta', { ...place, delta: args })
      this.#write('response.function_call_arguments.done', { ...place, name, arguments: args })
      this.#writeItem('done', done)
      this.#write('response.output_item.done', { response_id: responseId, output_index, item: done })
      this.conversation.push(done)
      return done
    })
    this.#write('response.done', { response: responseOf(responseId, 'completed', output, usage) })
  }

  #update(event: Fields): void {
    const session = event.session as Fields
    const unknown = unknownField(session, this.#vendor.sessionFields)
    if (unknown !== null) return this.#fail(event, `Unknown parameter: ${unknown}.`, `session.${unknown}`)
    const voice = this.#vendor.voiceOf(session)
    if (!this.#vendor.voices.includes(String(voice)))
      return this.#fail(event, `Voice ${voice} is not supported.`, 'session.voice')
    const problem = this.#vendor.sessionProblem(session)
    if (problem !== null) return this.#fail(event, problem.message, problem.param)
    this.#isConfigured = true
    this.session = session
    this.#send({ type: 'session.updated', session: { object: 'realtime.session', ...session } })
  }

  #create(event: Fields): void {
    const item = event.item as Fields
    const problem = this.#vendor.itemProblem(item)
    if (problem !== null) return this.#fail(event, problem, 'item')
    if (this.conversation.some(({ id }) => id !== undefined && id === item.id))
      return this.#fail(event, 'An item with this id exists.', 'item.id')
    if (item.type === 'function_call') this.#openCalls.add(String(item.call_id))
    if (item.type === 'function_call_output' && !this.#openCalls.delete(String(item.call_id)))
      return this.#fail(event, 'Tool call id not found.', 'item.call_id')
    this.items.push(item)
    this.conversation.push(item)
    this.#writeItem('added', { id: this.#newItem(), ...item })
    this.#writeItem('done', { id: `item_${this.#counts.item}`, ...item })
  }

  #request(event: Fields): void {
    const response = (event.response ?? {}) as Fields
    const unknown = unknownField(response, this.#vendor.responseFields)
    if (unknown !== null) return this.#fail(event, `Unknown parameter: ${unknown}.`, `response.${unknown}`)
    if (this.#answer !== null)
      return this.#fail(event, 'A response is active.', null, 'conversation_already_has_active_response')
    this.requested += 1
  }

  #begin(): OpenAnswer {
    const responseId = this.#newResponse()
    const itemId = this.#newItem()
    const answer = { responseId, itemId, words: '' }
    this.#answer = answer
    const message = { id: itemId, object: 'realtime.item', type: 'message', role: 'assistant' }
    const item = { ...message, status: 'in_progress', content: [] }
    this.#write('response.output_item.added', { response_id: responseId, output_index: 0, item })
    this.#writeItem('added', item)
    const part = { type: 'output_audio', transcript: '' }
    this.#write('response.content_part.added', { ...placeOf(answer), part })
    return answer
  }

  #newResponse(): string {
    this.#counts.response += 1
    const id = `resp_${this.#counts.response}`
    this.#write('response.created', { response: responseOf(id, 'in_progress', [], null) })
    return id
  }

  #newItem(): string {
    this.#counts.item += 1
    return `item_${this.#counts.item}`
  }

  #fail(event: Fields, message: string, param: string | null = null, code = 'invalid_value'): void {
    this.errors.push(message)
    const error = { type: 'invalid_request_error', code, message, param, event_id: event.event_id ?? null }
    this.#write('error', { error })
  }

  #writeItem(stage: 'added' | 'done', item: Fields): void {
    this.#write(`conversation.item.${stage}`, { previous_item_id: null, item })
  }

  #write(type: string, fields: Fields): void {
    for (const event of this.#vendor.write({ type, ...fields })) this.#send(event)
  }

  /** Most of these providers send the id of an event before its type. */
  #send(event: Fields): void {
    if (this.#isGone) return
    this.#counts.event += 1
    this.#peer.send({ event_id: `event_${this.#counts.event}`, ...event })
  }
}

function unknownField(fields: Fields, known: readonly string[]): string | null {
  return (
    Object.entries(fields).find(([name, value]) => value !== undefined && !known.includes(name))?.[0] ?? null
  )
}

const placeOf = ({ responseId, itemId }: OpenAnswer) => ({
  ...{ response_id: responseId, item_id: itemId, output_index: 0, content_index: 0 },
})

function responseOf(
  id: string,
  status: string,
  output: readonly Fields[],
  usageOrNull: Fields | null,
): Fields {
  const response = { id, object: 'realtime.response', status, status_details: null, output }
  return { ...response, output_modalities: ['audio'], usage: usageOrNull }
}

const usage = {
  ...{ total_tokens: 40, input_tokens: 30, output_tokens: 10 },
  input_token_details: { text_tokens: 20, audio_tokens: 10 },
  output_token_details: { text_tokens: 4, audio_tokens: 6 },
}

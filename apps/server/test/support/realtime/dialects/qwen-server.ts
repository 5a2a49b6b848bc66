import type { ProviderSession } from '../scripted-provider.js'

type Fields = Record<string, unknown>

const sessionFields = new Set([
  ...['modalities', 'voice', 'instructions', 'input_audio_format', 'output_audio_format', 'tools'],
  ...['input_audio_transcription', 'turn_detection', 'enable_search', 'temperature', 'max_tokens'],
])

const eventFields: Readonly<Record<string, readonly string[]>> = {
  'session.update': ['session'],
  'input_audio_buffer.append': ['audio'],
  'input_audio_buffer.commit': [],
  'input_audio_buffer.clear': [],
  'conversation.item.create': ['item', 'previous_item_id'],
  'response.create': ['response'],
  'response.cancel': [],
}

export interface QwenServer {
  /** The samples that the user has sent, at 16 kHz. */
  readonly heard: number[]
  /** The errors that the server has sent. */
  readonly errors: string[]
  readonly session: Fields
  readonly items: Fields[]
  /** The user has said this, and the server begins to answer. */
  hear(words: string): void
  /** Sends an answer with words, or with calls of tools. */
  answer(words: string, audio?: string): void
  call(...calls: readonly { readonly id: string; readonly name: string }[]): void
  /** Starts an answer that does not end, and interrupts it. */
  interrupted(words: string): void
  /** How many responses were requested. */
  readonly requested: number
}

/** Plays Alibaba's Qwen-Omni on a connection, and rejects what the real one rejects. */
export function serveQwen({ socket, inbox, send: sendFrame }: ProviderSession): QwenServer {
  let eventCount = 0
  let responseCount = 0
  let itemCount = 0
  let isConfigured = false
  let session: Fields = {}
  let requested = 0
  const heard: number[] = []
  const errors: string[] = []
  const items: Fields[] = []
  const openCalls = new Set<string>()

  const send = (type: string, fields: Fields) => {
    eventCount += 1
    sendFrame({ event_id: `event_${eventCount}`, type, ...fields })
  }
  const fail = (message: string, param: string | null = null) => {
    errors.push(message)
    send('error', { error: { type: 'invalid_request_error', code: 'invalid_value', message, param } })
  }
  const newItem = () => {
    itemCount += 1
    return `item_${itemCount}`
  }

  function update({ session: wanted }: Fields): void {
    const fields = wanted as Fields
    const unknown = Object.keys(fields).find((name) => !sessionFields.has(name))
    if (unknown !== undefined) return fail(`Unknown parameter: ${unknown}.`, `session.${unknown}`)
    for (const name of ['input_audio_format', 'output_audio_format'])
      if (fields[name] !== 'pcm') return fail(`Only pcm is supported.`, `session.${name}`)
    const tools = (fields.tools ?? []) as Fields[]
    if (tools.some((tool) => typeof tool.function !== 'object'))
      return fail('Tools must have a function.', 'session.tools')
    isConfigured = true
    session = fields
    const echoed = { object: 'realtime.session', model: 'qwen3.8-omni-flash-realtime', ...fields }
    send('session.updated', { session: echoed })
  }

  function create({ item: created }: Fields): void {
    const item = created as Fields
    if (item.type === 'function_call_output' && !openCalls.delete(String(item.call_id)))
      return fail('Tool call id not found.', 'item.call_id')
    items.push(item)
    send('conversation.item.created', { previous_item_id: null, item: { id: newItem(), ...item } })
  }

  function receive(event: Fields): void {
    const type = String(event.type)
    const fields = eventFields[type]
    if (fields === undefined) return fail(`Invalid event type: ${type}.`, 'type')
    const known = ['type', 'event_id', ...fields]
    const unknown = Object.keys(event).find((name) => !known.includes(name))
    if (unknown !== undefined) return fail(`Unknown parameter: ${unknown}.`, unknown)
    if (type === 'session.update') return update(event)
    if (!isConfigured) return fail('Send session.update first.')
    if (type === 'input_audio_buffer.append') {
      const bytes = Buffer.from(String(event.audio), 'base64')
      for (let at = 0; at < bytes.length; at += 2) heard.push(bytes.readInt16LE(at))
    }
    if (type === 'conversation.item.create') create(event)
    if (type === 'response.create') requested += 1
  }

  function begin() {
    responseCount += 1
    const id = `resp_${responseCount}`
    const response = (status: string, output: readonly Fields[], usage?: Fields) => ({
      response: {
        ...{ id, object: 'realtime.response', status, modalities: ['text', 'audio'], output },
        ...(usage !== undefined && { usage }),
      },
    })
    send('response.created', response('in_progress', []))
    return { id, response }
  }

  function speak(words: string, status: 'completed' | 'cancelled', audio = 'AAAA'): void {
    const { id, response } = begin()
    const itemId = newItem()
    const place = { response_id: id, item_id: itemId, output_index: 0, content_index: 0 }
    const message = (itemStatus: string, content: readonly Fields[]) => ({
      ...{
        id: itemId,
        object: 'realtime.item',
        type: 'message',
        status: itemStatus,
        role: 'assistant',
        content,
      },
    })
    const part = { type: 'audio', text: words }
    const added = { response_id: id, output_index: 0, item: message('in_progress', []) }
    send('response.output_item.added', added)
    send('conversation.item.created', { item: message('in_progress', []) })
    send('response.content_part.added', { ...place, part: { type: 'audio', text: '' } })
    send('response.audio_transcript.delta', { ...place, delta: words })
    send('response.audio.delta', { ...place, delta: audio })
    if (status === 'cancelled')
      send('input_audio_buffer.speech_started', { audio_start_ms: 1, item_id: newItem() })
    send('response.audio_transcript.done', { ...place, transcript: words })
    send('response.audio.done', place)
    send('response.content_part.done', { ...place, part })
    const done = message(status === 'completed' ? 'completed' : 'incomplete', [part])
    send('response.output_item.done', { response_id: id, output_index: 0, item: done })
    send('response.done', response(status, [done], qwenUsage))
  }

  send('session.created', {
    session: {
      ...{ object: 'realtime.session', model: 'qwen3.8-omni-flash-realtime', modalities: ['text', 'audio'] },
      ...{ voice: 'Tina', input_audio_format: 'pcm', output_audio_format: 'pcm' },
    },
  })
  for (const { data } of inbox.all) receive(JSON.parse(data.toString()) as Fields)
  socket.on('message', (data) => receive(JSON.parse(String(data)) as Fields))

  return {
    ...{ heard, errors, items },
    get session() {
      return session
    },
    get requested() {
      return requested
    },
    hear(words) {
      const itemId = newItem()
      send('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: itemId })
      send('input_audio_buffer.speech_stopped', { audio_end_ms: 900, item_id: itemId })
      send('input_audio_buffer.committed', { item_id: itemId })
      const content = [{ type: 'input_audio' }]
      const item = { id: itemId, object: 'realtime.item', type: 'message', status: 'completed', role: 'user' }
      send('conversation.item.created', { item: { ...item, content } })
      send('conversation.item.input_audio_transcription.completed', {
        ...{ item_id: itemId, content_index: 0, transcript: words },
      })
    },
    answer: (words, audio) => speak(words, 'completed', audio),
    interrupted: (words) => speak(words, 'cancelled'),
    call(...calls) {
      const { id, response } = begin()
      const output = calls.map(({ id: callId, name }, index) => {
        openCalls.add(callId)
        const item = { id: newItem(), object: 'realtime.item', type: 'function_call', name, call_id: callId }
        const place = { response_id: id, item_id: item.id, output_index: index, call_id: callId }
        const added = { ...item, status: 'in_progress', arguments: '' }
        send('response.output_item.added', { response_id: id, output_index: index, item: added })
        send('conversation.item.created', { item: added })
        send('response.function_call_arguments.delta', { ...place, delta: '{}' })
        send('response.function_call_arguments.done', { ...place, name, arguments: '{}' })
        const done = { ...item, status: 'completed', arguments: '{}' }
        send('response.output_item.done', { response_id: id, output_index: index, item: done })
        return done
      })
      send('response.done', response('completed', output, qwenUsage))
    },
  }
}

const qwenUsage = {
  ...{ total_tokens: 40, input_tokens: 30, output_tokens: 10 },
  input_tokens_details: { text_tokens: 20, audio_tokens: 10 },
  output_tokens_details: { text_tokens: 4, audio_tokens: 6 },
}

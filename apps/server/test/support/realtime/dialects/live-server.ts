import type { ProviderSession } from '../scripted-provider.js'

type Fields = Record<string, unknown>

const startFields = new Set(['model', 'instructions', 'input', 'audio', 'delegation', 'store', 'triggers'])

/** The fields of each event. `event_id` is optional everywhere. */
const eventFields: Readonly<Record<string, readonly string[]>> = {
  'session.start': ['session'],
  'session.update': ['session'],
  'session.close': [],
  'session.input_audio.append': ['audio'],
  'session.commentary.append': ['content', 'delegation_id'],
  'session.instructions.append': ['content', 'delegation_id'],
  'response.item.create': ['item'],
  'response.create': [],
}

const changeable = new Set(['delegation', 'triggers'])
const voices = new Set(['alloy', 'ash', 'cedar', 'coral', 'echo', 'marin', 'sage', 'shimmer', 'verse'])

/** The input is the clock of a session. It may be ahead of real time by this much. */
const maxLeadMilliseconds = 1000

/** 100 ms of PCM16 at 24 kHz. Silence is not quite silent. */
const liveSilence = pcm((index) => ((index * 7919) % 35) - 17)
const liveSpeech = pcm((index) => Math.round(6000 * Math.sin(index / 9)))

function pcm(sampleAt: (index: number) => number): string {
  return Buffer.from(Int16Array.from({ length: 2400 }, (_, index) => sampleAt(index)).buffer).toString(
    'base64',
  )
}

export interface LiveServer {
  /** The configuration of the session. Empty until `session.start`. */
  readonly session: Fields
  readonly items: Fields[]
  readonly commentary: string[]
  readonly errors: string[]
  /** The number of `response.create` that were accepted. */
  readonly requested: number
  /** Milliseconds of audio that were received. */
  readonly heardMilliseconds: number
  readonly isClosed: boolean
  /** Whether the text model is in a response. */
  readonly isDelegating: boolean
  send(type: string, fields?: object): void
  /** Frames of 100 ms. */
  speak(frames: number): void
  beQuiet(frames: number): void
  sayWords(words: string, startMilliseconds?: number): void
  hearWords(words: string, startMilliseconds?: number): void
  /** Begins a response of the text model, which calls tools. */
  delegate(...calls: readonly { readonly id: string; readonly name: string; readonly args?: string }[]): void
  /** Ends the response of the text model. */
  finishDelegation(status?: 'completed' | 'failed'): void
  close(reason: string): void
}

export interface LiveServerOptions {
  readonly expiresInSeconds?: number
  /** The time in milliseconds. With it, audio that comes faster than real time is an error. */
  readonly now?: () => number
}

/** A connection to the service, or to a dialect without a socket. */
export interface LiveConnection {
  send(event: object): void
  readonly inbox?: ProviderSession['inbox']
  readonly socket: {
    on(name: 'message', listener: (data: unknown) => void): unknown
    close(code: number): void
  }
}

/** Plays GPT-Live on a connection, and rejects what the real one rejects. */
export function serveLive(
  { socket, inbox, send: sendFrame }: LiveConnection,
  { expiresInSeconds = 7200, now }: LiveServerOptions = {},
): LiveServer {
  let eventCount = 0
  let session: Fields = {}
  /** The configuration with what the server adds. */
  let resource: Fields = {}
  let isStarted = false
  let isClosed = false
  let requested = 0
  let bytes = 0
  let startedAt = 0
  let position = 0
  let running: string | null = null
  const [items, commentary, errors]: [Fields[], string[], string[]] = [[], [], []]
  const openCalls = new Set<string>()

  const send = (type: string, fields: object = {}) => {
    eventCount += 1
    sendFrame({ type, event_id: `event_${eventCount}`, ...fields })
  }
  const fail = (event: Fields, code: string, message: string, param?: string) => {
    errors.push(`${code}: ${message}`)
    const error = { type: 'invalid_request_error', code, message, ...(param && { param }) }
    send('error', { error: { ...error, ...(event.event_id ? { client_event_id: event.event_id } : {}) } })
  }
  const unknownField = (fields: Fields, known: Iterable<string>) => {
    const names = new Set(known)
    return Object.keys(fields).find((name) => !names.has(name))
  }
  const nested = (event: object) =>
    send('response.event', { delegation_id: running === null ? null : `del_${running}`, event })

  function start(event: Fields): void {
    if (isStarted) return fail(event, 'session_already_started', 'The session has started.')
    const wanted = event.session as Fields
    const unknown = unknownField(wanted, startFields)
    if (unknown !== undefined)
      return fail(event, 'unknown_parameter', `Unknown: ${unknown}`, `session.${unknown}`)
    const {
      model,
      input = [],
      audio,
      delegation,
    } = wanted as {
      model: string
      input?: { type: string; role: string; content: { type: string; text: string }[] }[]
      audio: { format: { type: string; rate: number }; output: { voice: string } }
      delegation: { type: string; responses: { model?: string; tools?: Fields[] } }
    }
    if (!model.startsWith('gpt-live'))
      return fail(event, 'model_not_found', `No model ${model}.`, 'session.model')
    if (!voices.has(audio.output.voice))
      return fail(event, 'invalid_value', `No voice ${audio.output.voice}.`, 'session.audio.output.voice')
    if (typeof delegation.responses.model !== 'string')
      return fail(event, 'missing_required_parameter', 'Missing: model', 'session.delegation.responses.model')
    for (const tool of delegation.responses.tools ?? []) {
      const extra = unknownField(tool, ['type', 'name', 'description', 'parameters', 'strict'])
      if (extra !== undefined)
        return fail(event, 'unknown_parameter', `Unknown: ${extra}`, 'session.delegation')
    }
    if (input.length > 128 || input.some(({ content }) => content.length !== 1))
      return fail(event, 'invalid_value', 'Messages have one text part.', 'session.input')
    session = wanted
    isStarted = true
    startedAt = now?.() ?? 0
    const seconds = Math.floor(Date.now() / 1000)
    resource = { id: 'live_1', status: 'active', expires_at: seconds + expiresInSeconds, ...wanted }
    send('session.started', { session: resource, client_event_id: event.event_id })
  }

  function createItem(event: Fields): void {
    const item = event.item as Fields
    if (item.type === 'function_call_output') {
      const known = unknownField(item, ['type', 'call_id', 'output'])
      if (known !== undefined) return fail(event, 'unknown_parameter', `Unknown: ${known}`)
      if (!openCalls.delete(String(item.call_id)))
        return fail(event, 'invalid_value', 'No such function call.', 'item.call_id')
    }
    items.push(item)
  }

  function createResponse(event: Fields): void {
    if (openCalls.size > 0)
      return fail(event, 'function_call_outputs_required', 'Calls have no outputs.', 'response')
    requested += 1
  }

  function receive(event: Fields): void {
    const type = String(event.type)
    const fields = eventFields[type]
    if (fields === undefined) return fail(event, 'unknown_event', `Unknown event: ${type}.`, 'type')
    const unknown = unknownField(event, ['type', 'event_id', ...fields])
    if (unknown !== undefined) return fail(event, 'unknown_parameter', `Unknown: ${unknown}`, unknown)
    const missing = fields.find((name) => !(name in event))
    if (missing !== undefined)
      return fail(event, 'missing_required_parameter', `Missing: ${missing}`, missing)
    if (type === 'session.start') return start(event)
    if (!isStarted) return fail(event, 'session_not_started', 'Send session.start first.')
    switch (type) {
      case 'session.input_audio.append':
        bytes += Buffer.from(String(event.audio), 'base64').length
        if (now !== undefined && bytes / 48 > now() - startedAt + maxLeadMilliseconds)
          return fail(event, 'audio_too_fast', 'Audio comes faster than real time.')
        break
      case 'session.commentary.append':
        commentary.push(String(event.content))
        break
      case 'session.update': {
        const fixed = unknownField(event.session as Fields, changeable)
        if (fixed !== undefined)
          return fail(event, 'immutable_parameter', `Immutable: ${fixed}`, `session.${fixed}`)
        return send('session.updated', { session: resource })
      }
      case 'response.item.create':
        return createItem(event)
      case 'response.create':
        return createResponse(event)
      case 'session.close':
        return closeWith('close_requested')
    }
  }

  function closeWith(reason: string): void {
    isClosed = true
    send('session.closed', { reason, session: resource, usage: { seconds: position / 1000 } })
    socket.close(1000)
  }

  const audio = (delta: string, frames: number) => {
    for (let frame = 0; frame < frames; frame += 1) {
      position += 100
      sendFrame({ type: 'session.output_audio.delta', delta })
    }
  }
  const words = (type: string, delta: string, start: number) =>
    send(type, { delta, start_ms: start, end_ms: start + 200 })

  for (const { data } of inbox?.all ?? []) receive(JSON.parse(data.toString()) as Fields)
  socket.on('message', (data) => receive(JSON.parse(String(data)) as Fields))

  return {
    ...{ items, commentary, errors, send, close: closeWith },
    get session() {
      return session
    },
    get requested() {
      return requested
    },
    get heardMilliseconds() {
      return bytes / 48
    },
    get isDelegating() {
      return running !== null
    },
    get isClosed() {
      return isClosed
    },
    speak: (frames) => audio(liveSpeech, frames),
    beQuiet: (frames) => audio(liveSilence, frames),
    sayWords: (delta, start = position) => words('session.output_transcript.delta', delta, start),
    hearWords: (delta, start = position) => words('session.input_transcript.delta', delta, start),
    delegate(...calls) {
      running = `resp_${eventCount}`
      const delegation = {
        id: `del_${running}`,
        type: 'delegation',
        target: 'responses',
        response_id: running,
      }
      send('session.delegation.created', { delegation, offset_ms: position })
      nested({ type: 'response.created', response: { id: running, status: 'in_progress', output: [] } })
      for (const [output_index, { id, name, args = '{}' }] of calls.entries()) {
        openCalls.add(id)
        const item = { id: `fc_${id}`, type: 'function_call', call_id: id, name, arguments: args }
        nested({ type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } })
        nested({ type: 'response.output_item.done', output_index, item: { ...item, status: 'completed' } })
      }
    },
    finishDelegation(status = 'completed') {
      const usage = {
        ...{ input_tokens: 50, output_tokens: 10, total_tokens: 60 },
        input_tokens_details: { cached_tokens: 20 },
        output_tokens_details: { reasoning_tokens: 0 },
      }
      const error = status === 'failed' ? { code: 'server_error', message: 'It failed.' } : null
      nested({ type: `response.${status}`, response: { id: running, status, output: [], error, usage } })
      running = null
      if (status === 'failed') openCalls.clear()
    },
  }
}

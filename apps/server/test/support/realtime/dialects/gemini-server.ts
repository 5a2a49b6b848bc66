type Fields = Readonly<Record<string, unknown>>

/** The other end of a socket. */
export interface GeminiPeer {
  send(message: object): void
  close(code: number, reason: string): void
}

/** Shared by the connections of one session. */
export interface GeminiSessions {
  /** The handles that can be resumed. */
  readonly handles: Set<string>
  /** Whether the server refuses all handles, as after a day. */
  refusesHandles: boolean
}

export const newGeminiSessions = (): GeminiSessions => ({ handles: new Set(), refusesHandles: false })

interface CalledTool {
  /** Omitted by some models of Vertex AI. */
  readonly id?: string
  readonly name: string
  readonly args?: object
}

const voices = new Set(['Puck', 'Kore', 'Charon', 'Aoede'])
const setupFields = [
  ...['model', 'generationConfig', 'systemInstruction', 'tools', 'inputAudioTranscription'],
  ...['outputAudioTranscription', 'sessionResumption', 'contextWindowCompression', 'realtimeInputConfig'],
  ...['historyConfig', 'proactivity'],
]
const schemaFields = [
  ...[
    'type',
    'title',
    'description',
    'format',
    'nullable',
    'enum',
    'items',
    'properties',
    'required',
    'anyOf',
  ],
  ...['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'],
]
const schemaTypes = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT'])

/** The Gemini API and Vertex AI name the same models in their own ways. */
const modelName = /^(?:models|(projects\/[^/]+\/locations\/[^/]+)\/publishers\/google\/models)\/gemini-/

const invalid = 1007
const policyViolation = 1008

/** The close of a server that rejects a message. */
class Rejection extends Error {
  readonly code: number

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
  }
}

/** Plays Gemini Live on one connection, and closes it for what the real one rejects. */
export class GeminiServer {
  readonly #peer: GeminiPeer
  readonly #sessions: GeminiSessions
  readonly #openCalls = new Set<string>()
  #model = ''
  #hasInput = false
  #hasAnswered = false
  #handleCount = 0
  #isClosed = false
  /** The content of the first message. */
  setup: Fields | null = null
  /** Texts of the user that ask for an answer. */
  readonly texts: string[] = []
  /** Turns that the model only remembers. */
  readonly history: { readonly role: string; readonly text: string }[] = []
  readonly outputs: Fields[] = []
  /** The samples that the user has sent, at 16 kHz. */
  readonly heard: number[] = []
  /** How often the client has ended the audio stream. */
  streamEnds = 0
  readonly errors: string[] = []

  constructor(peer: GeminiPeer, sessions: GeminiSessions = newGeminiSessions()) {
    this.#peer = peer
    this.#sessions = sessions
  }

  /** Whether nothing can be sent any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  receive(message: Fields): void {
    if (this.#isClosed) return
    try {
      this.#receive(message)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      this.errors.push(error.message)
      this.#isClosed = true
      this.#peer.close(error.code, error.message)
    }
  }

  /** The socket is gone. */
  lose(): void {
    this.#isClosed = true
  }

  send(message: object): void {
    if (!this.#isClosed) this.#peer.send(message)
  }

  content(serverContent: object, rest: object = {}): void {
    // A model without input has nothing to answer.
    if ('modelTurn' in serverContent) this.#hasAnswered ||= this.#hasInput
    this.send({ serverContent, ...rest })
  }

  /** The user says something, word by word, as with models before 3.8. */
  hear(words: string): void {
    for (const text of words.split(/(?= )/)) this.content({ inputTranscription: { text } })
  }

  /** The model speaks. Words and sound alternate. */
  say(words: string): void {
    this.content({ modelTurn: { parts: [{ text: '**Thinking**', thought: true }] } })
    for (const text of words.split(/(?= )/)) {
      this.content({ outputTranscription: { text } })
      this.sound()
    }
  }

  /** Ten milliseconds of silence. */
  sound(): void {
    const data = Buffer.alloc(480).toString('base64')
    this.content({ modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }] } })
  }

  /** Ends an answer. */
  complete(usageMetadata: object = geminiUsage): void {
    this.content({ generationComplete: true })
    this.content({ turnComplete: true }, { usageMetadata })
  }

  answer(words: string): void {
    this.say(words)
    this.complete()
  }

  interrupt(): void {
    this.content({ interrupted: true })
    this.content({ turnComplete: true })
  }

  call(...calls: readonly CalledTool[]): void {
    for (const { id } of calls) if (id !== undefined) this.#openCalls.add(id)
    this.send({ toolCall: { functionCalls: calls.map((call) => ({ args: {}, ...call })) } })
  }

  cancelCalls(...ids: readonly string[]): void {
    for (const id of ids) this.#openCalls.delete(id)
    this.send({ toolCallCancellation: { ids } })
  }

  /** Gives out a handle of this moment. */
  offerHandle(): string {
    this.#handleCount += 1
    const newHandle = `handle-${this.#sessions.handles.size + this.#handleCount}`
    this.#sessions.handles.add(newHandle)
    this.send({ sessionResumptionUpdate: { newHandle, resumable: true } })
    return newHandle
  }

  goAway(timeLeft: string): void {
    this.send({ goAway: { timeLeft } })
  }

  #receive(message: Fields): void {
    const [kind, ...others] = Object.keys(message)
    if (kind === undefined || others.length > 0) throw invalidPayload(others[0] ?? 'nothing')
    const value = message[kind] as Fields
    if (kind === 'setup') return this.#configure(value)
    if (this.setup === null) throw new Rejection(invalid, 'The first message must be setup.')
    this.#hasInput = true
    if (kind === 'realtimeInput') this.#hear(value)
    else if (kind === 'clientContent') this.#read(value)
    else if (kind === 'toolResponse') this.#takeOutputs(value)
    else throw invalidPayload(kind)
  }

  #configure(setup: Fields): void {
    if (this.setup !== null)
      throw new Rejection(invalid, 'setup must be the first message and only the first.')
    requireFields(setup, setupFields)
    this.#model = String(setup.model)
    const confirmation = confirmationFor(this.#model)
    const { responseModalities, speechConfig, ...rest } = setup.generationConfig as Fields
    requireFields(rest, [])
    if (JSON.stringify(responseModalities) !== '["AUDIO"]')
      throw new Rejection(invalid, 'Cannot extract voices from a non-audio request.')
    const [voice] = [...JSON.stringify(speechConfig ?? {}).matchAll(/"voiceName":"([^"]*)"/g)].map(
      ([, name]) => name,
    )
    if (voice !== undefined && !voices.has(voice))
      throw new Rejection(
        invalid,
        `Requested voice api_name '${voice}' is not available for model ${this.#model}`,
      )
    for (const { functionDeclarations } of (setup.tools ?? []) as Fields[])
      for (const declaration of functionDeclarations as Fields[]) {
        requireFields(declaration, ['name', 'description', 'parameters', 'behavior'])
        if (typeof declaration.name !== 'string') throw new Rejection(invalid, 'Function names are required.')
        if ('parameters' in declaration) requireSchema(declaration.parameters as Fields)
      }
    const { handle } = (setup.sessionResumption ?? {}) as Fields
    if (
      handle !== undefined &&
      (this.#sessions.refusesHandles || !this.#sessions.handles.has(String(handle)))
    )
      throw new Rejection(policyViolation, 'BidiGenerateContent session not found')
    this.setup = setup
    this.send({ setupComplete: confirmation })
  }

  #hear(input: Fields): void {
    requireFields(input, ['audio', 'text', 'audioStreamEnd'])
    if (typeof input.text === 'string') this.texts.push(input.text)
    if (input.audioStreamEnd === true) this.streamEnds += 1
    if (input.audio === undefined) return
    const { data, mimeType, ...rest } = input.audio as Fields
    requireFields(rest, [])
    if (mimeType !== 'audio/pcm;rate=16000')
      throw new Rejection(invalid, `Unsupported MIME type: ${mimeType}`)
    const bytes = Buffer.from(String(data), 'base64')
    for (let at = 0; at + 1 < bytes.length; at += 2) this.heard.push(bytes.readInt16LE(at))
  }

  #read(content: Fields): void {
    requireFields(content, ['turns', 'turnComplete'])
    const isNewer = !/gemini-(?:live-)?2/.test(this.#model)
    if (isNewer && this.#hasAnswered) throw new Rejection(invalid, 'Request contains an invalid argument.')
    const turns = (content.turns ?? []) as Fields[]
    for (const { role, parts, ...rest } of turns) {
      requireFields(rest, [])
      if (role !== 'user' && role !== 'model')
        throw new Rejection(invalid, 'Please use a valid role: user, model.')
      const text = (parts as Fields[]).map((part) => part.text).join('\n')
      if (content.turnComplete === true && role === 'user') this.texts.push(text)
      else this.history.push({ role, text })
    }
  }

  #takeOutputs(response: Fields): void {
    requireFields(response, ['functionResponses'])
    for (const output of response.functionResponses as Fields[]) {
      requireFields(output, ['id', 'name', 'response', 'scheduling'])
      if (typeof output.name !== 'string' || output.name === '')
        throw new Rejection(invalid, 'Name is required for each function response.')
      if (output.id !== undefined && !this.#openCalls.delete(String(output.id)))
        throw new Rejection(policyViolation, `Function response for an unknown call: ${output.id}`)
      this.outputs.push(output)
    }
  }
}

/** Vertex AI names the session that it has set up. */
function confirmationFor(model: string): object {
  const [isKnown, project] = modelName.exec(model) ?? []
  if (isKnown === undefined)
    throw new Rejection(policyViolation, `${model} is not found for API version v1beta.`)
  return project === undefined ? {} : { sessionId: 'a-session' }
}

function requireFields(fields: Fields, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalidPayload(unknown)
}

function requireSchema(schema: Fields): void {
  requireFields(schema, schemaFields)
  if (schema.type !== undefined && !schemaTypes.has(String(schema.type)))
    throw new Rejection(invalid, `Invalid value at 'type': ${schema.type}`)
  if (schema.items !== undefined) requireSchema(schema.items as Fields)
  for (const inner of Object.values((schema.properties ?? {}) as Fields)) requireSchema(inner as Fields)
  for (const inner of (schema.anyOf ?? []) as Fields[]) requireSchema(inner)
}

const invalidPayload = (name: string) =>
  new Rejection(invalid, `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`)

/** Its own total leaves the thoughts out, and the details do not add up to the counts. */
export const geminiUsage = {
  promptTokenCount: 626,
  responseTokenCount: 37,
  totalTokenCount: 663,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 312 },
    { modality: 'AUDIO', tokenCount: 287 },
  ],
  responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
  thoughtsTokenCount: 28,
}

import { setImmediate } from 'node:timers/promises'
import { serveGemini } from './dialects/gemini-sessions.js'
import { serveLive } from './dialects/live-server.js'
import { SimilarServer, type SimilarVendor } from './dialects/similar-server.js'
import { openAi, qwenOmni } from './dialects/similar-vendors.js'
import type { ProviderSession, ScriptedProvider } from './scripted-provider.js'
import { SpeechDetector, samplesOf } from './speech-detector.js'

type Fields = Readonly<Record<string, unknown>>

/** When a provider is lost. */
export type Death = 'before the words' | 'before the answer' | 'in the answer' | 'after the call'

export interface PlayedAnswer {
  readonly words: readonly string[]
  /** Whether the model calls the tool `note` before it answers. */
  readonly calls?: boolean
}

export interface VoiceScript {
  /** The words of any speech of the user. */
  readonly spoken: string
  readonly answers: Readonly<Record<string, PlayedAnswer>>
  readonly death: Death | null
}

/** A provider of some protocol whose model listens, answers and calls a tool by a script. */
export interface PlayedVoice {
  /** Everything that was wrong, in the eyes of the provider. */
  readonly faults: readonly string[]
}

interface Line {
  readonly role: 'user' | 'assistant' | 'tool' | 'note'
  readonly text: string
}

/** The part of a voice that depends on the protocol. */
interface Body {
  /** The user's speech was heard. Makes it part of the conversation. */
  transcribe(words: string): void
  say(words: string): void
  end(): void
  call(id: string): void
  readonly errors: readonly string[]
}

/** The model behind each protocol. It answers once each time it is asked, and continues after words that it has said. */
class Model {
  readonly faults: string[] = []
  readonly lines: Line[] = []
  readonly #script: VoiceScript
  readonly #die: () => void
  readonly #body: Body
  #isDead = false
  #isAnswering = false
  #callCount = 0

  constructor(script: VoiceScript, body: Body, die: () => void) {
    this.#script = script
    this.#body = body
    this.#die = die
  }

  /** The user has stopped speaking. */
  hear(mustAnswer = true): void {
    if (this.#script.death === 'before the words') return this.#leave()
    this.lines.push({ role: 'user', text: this.#script.spoken })
    this.#body.transcribe(this.#script.spoken)
    if (mustAnswer) this.ask()
  }

  ask(): void {
    void this.#answer()
  }

  async #answer(): Promise<void> {
    const { death, answers } = this.#script
    if (this.#isDead) return
    if (this.#isAnswering) return void this.faults.push('asked during an answer')
    const asked = this.lines.findLastIndex(({ role, text }) => role === 'user' && answers[text] !== undefined)
    const question = this.lines[asked]?.text ?? ''
    const answer = answers[question]
    if (answer === undefined) return void this.faults.push('asked without a question')
    if (death === 'before the answer') return this.#leave()
    const since = this.lines.slice(asked)
    if (answer.calls === true && !since.some(({ role }) => role === 'tool')) {
      this.#callCount += 1
      this.#body.call(`call-${this.#callCount}`)
      if (this.#callCount > 1) this.faults.push('called the tool twice')
      if (death === 'after the call') this.#leave()
      return
    }
    const said = since.flatMap(({ role, text }) => (role === 'assistant' ? text.trim().split(' ') : []))
    const left = answer.words.slice(said.length)
    if (left.length === 0) return void this.faults.push(`answered "${question}" twice`)
    this.#isAnswering = true
    for (const word of left) {
      this.lines.push({ role: 'assistant', text: word })
      this.#body.say(`${word} `)
      await setImmediate()
      if (death === 'in the answer') return this.#leave()
      if (this.#isDead) return
    }
    this.#body.end()
    this.#isAnswering = false
  }

  leave(): void {
    this.#isDead = true
  }

  #leave(): void {
    this.#isDead = true
    this.#die()
  }
}

type Play = (session: ProviderSession, script: VoiceScript, die: () => void) => PlayedVoice

/** Calls `read` for each event of the service, after `receive` has handled it. */
function onEvents({ socket, inbox }: ProviderSession, read: (event: Fields) => void): void {
  for (const { data } of inbox.all) read(JSON.parse(data.toString()) as Fields)
  socket.on('message', (data) => read(JSON.parse(String(data)) as Fields))
}

function textOfItem({ content }: Fields): string {
  return ((content ?? []) as Fields[]).map(({ text, transcript }) => text ?? transcript ?? '').join('')
}

/** Returns an item of OpenAI's protocol as a line of the conversation. */
function lineOf(item: Fields): Line {
  if (item.type === 'function_call_output') return { role: 'tool', text: String(item.output) }
  if (item.type !== 'message') return { role: 'note', text: '' }
  const role = item.role === 'user' || item.role === 'assistant' ? item.role : 'note'
  return { role, text: textOfItem(item) }
}

const playSimilar =
  (vendor: SimilarVendor): Play =>
  (session, script, die) => {
    const server = new SimilarServer(session, vendor)
    const detector = new SpeechDetector(vendor.inputRate)
    let unheard: string | null = null
    const model = new Model(
      script,
      {
        errors: server.errors,
        transcribe: (words) => unheard !== null && server.transcribe(unheard, words),
        say: (words) => server.say(words),
        end: () => server.end(),
        call: (id) => server.call({ id, name: 'note', args: '{"text":"a"}' }),
      },
      die,
    )
    /** The client's commit ends a turn, and does not ask for an answer. */
    const commit = (item: Fields) => {
      unheard = String(item.id)
      if (detector.isSpeaking) model.hear(false)
      else server.transcribe(unheard, '')
      detector.reset()
    }
    const listen = (audio: unknown) => {
      for (const what of detector.push(samplesOf(audio))) {
        if (what === 'begins') server.startSpeech()
        else {
          unheard = server.endSpeech()
          model.hear()
        }
      }
    }
    onEvents(session, (event) => {
      const { requested } = server
      const { length } = server.conversation
      server.receive(event)
      const created = server.conversation.slice(length)
      if (event.type === 'conversation.item.create') model.lines.push(...created.map(lineOf))
      if (event.type === 'input_audio_buffer.commit') created.forEach(commit)
      if (event.type === 'input_audio_buffer.append') listen(event.audio)
      if (server.requested > requested) model.ask()
    })
    session.socket.on('close', () => {
      server.lose()
      model.leave()
    })
    return {
      get faults() {
        // The service commits and requests what a provider may have done of its own accord.
        const expected = /^(?:The buffer is too small|A response is active)/
        return [...model.faults, ...server.errors.filter((error) => !expected.test(error))]
      },
    }
  }

const playGemini: Play = (session, script, die) => {
  const gemini = serveGemini(session)
  const detector = new SpeechDetector(16_000)
  const read = { texts: 0, history: 0, outputs: 0, streamEnds: 0 }
  const model = new Model(
    script,
    {
      errors: gemini.errors,
      transcribe: (words) => gemini.hear(words),
      say: (words) => gemini.say(words),
      end: () => gemini.complete(),
      call: (id) => gemini.call({ id, name: 'note', args: { text: 'a' } }),
    },
    die,
  )
  const lineOfText = (text: string): Line =>
    text.startsWith('The tool ') || text.startsWith('Result of the tool')
      ? { role: text.startsWith('Result') ? 'tool' : 'note', text }
      : { role: 'user', text }
  /** Adds what the service has sent as text. Returns whether it asks for an answer. */
  const readTexts = () => {
    for (const { role, text } of gemini.history.slice(read.history))
      for (const part of text.split('\n'))
        model.lines.push(role === 'model' ? { role: 'assistant', text: part } : lineOfText(part))
    const outputs = gemini.outputs.slice(read.outputs)
    for (const { response } of outputs)
      model.lines.push({ role: 'tool', text: String((response as Fields).output) })
    const texts = gemini.texts.slice(read.texts)
    for (const text of texts) model.lines.push(...text.split('\n\n').map(lineOfText))
    read.history = gemini.history.length
    read.outputs = gemini.outputs.length
    read.texts = gemini.texts.length
    return texts.length + outputs.length > 0
  }
  onEvents(session, (event) => {
    const isAsked = readTexts()
    const { audio } = (event.realtimeInput ?? {}) as Fields
    const hasEnded = detector.push(samplesOf((audio as Fields | undefined)?.data ?? '')).includes('ends')
    const isStreamEnd = gemini.streamEnds > read.streamEnds && detector.isSpeaking
    read.streamEnds = gemini.streamEnds
    if (isStreamEnd) detector.reset()
    if (hasEnded || isStreamEnd) model.hear()
    if (isAsked) model.ask()
  })
  session.socket.on('close', () => model.leave())
  return {
    get faults() {
      return [...model.faults, ...gemini.errors]
    },
  }
}

const playLive: Play = (session, script, die) => {
  const live = serveLive(session, { now: () => performance.now() })
  const detector = new SpeechDetector(24_000)
  const read = { items: 0, requested: 0, commentary: 0, isStarted: false }
  const model = new Model(
    script,
    {
      errors: live.errors,
      transcribe: (words) => live.hearWords(words),
      say(words) {
        live.speak(2)
        live.sayWords(words)
      },
      end: () => live.beQuiet(10),
      call(id) {
        live.delegate({ id, name: 'note', args: '{"text":"a"}' })
        live.finishDelegation()
      },
    },
    die,
  )
  const lineOfItem = (item: Fields): Line => {
    const line = lineOf(item)
    return line.role === 'note' &&
      /^(?:A tool that was called earlier|The tool .*\. It) returned/.test(line.text)
      ? { role: 'tool', text: line.text }
      : line
  }
  onEvents(session, (event) => {
    if (!read.isStarted && live.session.model !== undefined) {
      read.isStarted = true
      model.lines.push(...((live.session.input ?? []) as Fields[]).map(lineOfItem))
    }
    model.lines.push(...live.items.slice(read.items).map(lineOfItem))
    read.items = live.items.length
    const audio = event.type === 'session.input_audio.append' ? event.audio : ''
    if (detector.push(samplesOf(audio)).includes('ends')) model.hear()
    const isAsked = live.requested > read.requested || live.commentary.length > read.commentary
    read.requested = live.requested
    read.commentary = live.commentary.length
    if (isAsked) model.ask()
  })
  session.socket.on('close', () => model.leave())
  return {
    get faults() {
      return [...model.faults, ...live.errors]
    },
  }
}

export const voices = {
  'openai-realtime': {
    play: playSimilar(openAi),
    connection: { kind: 'openai', models: { realtime: ['gpt-realtime-2.1'] } },
  },
  gemini: {
    play: playGemini,
    connection: { kind: 'google', models: { realtime: ['gemini-3.8-live'] } },
  },
  'gpt-live': {
    play: playLive,
    connection: { kind: 'openai', models: { chat: 'gpt-5-mini', realtime: ['gpt-live-1'] } },
  },
  qwen: {
    play: playSimilar(qwenOmni),
    connection: { kind: 'qwen', models: { realtime: ['qwen3.8-omni-flash-realtime'] } },
  },
} as const satisfies Readonly<Record<string, { readonly play: Play; readonly connection: object }>>

export type VoiceName = keyof typeof voices

/** Plays a voice on each connection of a scripted provider. One with a death takes no further connection after it. */
export function playVoice(provider: ScriptedProvider, name: VoiceName, script: VoiceScript): PlayedVoice {
  const played: PlayedVoice[] = []
  const acceptAll = async () => {
    for (;;) {
      const session = await provider.accept()
      const die = () => {
        provider.onUpgrade((_request, socket) => {
          socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
          return 'handled'
        })
        session.socket.close(1011, 'overloaded')
      }
      played.push(voices[name].play(session, script, die))
    }
  }
  void acceptAll()
  return {
    get faults() {
      return played.flatMap(({ faults }) => faults)
    },
  }
}

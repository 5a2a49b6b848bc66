import fc from 'fast-check'
import type { DialectRun } from './dialect-run.js'
import { type GeminiServer, type GeminiSessions, geminiUsage } from './gemini-server.js'

/** A run with the state that commands share. */
export interface GeminiRun {
  readonly run: DialectRun<GeminiServer>
  readonly sessions: GeminiSessions
  /** The provider's ids of the calls that were made so far. */
  readonly calls: string[]
}

export interface GeminiCommand {
  readonly name: string
  do(run: GeminiRun): void | Promise<void>
  toString(): string
}

const command = (name: string, act: GeminiCommand['do']): GeminiCommand => ({
  name,
  do: act,
  toString: () => name,
})

const sound = { inlineData: { mimeType: 'audio/pcm;rate=24000', data: 'AAAA' } }
const thought = { text: 'Hm.', thought: true }

const content = (serverContent: object, rest: object = {}) =>
  command(JSON.stringify({ serverContent, ...rest }), ({ run }) => run.provider.content(serverContent, rest))

const message = (name: string, fields: object) => command(name, ({ run }) => run.provider.send(fields))

const client = (event: object) => command(JSON.stringify(event), ({ run }) => run.send(event))

function callTools(count: number, hasIds: boolean): GeminiCommand {
  return command(`call ${count} tools ${hasIds ? 'with' : 'without'} ids`, ({ run, calls }) => {
    const ids = Array.from(
      { length: count },
      (_, index) => `function-call-${calls.length + index}-of-this-run`,
    )
    if (hasIds) calls.push(...ids)
    run.provider.call(...ids.map((id) => ({ ...(hasIds && { id }), name: 'clock' })))
  })
}

/** Sends the output of a call that the client has not answered. */
function answerCall(at: number): GeminiCommand {
  return command(`answer call ${at}`, ({ run }) => {
    const ids = run.events.flatMap(({ type, call_id }) =>
      type === 'response.function_call_arguments.done' ? [String(call_id)] : [],
    )
    const echoed = run.events.flatMap(({ type, item }) =>
      type === 'conversation.item.added' ? [(item as { call_id?: unknown; type: string }).call_id] : [],
    )
    // A call is echoed once with itself, and once with its output.
    const open = ids.filter((id) => echoed.filter((other) => other === id).length < 2)
    const callId = open[at % Math.max(1, open.length)]
    if (callId === undefined) return
    const item = { type: 'function_call_output', call_id: callId, output: 'noon' }
    run.send({ type: 'conversation.item.create', item })
  })
}

const typed = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] }

const commands: readonly GeminiCommand[] = [
  content({ inputTranscription: { text: ' word' } }),
  content({ inputTranscription: { text: ' All words.', finished: true } }),
  content({ modelTurn: { parts: [sound] } }),
  content({ modelTurn: { parts: [thought, sound] }, outputTranscription: { text: 'word ' } }),
  content({ outputTranscription: { text: 'word ' } }),
  content({ outputTranscription: {} }),
  content({}),
  content({ generationComplete: true }),
  content({ turnComplete: true }, { usageMetadata: geminiUsage }),
  content({ generationComplete: true, turnComplete: true }),
  content({ modelTurn: { parts: [sound] }, generationComplete: true, turnComplete: true }),
  content({ interrupted: true }),
  content({ interrupted: true, turnComplete: true }, { usageMetadata: geminiUsage }),
  content({ interrupted: true, inputTranscription: { text: ' Stop.' } }),
  message('usage alone', { usageMetadata: geminiUsage }),
  message('nothing', {}),
  message('speech begins', { voiceActivity: { type: 'ACTIVITY_START', audioOffset: '1.880s' } }),
  message('speech ends', { voiceActivity: { voiceActivityType: 'ACTIVITY_END' } }),
  callTools(1, true),
  callTools(3, true),
  callTools(1, false),
  command('take calls back', ({ run, calls }) => {
    // A client that has not read this may answer, and the real Gemini may close the session then.
    if (!run.isPaused) run.provider.cancelCalls(...calls.slice(-2))
  }),
  command('offer a handle', ({ run }) => void run.provider.offerHandle()),
  message('a handle of the past', { sessionResumptionUpdate: { resumable: false } }),
  command('go away', ({ run }) => run.provider.goAway('10s')),
  command('lose the socket', ({ run }) => run.loseSocket()),
  command('refuse handles', ({ sessions }) => {
    sessions.refusesHandles = !sessions.refusesHandles
  }),
  command('be unreachable', ({ run }) => {
    run.unreachable = 1
  }),
  client({ type: 'input_audio_buffer.append', audio: 'AAAAAAAA' }),
  client({ type: 'input_audio_buffer.commit' }),
  client({ type: 'conversation.item.create', item: typed }),
  client({ type: 'response.create' }),
  client({ type: 'response.cancel' }),
  client({ type: 'conversation.item.truncate', item_id: 'x', content_index: 0, audio_end_ms: 0 }),
  answerCall(0),
  answerCall(1),
  command('pause', ({ run }) => run.pause()),
  command('resume', ({ run }) => run.resume()),
  command('pass 300 ms', ({ run }) => run.pass(300)),
  command('pass 5 s', ({ run }) => run.pass(5000)),
  command('pass 40 s', ({ run }) => run.pass(40_000)),
]

/** Any messages of Gemini and of a client, in any order. */
export const geminiCommands = fc.array(fc.constantFrom(...commands), {
  minLength: 1,
  maxLength: 60,
  size: 'max',
})

import fc from 'fast-check'
import type { DialectRun, PlayedProvider, ProviderPeer } from './dialect-run.js'
import { type LiveServer, serveLive } from './live-server.js'

export interface PlayedLive extends PlayedProvider {
  readonly live: LiveServer
}

/** Plays GPT-Live at the end of a socket in memory. */
export function playLive(peer: ProviderPeer): PlayedLive {
  let deliver: (data: unknown) => void = () => undefined
  const live = serveLive({
    send: (event) => peer.send(event),
    socket: {
      on: (_name, listener) => {
        deliver = listener
      },
      close: (code) => peer.close(code, ''),
    },
  })
  return { live, receive: (message) => deliver(JSON.stringify(message)), lose: () => undefined }
}

interface LiveState {
  readonly run: DialectRun<PlayedLive>
  /** Ids of calls that the client knows and has not answered. */
  readonly answered: Set<unknown>
}

interface LiveCommand {
  readonly do: (state: LiveState) => void | Promise<void>
  readonly toString: () => string
}

const command = (name: string, act: LiveCommand['do']): LiveCommand => ({ do: act, toString: () => name })

/** Runs only while the session is open. */
const provider = (name: string, act: (live: LiveServer) => void) =>
  command(name, ({ run }) => {
    if (!run.provider.live.isClosed && run.closeCode === null) act(run.provider.live)
  })

const client = (name: string, event: object) => command(name, ({ run }) => run.send(event))

function answerNext({ run, answered }: LiveState): void {
  const call = run.events.find(
    ({ type, call_id }) => type === 'response.function_call_arguments.done' && !answered.has(call_id),
  )
  if (call === undefined) return
  answered.add(call.call_id)
  const item = { type: 'function_call_output', call_id: call.call_id, output: 'noon' }
  run.send({ type: 'conversation.item.create', item })
  run.send({ type: 'response.create' })
}

const few = fc.integer({ min: 1, max: 12 })
const typed = {
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] },
}

/** The events of sessions with GPT-Live, in any order. */
export const liveCommands = fc.array(
  fc.oneof(
    few.map((frames) => provider(`speak ${frames}`, (live) => live.speak(frames))),
    few.map((frames) => provider(`quiet ${frames}`, (live) => live.beQuiet(frames))),
    fc.constantFrom(
      provider('model words', (live) => live.sayWords('It is ')),
      provider('user words', (live) => live.hearWords('What ')),
      provider('late user words', (live) => live.hearWords('late ', 0)),
      provider('usage', (live) => live.send('session.usage.updated', { usage: { seconds: 3 } })),
      provider('info', (live) => live.send('info', { code: 'notice', message: 'x' })),
      provider('error', (live) => live.send('error', { error: { type: 'x', code: 'y', message: 'z' } })),
      provider('completed', (live) => {
        if (live.isDelegating) live.finishDelegation()
      }),
      provider('failed', (live) => {
        if (live.isDelegating) live.finishDelegation('failed')
      }),
      command('output', answerNext),
      client('request', { type: 'response.create' }),
      client('cancel', { type: 'response.cancel' }),
      client('typed', typed),
      client('commit', { type: 'input_audio_buffer.commit' }),
      client('audio', { type: 'input_audio_buffer.append', audio: Buffer.alloc(4800).toString('base64') }),
      command('pause', ({ run }) => run.pause()),
      command('resume', ({ run }) => run.resume()),
    ),
    fc.integer({ min: 0, max: 3 }).map((count) =>
      provider(`delegate ${count}`, (live) => {
        const calls = ['a', 'b', 'c']
          .slice(0, count)
          .map((id) => ({ id: `${id}${Math.random()}`, name: 'clock' }))
        if (!live.isDelegating) live.delegate(...calls)
      }),
    ),
    fc.integer({ min: 1, max: 3000 }).map((ms) => command(`pass ${ms}`, ({ run }) => run.pass(ms))),
    fc.constantFrom(
      provider('expired', (live) => live.close('expired')),
      provider('content', (live) => live.close('content')),
      command('lost', ({ run }) => {
        if (!run.provider.live.isClosed) run.loseSocket()
      }),
    ),
  ),
  { minLength: 5, maxLength: 40 },
)

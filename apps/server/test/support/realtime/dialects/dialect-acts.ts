import { describe, expect, test } from 'vitest'
import { firstMessageRequest } from '#server/domain/realtime/protocol/service-frames.js'
import {
  DialectRun,
  type MadeDialect,
  openingOf,
  type PlayedProvider,
  type ProviderPeer,
} from './dialect-run.js'

/** A provider that can play every act. Each method returns when the act is over. */
export interface ActingProvider extends PlayedProvider {
  readonly errors: readonly string[]
  /** How many texts, or requests for an answer to texts, were accepted. */
  readonly asked: number
  /** How many outputs of calls were accepted. */
  readonly outputCount: number
  /** The user says something, and is silent after that. */
  hear(run: ActingRun, words: string): Promise<void>
  /** The model says something, and ends its turn. */
  answer(run: ActingRun, words: string): Promise<void>
  call(run: ActingRun, ids: readonly string[]): Promise<void>
  /** The model has the outputs that it waited for. */
  continueAfterOutputs(run: ActingRun): Promise<void>
}

export type ActingRun = DialectRun<ActingProvider>

interface UnsupportedEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** Requests for a response with a setting that most providers cannot change for one response. */
export const requestsWithSettings: readonly UnsupportedEvent[] = [
  { conversation: 'none' },
  { input: [] },
  { tools: [] },
  { tool_choice: 'none' },
  { tool_choice: { type: 'function', name: 'clock' } },
  { max_output_tokens: 20 },
  { audio: { output: { voice: 'another' } } },
  { metadata: { topic: 'time' } },
].map((response) => ({ type: 'response.create', response }))

export type ActedDialect = MadeDialect & {
  readonly name: string
  readonly model: string
  readonly voice: string
  /** Events of a client without a counterpart at the provider. */
  readonly unsupported: readonly UnsupportedEvent[]
  readonly play: (peer: ProviderPeer) => ActingProvider
}

const message = (id: string, role: string, type: string, text: string) => ({
  ...{ id, type: 'message', role },
  content: [{ type, text }],
})

const past = [
  message('past_1', 'user', 'input_text', 'I am Ada.'),
  message('past_2', 'assistant', 'output_text', 'Good day, Ada.'),
]

/** Returns the final transcripts in the order of their events. */
function words({ events }: ActingRun): readonly string[] {
  return events.flatMap(({ type, transcript }) => {
    if (transcript === '') return []
    if (type === 'response.output_audio_transcript.done') return [`assistant: ${transcript}`]
    return type.endsWith('input_audio_transcription.completed') ? [`user: ${transcript}`] : []
  })
}

const countOf = ({ events }: ActingRun, type: string) => events.filter((event) => event.type === type).length

const callIds = ({ events }: ActingRun) =>
  events.flatMap((event) => (event.type === 'response.function_call_arguments.done' ? [event.call_id] : []))

/** The same acts for every provider that does not speak OpenAI's protocol: clients must see no difference. */
export function describeActs(acted: ActedDialect): void {
  const { name, model, voice, unsupported } = acted
  const open = (items: readonly object[] = [], itsVoice = voice) =>
    new DialectRun<ActingProvider>({ ...acted, opening: openingOf(model, itsVoice, items) }).open()

  const finish = async (run: ActingRun) => {
    const { errors } = run.provider
    await run.finish()
    expect({ problems: run.problems, errors }).toEqual({ problems: [], errors: [] })
  }

  async function ask(run: ActingRun, text: string): Promise<void> {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    run.send({ type: 'conversation.item.create', item })
    run.send({ type: 'response.create' })
    await run.settle()
  }

  describe(`the acts of ${name}`, () => {
    test('a session is created, configured and confirmed [RT-64]', async () => {
      const run = await open()
      expect(run.events.map(({ type }) => type).slice(0, 2)).toEqual(['session.created', 'session.updated'])
      await finish(run)
    })

    test('a refused voice is an outcome of connecting, or an error before the session is confirmed [RT-16]', async () => {
      const run = await open([], 'Nemo')
      const error = run.events.find(({ type }) => type === 'error')?.error as { message: string } | undefined
      expect(run.refusal ?? error?.message).toContain('Nemo')
      expect(countOf(run, 'session.updated')).toBe(0)
    })

    test('a spoken turn has its words and its answer [RT-64]', async () => {
      const run = await open()
      run.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(4800).toString('base64') })
      await run.provider.hear(run, 'Good day.')
      await run.provider.answer(run, 'Good day to you.')
      await run.pass(2000)
      expect([...words(run)].sort()).toEqual(['assistant: Good day to you.', 'user: Good day.'])
      await finish(run)
    })

    test('a typed turn is asked once and answered once [RT-64]', async () => {
      const run = await open()
      await ask(run, 'Who are you?')
      expect(run.provider.asked).toBe(1)
      await run.provider.answer(run, 'A voice.')
      await run.pass(2000)
      expect(words(run)).toEqual(['assistant: A voice.'])
      expect(countOf(run, 'response.done')).toBe(1)
      await finish(run)
    })

    test('the history is echoed, and is not answered [RT-64]', async () => {
      const run = await open(past)
      expect(countOf(run, 'conversation.item.added')).toBe(2)
      expect([run.provider.asked, countOf(run, 'response.created')]).toEqual([0, 0])
      await finish(run)
    })

    test.each([1, 3])('%i calls are answered with one request [RT-64]', async (count) => {
      const run = await open()
      await ask(run, 'What time is it?')
      const ids = Array.from({ length: count }, (_, index) => `call-with-an-id-of-the-provider-${index}`)
      await run.provider.call(run, ids)
      expect(new Set(callIds(run)).size).toBe(count)
      for (const call_id of callIds(run)) {
        const item = { type: 'function_call_output', call_id, output: 'noon' }
        run.send({ type: 'conversation.item.create', item })
      }
      run.send({ type: 'response.create' })
      await run.settle()
      await run.provider.continueAfterOutputs(run)
      expect(run.provider.outputCount).toBe(count)
      await run.provider.answer(run, 'It is noon.')
      await run.pass(2000)
      expect(words(run)).toEqual(['assistant: It is noon.'])
      await finish(run)
    })

    test.each(unsupported)('%j of a client is an error that names the event [RT-68]', async (event) => {
      const run = await open()
      const before = run.events.length
      run.send({ ...event, event_id: 'mine' })
      await run.settle()
      expect(run.events.slice(before)).toMatchObject([
        { type: 'error', error: { code: 'unsupported_by_provider', event_id: 'mine' } },
      ])
      expect(run.provider.asked).toBe(0)
      await finish(run)
    })

    test('a request with default settings is answered [RT-68]', async () => {
      const run = await open()
      const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Who are you?' }] }
      run.send({ type: 'conversation.item.create', item })
      const response = {
        ...{ conversation: 'auto', tool_choice: 'auto', max_output_tokens: 'inf', metadata: null },
        output_modalities: ['audio'],
      }
      run.send({ type: 'response.create', event_id: 'mine', response })
      await run.settle()
      expect(countOf(run, 'error')).toBe(0)
      expect(run.provider.asked).toBe(1)
      await run.provider.answer(run, 'A voice.')
      await finish(run)
    })

    test('a first message of the service may forbid tools [RT-68]', async () => {
      const run = await open()
      run.send(firstMessageRequest('Welcome!'))
      await run.settle()
      expect(countOf(run, 'error')).toBe(0)
      await run.provider.answer(run, 'Welcome!')
      await run.pass(2000)
      expect(words(run)).toEqual(['assistant: Welcome!'])
      await finish(run)
    })
  })
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeChatModels } from '#server/adapters/chat-models/chat-models.js'
import { makeLog } from '#server/adapters/system/log.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import { runTextTurn, type TextTurn } from '#server/domain/text-turn/run-text-turn.js'
import type { StepCounter } from '#server/domain/usage/use-counter.js'
import type { ChatCall, ChatModels, ChatStep, ChatUsage } from '#server/ports/chat-model.js'
import { noAccessTokens } from '../../support/chat-models/no-access-tokens.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { makeGate } from '../../support/stores/store-database.js'

let provider: ScriptedChatServer
let models: ChatModels

beforeAll(async () => {
  provider = await startScriptedChatServer()
  const log = makeLog('silent', false, { destination: { write: () => undefined } })
  const timers = systemTimers
  models = makeChatModels({
    fetchFor: () => globalThis.fetch,
    accessTokens: noAccessTokens,
    log,
    timers,
    firstRetryDelayMilliseconds: 1,
  })
})

afterEach(() => provider.verify())
afterAll(() => provider.close())

const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, cacheWriteTokens: 0 }

/** The counted usage of each step, or null if it is unknown. */
let counted: (ChatUsage | null)[] = []

beforeEach(() => {
  counted = []
})

const steps: StepCounter = {
  begin: () => async (step) => void counted.push(step?.usage ?? null),
  verdict: () => ({ ok: true }),
}

function run(turn: Partial<TextTurn> = {}) {
  return runTextTurn({
    models,
    target: {
      organizationId: 'an organization',
      connectionId: 'a connection',
      kind: 'openai-compatible',
      baseUrl: provider.baseUrl,
      apiKey: null,
      model: 'a-model',
      isFromEnvironment: false,
    },
    messages: [{ role: 'user', text: 'What is the weather?' }],
    tools: ['weather', 'clock'].map((name) => ({ name, description: name, parameters: { type: 'object' } })),
    callTool: async ({ name }) => `output of ${name}`,
    steps,
    stepTimeoutMilliseconds: 10_000,
    signal: new AbortController().signal,
    ...turn,
  })
}

interface WireMessage {
  readonly role: string
  readonly content?: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string }[]
}

/** The messages of the request with this index, as the provider got them. */
function messagesOf(index: number): readonly WireMessage[] {
  return provider.requests[index]?.body.messages as WireMessage[]
}

describe('a text turn', () => {
  test('takes one step if the model calls no tools', async () => {
    provider.answer({ text: 'Sunny.' })
    expect(await run()).toEqual({ kind: 'answered', text: 'Sunny.', steps: 1 })
    expect(counted).toEqual([usage])
  })

  test('continues with the outputs of calls until the model calls no tools, and sums up the usage', async () => {
    provider.answer(
      { text: 'Let me see.', calls: [{ id: 'a', name: 'weather', arguments: { city: 'Paris' } }] },
      { calls: [{ id: 'b', name: 'clock' }] },
      { text: ['It is ', 'sunny.'] },
    )
    const heard: string[] = []
    const calls: ChatCall[] = []
    const outcome = await run({
      onText: (delta) => void heard.push(delta),
      callTool: async (call) => {
        calls.push(call)
        return `output of ${call.name}`
      },
    })
    const text = 'Let me see.\n\nIt is sunny.'
    expect(outcome).toEqual({ kind: 'answered', text, steps: 3 })
    expect(counted).toEqual([usage, usage, usage])
    expect(heard.join('')).toBe(text)
    expect(calls).toEqual([
      { callId: 'a', name: 'weather', arguments: '{"city":"Paris"}' },
      { callId: 'b', name: 'clock', arguments: '{}' },
    ])
    expect(messagesOf(2)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Let me see.', tool_calls: [{ id: 'a' }] },
      { role: 'tool', tool_call_id: 'a', content: 'output of weather' },
      { role: 'assistant', tool_calls: [{ id: 'b' }] },
      { role: 'tool', tool_call_id: 'b', content: 'output of clock' },
    ])
  })

  test('runs the calls of a step concurrently and sends their outputs in order [TURN-1]', async () => {
    provider.answer(
      {
        calls: [
          { id: 'a', name: 'weather' },
          { id: 'b', name: 'clock' },
        ],
      },
      { text: 'Done.' },
    )
    const secondRuns = makeGate()
    const outcome = await run({
      async callTool({ callId }) {
        // The first tool ends only because the second has begun.
        if (callId === 'a') await secondRuns.opened
        else secondRuns.open()
        return `output of ${callId}`
      },
    })
    expect(outcome).toMatchObject({ kind: 'answered', text: 'Done.' })
    expect(messagesOf(1).slice(2)).toMatchObject([{ content: 'output of a' }, { content: 'output of b' }])
  })

  test('sends one more step without tools if the model keeps calling tools [TURN-2]', async () => {
    const call = { calls: [{ name: 'clock' }] }
    provider.answer(call, call, { text: 'That is all I know.' })
    expect(await run({ maxSteps: 2 })).toMatchObject({
      kind: 'answered',
      text: 'That is all I know.',
      steps: 3,
    })
    expect(provider.requests.map(({ body }) => 'tools' in body)).toEqual([true, true, false])
  })

  test('may take eight steps with tools by default', async () => {
    const calls = Array.from({ length: 8 }, () => ({ calls: [{ name: 'clock' }] }))
    provider.answer(...calls, { text: 'Enough.' })
    expect(await run()).toMatchObject({ kind: 'answered', steps: 9 })
  })

  test('ends if the model calls tools that it was not given', async () => {
    const call = { text: 'And so on.', calls: [{ name: 'clock' }] }
    provider.answer(call, call)
    let calls = 0
    const callTool = async () => {
      calls += 1
      return ''
    }
    expect(await run({ maxSteps: 1, callTool })).toMatchObject({ kind: 'answered', steps: 2 })
    expect(calls).toBe(1)
  })

  test('keeps the text and the usage if it fails', async () => {
    provider.answer({ text: 'Let me see.', calls: [{ name: 'clock' }] }, { status: 400, body: 'no' })
    expect(await run()).toEqual({
      kind: 'failed',
      detail: expect.stringContaining('The provider answered 400'),
      text: 'Let me see.',
    })
    expect(counted[0]).toEqual(usage)
  })
})

describe('an aborted turn', () => {
  test('sends no request if it was aborted before it began', async () => {
    const outcome = await run({ signal: AbortSignal.abort() })
    expect(outcome).toEqual({ kind: 'aborted', text: '' })
    expect(counted).toEqual([])
    expect(provider.requests).toEqual([])
  })

  test('keeps the text if it was aborted during a model step', async () => {
    provider.answer({ text: 'Half an', end: 'hanging' })
    const controller = new AbortController()
    const outcome = await run({ signal: controller.signal, onText: () => controller.abort() })
    expect(outcome).toEqual({ kind: 'aborted', text: 'Half an' })
    expect(counted).toEqual([null])
    await provider.requests[0]?.closed
  })

  test('does not wait for a running tool', async () => {
    provider.answer({ text: 'Let me see.', calls: [{ name: 'clock' }] })
    const controller = new AbortController()
    const outcome = await run({
      signal: controller.signal,
      callTool: () => {
        controller.abort()
        return new Promise(() => undefined)
      },
    })
    expect(outcome).toEqual({ kind: 'aborted', text: 'Let me see.' })
    expect(counted).toEqual([usage])
  })
})

/** No provider's format allows these, but a model behind the port may do them anyway. */
describe('a misbehaving model', () => {
  const answered = (step: Partial<Extract<ChatStep, { ok: true }>>): ChatStep => ({
    ok: true,
    text: '',
    calls: [],
    usage,
    isCutOff: false,
    ...step,
  })

  test('gets the output of the first call for every call with the same id', async () => {
    const requests: string[] = []
    const steps = [
      answered({
        calls: ['one', 'two', 'three'].map((name) => ({
          callId: name === 'three' ? 'other' : 'same',
          name,
          arguments: '{}',
        })),
      }),
      answered({ text: 'Done.' }),
    ]
    const ran: string[] = []
    const outcome = await run({
      models: {
        async step({ messages }) {
          requests.push(...messages.flatMap((each) => (each.role === 'tool' ? [each.output] : [])))
          return steps.shift() ?? answered({})
        },
      },
      callTool: async ({ name }) => {
        ran.push(name)
        return `output of ${name}`
      },
    })
    expect(ran).toEqual(['one', 'three'])
    expect(requests).toEqual(['output of one', 'output of one', 'output of three'])
    // Text that the model did not stream is part of the answer.
    expect(outcome).toMatchObject({ kind: 'answered', text: 'Done.' })
  })

  test('has no effect if it sends text after the end of the turn', async () => {
    const controller = new AbortController()
    const heard: string[] = []
    let speak: (delta: string) => void = () => undefined
    const outcome = await run({
      signal: controller.signal,
      onText: (delta) => void heard.push(delta),
      models: {
        step({ onText }) {
          speak = onText ?? speak
          speak('Heard.')
          controller.abort()
          return new Promise(() => undefined)
        },
      },
    })
    speak('Not heard.')
    expect(outcome).toMatchObject({ kind: 'aborted', text: 'Heard.' })
    expect(heard).toEqual(['Heard.'])
  })
})

describe('an endless answer [BND-7]', () => {
  const mebibyte = 'x'.repeat(1024 * 1024)
  const note = '\n\n[Truncated: the answer exceeds the maximum length.]'

  test('ends with the text so far and a note', async () => {
    provider.answer({ text: Array.from({ length: 24 }, () => mebibyte) })
    const heard: string[] = []
    const outcome = await run({ onText: (delta) => void heard.push(delta) })
    expect(outcome).toMatchObject({ kind: 'answered', steps: 1 })
    expect(outcome.text.length).toBe(1_000_000 + note.length)
    expect(outcome.text.endsWith(note)).toBe(true)
    expect(heard.join('')).toBe(outcome.text)
  })

  test('gets no further step after a step that made it too long', async () => {
    const half = 'x'.repeat(600_000)
    const calls = [{ id: 'a', name: 'weather', arguments: {} }]
    provider.answer({ text: half, calls }, { text: half, calls: [{ ...calls[0], id: 'b', name: 'clock' }] })
    const called: string[] = []
    const outcome = await run({
      callTool: async ({ name }) => {
        called.push(name)
        return 'output'
      },
    })
    expect(outcome).toMatchObject({ kind: 'answered', steps: 2 })
    expect(outcome.text.endsWith(note)).toBe(true)
    expect(called).toEqual(['weather'])
  })

  test('is not read any further within its step', async () => {
    provider.answer({ text: Array.from({ length: 24 }, () => mebibyte) })
    const step = await models.step({
      target: {
        organizationId: 'an organization',
        connectionId: 'a connection',
        kind: 'openai-compatible',
        baseUrl: provider.baseUrl,
        apiKey: null,
        isFromEnvironment: false,
        model: 'a-model',
      },
      messages: [{ role: 'user', text: 'What is the weather?' }],
      tools: [],
      timeoutMilliseconds: 10_000,
      signal: new AbortController().signal,
    })
    expect(step).toMatchObject({ ok: true, isCutOff: true })
    expect(step.text.length).toBe(mebibyte.length)
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ChatMessage, ChatTarget } from '#server/ports/chat-model.js'
import {
  apiKey,
  type ChatFixture,
  failure,
  noUsage,
  question,
  startChatFixture,
} from '../../support/chat-models/chat-fixture.js'
import { scriptedModel } from '../../support/scripted-chat-events.js'
import type { ScriptedChatServer } from '../../support/scripted-chat-server.js'
import { makeGate } from '../../support/stores/store-database.js'

const kinds = ['openai', 'azure-openai', 'openai-compatible', 'anthropic'] as const

// The operator's own settings. The provider packages would use them for omitted options.
const operatorSettings = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']

let provider: ScriptedChatServer
let step: ChatFixture['step']
let targetOf: ChatFixture['targetOf']
let takeLog: ChatFixture['takeLog']
let close: ChatFixture['close']

beforeAll(async () => {
  ;({ provider, step, targetOf, takeLog, close } = await startChatFixture())
  for (const name of operatorSettings) vi.stubEnv(name, 'http://127.0.0.1:9/of-the-operator')
})

afterEach(() => {
  expect(takeLog()).not.toContain(apiKey)
  provider.verify()
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await close()
})

const weather = {
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], 'x-own': [1] },
}

describe.each(kinds)('a model step of kind %s', (kind) => {
  const target = () => targetOf(kind)

  test('requests an answer in a format, beside tools as well', async () => {
    const responseSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    }
    const [tools, heard] = [[weather], [] as string[]]
    const answer = '{"city":"Paris"}'
    const onText = (delta: string) => void heard.push(delta)
    for (const given of [[], tools]) {
      const isCall = kind === 'anthropic' || (kind === 'openai-compatible' && given.length > 0)
      const name = kind === 'anthropic' ? 'json' : 'parley_answer'
      provider.answer(isCall ? { calls: [{ name, arguments: answer }] } : { text: answer })
      expect(await step({ target: target(), tools: given, responseSchema, onText })).toMatchObject({
        ok: true,
        text: answer,
        calls: [],
      })
      expect(heard.splice(0).join('')).toBe(answer)
      const { response_format: format, tools: offered } = provider.requests.at(-1)?.body ?? {}
      const { $schema: _, ...plain } = responseSchema
      if (isCall) expect(JSON.stringify(offered)).toContain(JSON.stringify(plain))
      else expect(format).toMatchObject({ json_schema: { strict: true, schema: plain } })
    }
  })

  test('streams the text as it arrives and returns the whole answer', async () => {
    const gate = makeGate()
    provider.answer({
      text: ['I am ', gate.opened, 'well.'],
      usage: { inputTokens: 20, outputTokens: 4, cachedInputTokens: 8, cacheWriteTokens: 5 },
    })
    const heard: string[] = []
    const answered = step({
      target: target(),
      onText(delta) {
        heard.push(delta)
        gate.open()
      },
    })
    expect(await answered).toEqual({
      ok: true,
      text: 'I am well.',
      calls: [],
      // Only Anthropic reports the tokens written to a cache.
      usage: {
        ...{ inputTokens: 20, outputTokens: 4, cachedInputTokens: 8 },
        cacheWriteTokens: kind === 'anthropic' ? 5 : 0,
      },
      isCutOff: false,
      responseModel: scriptedModel,
    })
    expect(heard).toEqual(['I am ', 'well.'])
  })

  test('sends the request to the right path, with the key in the right header only', async () => {
    provider.answer({ text: 'Well.' })
    await step({ target: target() })
    const [request] = provider.requests
    const places = {
      openai: ['/v1/chat/completions', 'authorization', `Bearer ${apiKey}`],
      'azure-openai': ['/openai/v1/chat/completions', 'api-key', apiKey],
      'openai-compatible': ['/v1/chat/completions', 'authorization', `Bearer ${apiKey}`],
      anthropic: ['/v1/messages', 'x-api-key', apiKey],
    } as const
    const [path, header, value] = places[kind]
    expect(request?.path).toBe(path)
    const holding = Object.entries(request?.headers ?? {}).filter(([, each]) => each?.includes(apiKey))
    expect(holding).toEqual([[header, value]])
    expect(request?.body).toMatchObject({ model: 'a-model', stream: true })
    expect(JSON.stringify(request?.body)).toContain('Be brief.')
  })

  test('passes on the schema of a tool unchanged', async () => {
    provider.answer({ text: 'Well.' })
    await step({ target: target(), tools: [weather] })
    const { description, name, parameters } = weather
    const tools = provider.requests[0]?.body.tools
    expect(tools).toEqual([
      kind === 'anthropic'
        ? { name, description, input_schema: parameters }
        : { type: 'function', function: { name, description, parameters } },
    ])
  })

  test('returns parallel calls in order, with their arguments exactly as the model wrote them', async () => {
    provider.answer({
      text: 'Let me see.',
      calls: [
        {
          id: 'call_a',
          name: 'weather',
          arguments: ['{"city" : "Par', 'is", "number":12345678901234567890', '}'],
        },
        { id: 'call_b', name: 'weather', arguments: ['{"city":', '"Rome"}'] },
        { id: 'call_c', name: 'unheard_of' },
      ],
    })
    expect(await step({ target: target(), tools: [weather] })).toMatchObject({
      ok: true,
      text: 'Let me see.',
      calls: [
        { callId: 'call_a', name: 'weather', arguments: '{"city" : "Paris", "number":12345678901234567890}' },
        { callId: 'call_b', name: 'weather', arguments: '{"city":"Rome"}' },
        { callId: 'call_c', name: 'unheard_of', arguments: '{}' },
      ],
    })
  })

  test.each(['{"city": ', 'Paris', '[1]', '{"city": 1}'])(
    'returns malformed arguments unchanged: %s',
    async (text) => {
      provider.answer({ calls: [{ id: 'call_a', name: 'weather', arguments: text }] })
      const answered = await step({ target: target(), tools: [weather] })
      expect(answered).toMatchObject({ ok: true, calls: [{ arguments: text }] })
    },
  )

  test('sends earlier calls and their outputs to the model', async () => {
    provider.answer({ text: 'Sunny.' })
    const calls = [
      { callId: 'call_a', name: 'weather', arguments: '{"city":"Paris"}' },
      { callId: 'call_b', name: 'weather', arguments: '{"city"' },
    ]
    const outputs = calls.map(
      ({ callId, name }): ChatMessage => ({ role: 'tool', callId, name, output: `for ${callId}` }),
    )
    const messages = [...question, { role: 'assistant' as const, text: '', calls }, ...outputs]
    expect(await step({ target: target(), messages })).toMatchObject({ ok: true, text: 'Sunny.' })
    const { body } = provider.requests[0] ?? {}
    const told = JSON.stringify(body?.messages)
    for (const words of ['Paris', 'malformedArguments', 'for call_a', 'for call_b'])
      expect(told).toContain(words)
    expect(body?.tool_choice).toEqual(kind === 'anthropic' ? { type: 'none' } : undefined)
  })

  test("reports that the model's limit cut off the answer", async () => {
    provider.answer({ text: 'Half an ans', isCutOff: true })
    expect(await step({ target: target() })).toMatchObject({ ok: true, isCutOff: true })
  })

  test('returns no usage if the provider reports none', async () => {
    provider.answer({ text: 'Well.', usage: null })
    expect(await step({ target: target() })).toMatchObject({
      ok: true,
      usage: kind === 'anthropic' ? noUsage : null,
    })
  })

  test.each(['unfinished', 'cut-off'] as const)(
    'fails with the text so far if the stream ends %s',
    async (end) => {
      provider.answer({ text: ['Half ', 'an'], calls: [{ name: 'weather' }], end })
      expect(await step({ target: target() })).toEqual(failure(/ended too early/, 'Half an'))
    },
  )

  test.each(['{"broken', '{"type":"unheard_of","choices":7}', '[]'])(
    'fails if the stream contains %s',
    async (text) => {
      provider.answer({ raw: [`data: ${text}\n\n`] })
      expect(await step({ target: target() })).toEqual(failure(/not a valid answer/))
    },
  )

  test('fails if a web page answers instead of a model', async () => {
    provider.answer({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' })
    expect(await step({ target: target() })).toEqual(failure(/ended too early|not a valid answer/))
  })

  test('accepts a slow answer that finishes within the time limit', async () => {
    provider.answer({ text: [...'slowly'], delayMilliseconds: 5 })
    expect(await step({ target: target() })).toMatchObject({ ok: true, text: 'slowly' })
  })

  test.each([
    ['sends nothing', 'silence', ''],
    ['stops in the middle', { text: 'Half an', end: 'hanging' }, 'Half an'],
  ] as const)('times out if the provider %s, and closes the connection', async (_, answer, text) => {
    provider.answer(answer)
    const failed = await step({ target: target(), timeoutMilliseconds: 2000 })
    expect(failed).toEqual(failure('The provider did not complete its answer within 2 seconds.', text))
    await provider.requests[0]?.closed
  })

  test('stops immediately when the caller aborts', async () => {
    provider.answer({ text: 'Half an', end: 'hanging' })
    const controller = new AbortController()
    const given = step({ target: target(), signal: controller.signal, onText: () => controller.abort() })
    expect(await given).toMatchObject({ ok: false, text: 'Half an' })
    await provider.requests[0]?.closed
  })

  test.each([401, 403])('does not retry if the provider answers %i to the key', async (status) => {
    provider.answer({ status, body: { error: { message: `Incorrect API key: ${apiKey}`, type: 'x' } } })
    const detail = `The provider answered ${status}: it does not accept the stored key.`
    expect(await step({ target: target() })).toEqual(failure(detail))
  })

  test("reports the provider's own error text without the key [MOD-1]", async () => {
    const message = `Your request with ${apiKey} is too long.`
    provider.answer({
      status: 400,
      body: { type: 'error', error: { message, type: 'invalid_request_error' } },
    })
    const detail = 'The provider answered 400: Your request with [key] is too long.'
    expect(await step({ target: target() })).toEqual(failure(detail))
    const log = takeLog()
    expect(log).toContain(detail)
    expect(log).not.toContain(apiKey)
  })

  test.each([
    ['Base64', Buffer.from(apiKey).toString('base64')],
    ['Base64 of something longer', Buffer.from(`Bearer ${apiKey}`).toString('base64')],
    ['hex', Buffer.from(apiKey).toString('hex')],
    ['another letter case', apiKey.toUpperCase()],
  ])('conceals the key in %s if the provider echoes it in an error [MOD-1]', async (_, echoed) => {
    const message = `Your key is ${echoed}, and here is a cut. `
    provider.answer({ status: 400, body: { type: 'error', error: { message, type: 'x' } } })
    const told = await step({ target: target() })
    expect(told).toMatchObject({ ok: false, detail: expect.stringMatching(/Your key is \S*\[key\]/) })
    expect(JSON.stringify(told) + takeLog()).not.toContain(echoed.slice(-12))
  })

  test("cuts the provider's error text after it has removed the key [MOD-1]", async () => {
    const message = `${'x'.repeat(300 - apiKey.length / 2)}${apiKey}`
    provider.answer({ status: 400, body: { type: 'error', error: { message, type: 'x' } } })
    const told = JSON.stringify(await step({ target: target() }))
    expect(told).toContain('xxx[key]')
    expect(told).not.toContain(apiKey.slice(0, 6))
  })

  test.each([429, 500, 503])('retries after status %i', async (status) => {
    const body = { type: 'error', error: { message: 'Not now.', type: 'x' } }
    provider.answer({ status, body }, { status, body: 'no JSON' }, { text: 'Now.' })
    expect(await step({ target: target() })).toMatchObject({ ok: true, text: 'Now.' })
  })

  test('retries if the connection is dropped before an answer', async () => {
    provider.answer('drop', { text: 'Now.' })
    expect(await step({ target: target() })).toMatchObject({ ok: true, text: 'Now.' })
  })
})

describe('provider peculiarities', () => {
  test('reports an error in the middle of a stream without the key', async () => {
    const said = { choices: [{ index: 0, delta: { content: 'Half an' } }] }
    const error = { error: { message: `The engine of ${apiKey} fell over.`, type: 'server_error' } }
    provider.answer({ raw: [said, error].map((each) => `data: ${JSON.stringify(each)}\n\n`) })
    expect(await step()).toEqual(
      failure('The provider reported an error: The engine of [key] fell over.', 'Half an'),
    )
  })

  test.each(['openai', 'openai-compatible'] as const)(
    'generates ids for calls of kind %s that have none',
    async (kind) => {
      provider.answer({ calls: [null, null].map((id) => ({ id, name: 'weather' })) })
      const answered = await step({ target: targetOf(kind), tools: [weather] })
      const ids = answered.ok ? answered.calls.map(({ callId }) => callId) : []
      expect(new Set(ids.filter((id) => id !== '')).size).toBe(2)
    },
  )

  test('needs no key for a compatible provider', async () => {
    provider.answer({ text: 'Well.' })
    const target = { ...targetOf('openai-compatible'), apiKey: null }
    expect(await step({ target })).toMatchObject({ ok: true })
    expect(provider.requests[0]?.headers.authorization).toBeUndefined()
  })
})

describe('checks before the request', () => {
  test.each(['openai', 'azure-openai', 'anthropic'] as const)(
    'fails for kind %s if no key is stored',
    async (kind) => {
      const target = { ...targetOf(kind), apiKey: null }
      expect(await step({ target })).toEqual(
        failure('No key is stored for this connection. Set apiKey and try again.'),
      )
    },
  )

  test('fails for the built-in engine, because it is not called over a network', async () => {
    const target: ChatTarget = { ...targetOf('embedded'), baseUrl: null, apiKey: null }
    expect(await step({ target })).toEqual(failure('The built-in engine has no network address.'))
  })

  test('sends no request if the step was aborted before it began', async () => {
    expect(await step({ signal: AbortSignal.abort() })).toMatchObject({ ok: false })
    expect(provider.requests).toEqual([])
  })
})

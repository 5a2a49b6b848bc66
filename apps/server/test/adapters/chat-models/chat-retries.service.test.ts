import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ChatFixture, failure, startChatFixture } from '../../support/chat-models/chat-fixture.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { makeGate } from '../../support/stores/store-database.js'

let provider: ScriptedChatServer
let step: ChatFixture['step']
let targetOf: ChatFixture['targetOf']
let takeLog: ChatFixture['takeLog']
let close: ChatFixture['close']

beforeAll(async () => {
  ;({ provider, step, targetOf, takeLog, close } = await startChatFixture())
})

afterEach(() => provider.verify())
afterAll(() => close())

async function addressOfNobody(): Promise<string> {
  const leaving = await startScriptedChatServer()
  await leaving.close()
  return leaving.baseUrl
}

describe('retries of a model step [MOD-2]', () => {
  test.each([
    [429, 'The provider answered 429: its rate limit or quota is used up. Try again later.'],
    [500, 'The provider answered 500. Try again later.'],
  ])('stops after three answers with status %i', async (status, detail) => {
    provider.answer({ status }, { status }, { status })
    expect(await step()).toEqual(failure(detail))
  })

  test('stops after three tries if nothing listens at the address', async () => {
    takeLog()
    const target = { ...targetOf('openai'), baseUrl: await addressOfNobody() }
    expect(await step({ target })).toEqual(failure(/Nothing listens at/))
    expect(takeLog()).toContain('"tries":3')
  })

  test('waits as long as the provider asks for', async () => {
    provider.answer({ status: 429, headers: { 'retry-after': '1' } }, { text: 'Now.' })
    const start = performance.now()
    expect(await step()).toMatchObject({ ok: true, text: 'Now.' })
    expect(performance.now() - start).toBeGreaterThan(990)
  })

  test('does not retry if the provider asks for more time than is left', async () => {
    provider.answer({ status: 429, headers: { 'retry-after': '60' } })
    takeLog()
    expect(await step()).toEqual(failure(/answered 429/))
    expect(takeLog()).toContain('"tries":1')
  })

  test('accepts a date in the Retry-After header', async () => {
    provider.answer({ status: 503, headers: { 'retry-after': new Date(0).toUTCString() } }, { text: 'Now.' })
    expect(await step()).toMatchObject({ ok: true })
  })

  test('stops waiting when the caller aborts', async () => {
    provider.answer({ status: 429, headers: { 'retry-after': '5' } })
    const controller = new AbortController()
    const given = step({ signal: controller.signal })
    await (await provider.nextRequest()).closed
    controller.abort()
    expect(await given).toMatchObject({ ok: false })
  })

  test('does not retry after text has arrived', async () => {
    const heard = makeGate()
    provider.answer({ text: ['Half an', heard.opened], end: 'cut-off' })
    expect(await step({ onText: heard.open })).toEqual(failure(/ended too early/, 'Half an'))
  })

  test('retries if an overloaded provider reports it in its first event', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    provider.answer({ raw: [`event: error\ndata: ${JSON.stringify(error)}\n\n`] }, { text: 'Now.' })
    expect(await step({ target: targetOf('anthropic') })).toMatchObject({ text: 'Now.' })
  })

  test('does not retry if the address guard forbids the address', async () => {
    takeLog()
    const target = { ...targetOf('openai'), baseUrl: provider.baseUrl.replace('127.0.0.1', '127.0.0.2') }
    expect(await step({ target })).toEqual(failure(/PARLEY_ALLOWED_PRIVATE_HOSTS/))
    expect(takeLog()).toContain('"tries":1')
  })
})

import { describe, expect, test } from 'vitest'
import { makeChatModels } from '#server/adapters/chat-models/chat-models.js'
import { makeLog } from '#server/adapters/system/log.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import type { ChatTarget } from '#server/ports/chat-model.js'
import { maxArgumentsCharacters, omittedArguments } from '#server/ports/tool-executor.js'
import { question } from '../../support/chat-models/chat-fixture.js'
import { noAccessTokens } from '../../support/chat-models/no-access-tokens.js'
import { anthropicEvents, openaiEvents, type ScriptedStep } from '../../support/scripted-chat-events.js'

const mebibyte = 1024 * 1024

/**
 * Runs one step whose whole answer is already available. Reports the bytes read in total and per event-loop pass.
 */
async function step(kind: ChatTarget['kind'], chunks: readonly string[]) {
  const inPass = new Map<number, number>()
  let pass = 0
  let bytes = 0
  const encoder = new TextEncoder()
  const left = [...chunks]
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift()
        if (chunk === undefined) return controller.close()
        bytes += chunk.length
        inPass.set(pass, (inPass.get(pass) ?? 0) + chunk.length)
        controller.enqueue(encoder.encode(chunk))
      },
    },
    { highWaterMark: 0 },
  )
  const models = makeChatModels({
    fetchFor: () => async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    accessTokens: noAccessTokens,
    log: makeLog('error', false, { destination: { write: () => undefined } }),
    timers: systemTimers,
  })
  const count = () => {
    pass += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const whose = { organizationId: 'an organization', connectionId: 'a connection' }
  const outcome = await models.step({
    target: {
      ...{ ...whose, kind, baseUrl: 'https://model.test/v1', apiKey: 'a key', model: 'a-model' },
      isFromEnvironment: false,
    },
    messages: question,
    tools: [],
    timeoutMilliseconds: 60_000,
    signal: new AbortController().signal,
  })
  clearImmediate(counting)
  return { outcome, bytes, mostInPass: Math.max(...inPass.values()) }
}

function wireOf(kind: ChatTarget['kind'], scripted: ScriptedStep): string[] {
  const { said, finish } = kind === 'anthropic' ? anthropicEvents(scripted) : openaiEvents(scripted)
  return [...said, ...finish].map(String)
}

const kinds = ['openai', 'openai-compatible', 'anthropic'] as const

describe.each(kinds)('arguments of tool calls of kind %s', (kind) => {
  test('are read up to 1 MiB, and the call says that they were omitted [BND-19]', async () => {
    const pieces = ['{"note":"', ...Array.from({ length: 24 * 16 }, () => 'x'.repeat(mebibyte / 16)), '"}']
    const { outcome, bytes } = await step(
      kind,
      wireOf(kind, { calls: [{ id: 'call_a', name: 'note', arguments: pieces }] }),
    )
    const calls = [{ callId: 'call_a', name: 'note', arguments: omittedArguments }]
    expect(outcome).toMatchObject({ ok: true, calls, isCutOff: true })
    expect(bytes).toBeLessThan(1.5 * mebibyte)
  })

  test('share one limit among all calls of a step [BND-19]', async () => {
    const given = JSON.stringify({ note: 'x'.repeat(mebibyte / 4) })
    const scripted = Array.from({ length: 20 }, (_, index) => ({
      ...{ id: `call_${index}`, name: 'note', arguments: [given.slice(0, 1000), given.slice(1000)] },
    }))
    const { outcome, bytes } = await step(kind, wireOf(kind, { calls: scripted }))
    const kept = (outcome.ok ? outcome.calls : []).map((call) => call.arguments)
    expect(kept).toContain(omittedArguments)
    expect(kept.join('').length).toBeLessThan(maxArgumentsCharacters + 20 * omittedArguments.length)
    expect(bytes).toBeLessThan(1.5 * mebibyte)
  })

  test('are passed on unchanged if they have exactly 1 MiB [BND-19]', async () => {
    const given = `{"note":"${'x'.repeat(maxArgumentsCharacters - 11)}"}`
    const pieces = [given.slice(0, 500_000), given.slice(500_000)]
    const { outcome } = await step(kind, wireOf(kind, { calls: [{ name: 'note', arguments: pieces }] }))
    expect(outcome).toMatchObject({ ok: true, calls: [{ name: 'note', arguments: given }] })
  })
})

describe('the stream of a chat model', () => {
  test('is read 64 KiB per event-loop pass if it has only comment lines [BND-14]', async () => {
    const comments = Array.from({ length: 256 }, () => ':\n\n'.repeat(16 * 1024).slice(0, 16 * 1024))
    const { outcome, bytes, mostInPass } = await step('openai', [
      ...comments,
      '\n\n',
      ...wireOf('openai', { text: 'Hello.' }),
    ])
    expect(outcome).toMatchObject({ ok: true, text: 'Hello.' })
    expect(bytes).toBeGreaterThan(4 * mebibyte)
    // One piece may be read ahead, and the passes counted here may begin in the middle of the reader's
    // passes.
    expect(mostInPass).toBeLessThanOrEqual(2 * 64 * 1024 + 16 * 1024)
  })

  test('is not parsed if one event has more than 4 MiB [BND-19]', async () => {
    const pieces = Array.from({ length: 24 * 16 }, () => 'x'.repeat(mebibyte / 16))
    const { outcome, bytes } = await step('openai', [
      'data: {"choices":[{"delta":{"content":"',
      ...pieces,
      '"}}]}\n\n',
    ])
    const detail = 'The provider sent an event of more than 4 MiB.'
    expect(outcome).toMatchObject({ ok: false, detail, text: '' })
    expect(bytes).toBeLessThan(5 * mebibyte)
  })
})

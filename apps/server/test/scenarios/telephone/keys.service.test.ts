import type { Approval } from '@parley/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { headersOf } from '../../support/http/operation-requests.js'
import { openReadyStream } from '../../support/live/live-reader.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { playCalls } from '../../support/realtime/tool-calls.js'
import { completed, userEvents } from '../../support/realtime/transcript-events.js'
import { approvalsOf, decide, refundCall, refundTool } from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { type OpenCall, type PhoneService, startPhoneService } from '../../support/telephone/phone-service.js'

const patiently = { timeout: 60_000, interval: 100 }

let phone: PhoneService
let tools: ScriptedHttpServer
let call: OpenCall
let conversationId: string

beforeAll(async () => {
  tools = await startScriptedHttpServer()
  phone = await startPhoneService()
  const staff = refundTool(tools, { name: 'payout', approvedBy: 'staff' })
  const body = { tools: [refundTool(tools), staff] }
  await phone.client.call('PATCH', `/api/v1/Agent/${phone.agentId}`, { body })
})

beforeEach(async () => {
  call = await phone.incoming()
  conversationId = (await phone.newest({ state: 'active' })).conversationId ?? ''
})

afterEach(async () => {
  tools.verify()
  call.stream.stop()
  await phone.newest({ state: 'ended' })
})

afterAll(async () => {
  await phone.close()
  await tools.close()
})

const told = async (text: string) => {
  for (;;) {
    const item = JSON.stringify(await call.model.inbox.takeType('conversation.item.create'))
    if (item.includes(text)) return item
  }
}

const stateOf = async (callId: string) =>
  (await approvalsOf(phone.client, conversationId)).find((each: Approval) => each.callId === callId)?.state

/** Presses the key until it decides. A key that is too early reaches the model as text. */
async function pressUntil(key: string, callId: string, state: string): Promise<void> {
  const texts = () =>
    call.model.inbox.all.filter(({ data }) => data.toString().includes('pressed the keys')).length
  const isWaiting = async () => (await stateOf(callId)) === 'waiting'
  while (await isWaiting()) {
    const before = texts()
    call.stream.press(key)
    await vi.waitFor(async () => {
      expect(texts() > before || !(await isWaiting())).toBe(true)
    }, patiently)
  }
  expect(await stateOf(callId)).toBe(state)
}

describe('a key of the telephone', () => {
  test('approves a tool call, spoken words do not, and live streams report it [TEL-4] [TEL-55]', async () => {
    const live = await openReadyStream(phone.url, headersOf(phone))
    playCalls(call.model, 'resp_1', [refundCall('call_a')])
    await told('press 1 to approve')
    const [approval] = await approvalsOf(phone.client, conversationId)
    call.model.send(userEvents.audio)
    call.model.send({ ...userEvents.words, type: completed, transcript: 'Yes, I approve. One.' })
    await live.waitForChange({ resource: 'Message', parentId: conversationId })
    expect(await stateOf('call_a')).toBe('waiting')
    const paid = tools.expect('POST /refund', { body: 'Paid.' })
    await pressUntil('1', 'call_a', 'approved')
    await paid
    await live.waitForChange({ resource: 'Approval', id: approval?.id ?? '', change: 'updated' })
    const { item } = JSON.parse(await told('function_call_output'))
    expect(item).toMatchObject({ call_id: 'call_a', output: 'Paid.' })
    await live.cut()
  })

  test('decides on two tool calls one after another, and 2 rejects [TEL-55]', async () => {
    playCalls(call.model, 'resp_1', [refundCall('call_a', 5), refundCall('call_b', 6)])
    // Both are stored at the same time, so either may be asked for first.
    const isOfA = (await told('press 1 to approve')).includes(': 5}')
    const [first, second] = isOfA ? ['call_a', 'call_b'] : ['call_b', 'call_a']
    await vi.waitFor(async () => expect(await stateOf(second)).toBe('waiting'), patiently)
    await pressUntil('2', first, 'rejected')
    expect(await stateOf(second)).toBe('waiting')
    expect(await told('press 1 to approve')).toContain(isOfA ? ': 6}' : ': 5}')
    const paid = tools.expect('POST /refund', { body: 'Paid.' })
    await pressUntil('1', second, 'approved')
    expect(JSON.parse((await paid).body)).toEqual({ amount: isOfA ? 6 : 5 })
  })

  test('decides nothing that only staff may approve, and reaches the model as text [TEL-56]', async () => {
    playCalls(call.model, 'resp_1', [{ ...refundCall('call_a'), name: 'payout' }])
    await vi.waitFor(async () => expect(await stateOf('call_a')).toBe('waiting'), patiently)
    call.stream.press('1')
    await told('pressed the keys 1')
    expect(await stateOf('call_a')).toBe('waiting')
    const paid = tools.expect('POST /refund', { body: 'Paid.' })
    await decide(phone.client, conversationId, 'call_a', 'approve')
    await paid
  })

  test('transfers the call to a person if the agent offered it [TEL-53]', async () => {
    const { model, stream, callSid, update } = call
    expect(JSON.stringify(update)).toContain('"press_for_person"')
    const offer = (callId: string, fields: object) => {
      const name = 'press_for_person'
      playCalls(model, callId, [{ callId, name, arguments: JSON.stringify(fields) }])
    }
    offer('unknown', { target: '+15550000', key: '9' })
    await told('Unknown target')
    offer('words', { target: 'Porter', key: 'nine' })
    await told('The key must be one of')
    offer('right', { target: 'Porter', key: '9' })
    await told('{\\"ok\\":true}')
    await model.inbox.takeType('response.create')
    const path = `/api/v1/PhoneConnection/${phone.connection.id}`
    await phone.client.call('PATCH', path, { body: { allowedPrefixes: ['+1'] } })
    stream.press('9')
    await told('does not allow this number')
    await phone.client.call('PATCH', path, { body: { allowedPrefixes: ['+49'] } })
    offer('again', { target: 'Porter', key: '9' })
    await told('{\\"ok\\":true}')
    stream.press('9')
    const request = await phone.twilio.nextCall()
    expect(request.path).toContain(callSid)
    expect(request.form.get('Twiml')).toContain('+4930111111')
    await phone.newest({ state: 'ended', endReason: 'transferred' })
  })

  test('is offered once for each of several calls that the provider reports together [TEL-53]', async () => {
    const { model } = call
    const offers = ['1', '2'].map((key) => ({
      ...{ callId: `offer_${key}`, name: 'press_for_person' },
      arguments: JSON.stringify({ target: 'Porter', key }),
    }))
    playCalls(model, 'resp_1', offers)
    // Some providers report all calls again.
    for (const { callId, name, arguments: text } of offers)
      model.send({
        ...{ type: 'response.output_item.done', response_id: 'resp_1' },
        item: { id: callId, type: 'function_call', call_id: callId, name, arguments: text },
      })
    playCalls(model, 'resp_2', [{ callId: 'last', name: 'send_dtmf', arguments: '{"digits":"x"}' }])
    const outputs = ['1', '2'].map((key) => JSON.stringify(`offer_${key}`))
    for (const output of outputs) expect(await told('function_call_output')).toContain(output)
    expect(await told('function_call_output')).toContain('"last"')
  })

  test('is stored in the conversation and reported to live streams, but is not in logs and audit records [TEL-58]', async () => {
    const live = await openReadyStream(phone.url, headersOf(phone))
    for (const digit of '4929#') call.stream.press(digit)
    const { item } = JSON.parse(await told('pressed the keys 4929#'))
    call.model.send({ type: 'conversation.item.added', item: { ...item, id: 'item_keys' } })
    await live.waitForChange({ resource: 'Message', parentId: conversationId })
    const stored = async () =>
      (await messagesOf(phone.client, conversationId)).map(({ role, content }) => [role, content])
    await vi.waitFor(
      async () => expect(await stored()).toContainEqual(['user', '[The user pressed the keys 4929#]']),
      patiently,
    )
    const audit = await phone.client.call('GET', '/api/v1/AuditLog')
    expect(audit.text).not.toContain('4929#')
    expect(phone.log.join('')).not.toContain('4929#')
    await live.cut()
  })
})

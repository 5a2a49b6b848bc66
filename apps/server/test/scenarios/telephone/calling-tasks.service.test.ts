import type { Problem, Task } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addApiKey } from '../../support/organizations.js'
import { ownNumber, type PhoneService, startPhoneService } from '../../support/telephone/phone-service.js'
import { streamIn } from '../../support/telephone/scripted-twilio.js'

const guest = '+4930654321'
const patiently = { timeout: 30_000, interval: 30 }

let phone: PhoneService

beforeAll(async () => {
  phone = await startPhoneService({ env: { PARLEY_TASK_RETRY_SECONDS: '1' } })
})

afterAll(() => phone.close())

const write = (fields: object, client = phone.client) =>
  client.call<Task & Pick<Problem, 'errors' | 'errorCode'>>('POST', '/api/v1/Task', {
    body: {
      ...{ title: 'Confirm the booking B-204.', agentId: phone.agentId },
      ...{ channel: 'telephone', to: guest, from: ownNumber },
      ...fields,
    },
  })

/** Creates a task and runs it. Returns its id. */
async function run(fields: object = {}): Promise<string> {
  const { id } = (await write(fields)).body
  expect((await phone.client.call('POST', `/api/v1/Task/${id}/run`)).status).toBe(202)
  return id
}

const until = (id: string, wanted: object) =>
  vi.waitFor(async () => {
    const { body } = await phone.client.call<Task>('GET', `/api/v1/Task/${id}`)
    expect(body).toMatchObject(wanted)
    return body
  }, patiently)

/** Takes the request to dial of a run. The service also sends requests that end calls. */
async function dialed(taskId: string) {
  let request = await phone.twilio.nextCall()
  while (!request.path.endsWith('/Calls.json')) request = await phone.twilio.nextCall()
  const { phoneCallId } = await until(taskId, { phoneCallId: expect.any(String) })
  const call = await phone.newest({ id: phoneCallId, state: 'ringing', providerCallId: expect.any(String) })
  const callSid = call.providerCallId ?? ''
  const { form } = request
  const report = (status: string) =>
    phone.twilio.send(form.get('StatusCallback') ?? '', { CallSid: callSid, CallStatus: status })
  return { form, callSid, report, id: call.id }
}

/** Returns how many calls the service has dialed. */
const dialedCount = () => phone.twilio.calls.filter(({ path }) => path.endsWith('/Calls.json')).length

describe('a task that calls', () => {
  test('makes one call, and is done with the transcript when it ends [TEL-36]', async () => {
    const id = await run({ description: 'Ask for the arrival time.', to: null, externalUserId: guest })
    const { form, callSid } = await dialed(id)
    expect([form.get('To'), form.get('From')]).toEqual([guest, ownNumber])
    const task = await until(id, { status: 'in_progress', attempts: 1, turnId: null })
    const stream = await phone.twilio.stream(streamIn(form.get('Twiml') ?? ''), callSid)
    const model = await phone.provider.accept()
    const update = JSON.stringify(await model.inbox.takeType('session.update'))
    expect(update).toContain('Confirm the booking B-204.')
    expect(update).toContain('Ask for the arrival time.')
    model.send({ type: 'session.updated', session: {} })
    const call = await phone.newest({ id: task.phoneCallId, state: 'active' })
    expect(call.conversationId).toBe(task.conversationId)
    model.send({
      ...{ type: 'conversation.item.input_audio_transcription.completed', item_id: 'u1', content_index: 0 },
      transcript: 'We arrive at eight.',
    })
    await vi.waitFor(async () => {
      const path = `/api/v1/Conversation/${task.conversationId}/message`
      const { text } = await phone.client.call('GET', path)
      expect(text).toContain('We arrive at eight.')
    }, patiently)
    stream.stop()
    const done = await until(id, { status: 'done', runStartedAt: null })
    expect(done.result).toBe('User: We arrive at eight.')
    expect(dialedCount()).toBe(1)
  })

  test('calls again after a busy line, up to maxAttempts [TEL-36]', async () => {
    const id = await run({ maxAttempts: 2 })
    await (await dialed(id)).report('busy')
    const first = await until(id, {
      statusDetail: expect.stringContaining('Attempt 1 of 2 failed: The called number was busy.'),
    })
    await vi.waitFor(
      async () => expect(await until(id, {})).not.toMatchObject({ phoneCallId: first.phoneCallId }),
      patiently,
    )
    await (await dialed(id)).report('no-answer')
    const failed = await until(id, { status: 'failed', attempts: 2 })
    expect(failed.statusDetail).toContain('The call was not answered.')
    expect((await phone.newest({ endReason: 'no_answer' })).id).toBe(failed.phoneCallId)
  })

  test('fails with the reason if the call is not allowed, and makes none [TEL-37]', async () => {
    const calls = dialedCount()
    const abroad = await until(await run({ to: '+15550100' }), { status: 'failed' })
    expect(abroad.statusDetail).toContain('The call could not be made: to must begin with one of')
    const path = `/api/v1/PhoneConnection/${phone.connection.id}`
    const quietHours = { from: '00:00', to: '00:00', timeZone: 'UTC' }
    await phone.client.call('PATCH', path, { body: { quietHours } })
    const quiet = await until(await run(), { status: 'failed' })
    expect(quiet.statusDetail).toContain('makes no calls between')
    await phone.client.call('PATCH', path, { body: { quietHours: null, maxCalls: 1 } })
    const first = await run()
    const { report } = await dialed(first)
    const waiting = await run()
    await until(waiting, { status: 'in_progress', statusDetail: expect.stringContaining('1 concurrent') })
    await phone.client.call('PATCH', `/api/v1/Task/${waiting}`, { body: { status: 'cancelled' } })
    await phone.client.call('PATCH', `/api/v1/Task/${first}`, { body: { status: 'cancelled' } })
    await report('completed')
    await phone.client.call('PATCH', path, { body: { maxCalls: 10 } })
    expect(dialedCount() - calls).toBe(1)
  })

  test('ends its call when it is cancelled, and at its deadline [TEL-37]', async () => {
    const cancelled = await run()
    await dialed(cancelled)
    await phone.client.call('PATCH', `/api/v1/Task/${cancelled}`, { body: { status: 'cancelled' } })
    await phone.newest({ state: 'ended', endReason: 'stopped' })
    await until(cancelled, { status: 'cancelled' })
    const late = await run()
    await dialed(late)
    const runDeadlineAt = new Date().toISOString()
    await phone.client.call('PATCH', `/api/v1/Task/${late}`, { body: { runDeadlineAt } })
    await until(late, { status: 'failed', statusDetail: expect.stringContaining('deadline') })
    await phone.newest({ state: 'ended', endReason: 'stopped' })
  })

  test('is cancelled if its call is hung up over the API [TEL-36]', async () => {
    const id = await run()
    const call = await dialed(id)
    await phone.client.call('POST', `/api/v1/PhoneCall/${call.id}/hang-up`)
    await until(id, { status: 'cancelled', statusDetail: 'The call of the run was stopped.' })
  })

  test('needs two numbers and the scope call:make [TEL-38]', async () => {
    const pathOf = async (fields: object) => (await write(fields)).body.errors?.[0]?.path
    expect(await pathOf({ from: null })).toBe('from')
    expect(await pathOf({ to: null, externalUserId: 'guest-7' })).toBe('to')
    expect(await pathOf({ channel: 'text' })).toBe('to')
    expect(await pathOf({ responseSchema: { type: 'object', properties: {} } })).toBe('responseSchema')
    const { stores } = phone.service.database
    const apiKey = await addApiKey(stores, phone.organizationId, ['task:read', 'task:write'])
    const limited = phone.client.as({ apiKey })
    expect((await write({}, limited)).body.errorCode).toBe('Forbidden')
    const { id } = (await write({})).body
    expect((await limited.call('POST', `/api/v1/Task/${id}/run`)).status).toBe(403)
    expect((await limited.call('PATCH', `/api/v1/Task/${id}`, { body: { to: '+491' } })).status).toBe(403)
  })
})

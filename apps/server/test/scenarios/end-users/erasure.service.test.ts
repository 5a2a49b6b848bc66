import type {
  AuditLogVerification,
  Conversation,
  EndUser,
  Message,
  Page,
  Problem,
  QuestionAnswer,
  Task,
} from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { postgresTablesWith } from '../../support/end-users/stored-text.js'
import { uploaded } from '../../support/files/upload.js'
import { ask, askStreaming } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { hold } from '../../support/questions/received-events.js'
import { nowhere } from '../../support/webhooks/nowhere.js'

const service = useQuestionService()
const canary = 'zqcanary'

type Answer<Body> = Body & Pick<Problem, 'errorCode'>

const call = <Body>(method: string, path: string, body?: object, headers = {}) =>
  service.running.client.call<Answer<Body>>(method, `/api/v1/${path}`, { ...(body && { body }), headers })

const endUserOf = async (externalId: string) =>
  (await call<Page<EndUser>>('GET', `EndUser?ExternalId=${externalId}`)).body.items[0]

const tablesWith = (text: string) => postgresTablesWith(service.running.databaseUrl ?? '', text)

const statusOf = async (id: string) => (await call('GET', `EndUser/${id}`)).status

const patiently = { timeout: 20_000, interval: 20 }

async function answered(agentId: string, body: object, headers = {}): Promise<QuestionAnswer> {
  service.model.answer({ text: 'Yes.' })
  const answer = await ask(service.running, agentId, { question: 'Now?', ...body }, headers)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

describe('erasing an end user', () => {
  test('removes everything of the end user in all tables, and nothing of others [USR-15] [AUD-19]', async () => {
    const webhook = { name: 'All', url: nowhere, events: ['*'] }
    await call('POST', 'Webhook', webhook)
    const agentId = await service.makeAgent({
      systemMessage: 'You serve {{who}}.',
      variables: [{ name: 'who', default: 'all' }],
      tools: [{ kind: 'builtin', name: 'create_task', description: 'Creates.', builtin: 'create_task' }],
    })
    const shared = await uploaded(service.running, { name: 'shared.txt', content: 'Prices.' })
    const other = await answered(agentId, { externalUserId: 'other', fileIds: [shared.id] })
    const file = await uploaded(service.running, { name: `${canary}.txt`, content: `Words of ${canary}.` })
    const user = {
      externalUserId: `${canary}-user`,
      metadata: { [canary]: canary },
      variables: { who: canary },
    }
    const first = await answered(
      agentId,
      { ...user, question: `Why ${canary}?`, fileIds: [file.id, shared.id], additionalInstructions: canary },
      { 'idempotency-key': `${canary}-key` },
    )
    service.model.answer(
      { calls: [{ id: 'call_1', name: 'create_task', arguments: { title: `Call ${canary}` } }] },
      { text: 'Done.' },
    )
    await ask(service.running, agentId, { question: 'Remind me.', conversationId: first.conversationId })
    await service.createTicket(agentId, { ...user, additionalInstructions: canary })
    const task = { title: `About ${canary}`, description: canary, externalUserId: user.externalUserId }
    const made = await call<Task>('POST', 'Task', { ...task, agentId }, { 'idempotency-key': 'task' })
    service.model.answer({ text: `Done with ${canary}.` })
    expect((await call('POST', `Task/${made.body.id}/run`)).status).toBe(202)
    const taskStatus = async () => (await call<Task>('GET', `Task/${made.body.id}`)).body.status
    await expect.poll(taskStatus, patiently).toBe('done')
    const { id } = (await endUserOf(user.externalUserId)) as EndUser
    await call('PATCH', `EndUser/${id}`, { name: canary, metadata: { of: canary } })
    expect(await tablesWith(canary)).toEqual(
      expect.arrayContaining([
        'conversation',
        'end_user',
        'message',
        'task',
        'temporary_file_passage',
        'turn',
      ]),
    )

    const erased = await call<EndUser>('DELETE', `EndUser/${id}`)
    expect(erased).toMatchObject({
      status: 202,
      body: { id, erasure: { remainingConversations: 3, remainingTasks: 2 } },
    })
    expect((await call<EndUser>('DELETE', `EndUser/${id}`)).status).toBeOneOf([202, 404])
    await expect.poll(() => statusOf(id), patiently).toBe(404)
    expect(await tablesWith(canary)).toEqual([])
    expect((await call('GET', `TemporaryFile/${file.id}`)).status).toBe(404)
    expect((await call('GET', `TemporaryFile/${shared.id}`)).status).toBe(200)

    const kept = await call<Page<Message>>('GET', `Conversation/${other.conversationId}/message`)
    expect(kept.body.items.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(await endUserOf('other')).toMatchObject({ conversationCount: 1, erasure: null })
    const records = await readRecords(service.running.client, '&ResourceType=EndUser')
    const own = records.filter(({ resourceId }) => resourceId === id)
    expect(own.map(({ action }) => action)).toEqual([
      'end_user.erased',
      'conversation.erase',
      'end_user.erase',
      'end_user.update',
    ])
    const verify = async () => (await call<AuditLogVerification>('GET', 'AuditLog/verify')).body
    await expect.poll(verify, patiently).toMatchObject({ valid: true, unsealedCount: 0 })
    expect((await answered(agentId, user)).conversationId).not.toBe(first.conversationId)
    expect((await endUserOf(user.externalUserId))?.id).not.toBe(id)
  })

  test('ends running sessions and turns first, and says why [USR-14]', async () => {
    const agentId = await service.makeAgent()
    const more = hold()
    service.model.answer({ text: ['The moonlight ', more.released], end: 'hanging' })
    const stream = await askStreaming(service.running, agentId, { question: 'Long?', externalUserId: 'busy' })
    await stream.waitFor('response.text.delta')
    const { client } = await service.speakTo(agentId, { externalUserId: 'busy' })
    const { id } = (await endUserOf('busy')) as EndUser
    expect((await call('DELETE', `EndUser/${id}`)).status).toBe(202)
    expect(await client.inbox.takeType('error')).toMatchObject({
      error: {
        code: 'terminated',
        message: 'The session was ended because its conversation is being erased.',
      },
    })
    expect(await stream.waitFor('error')).toMatchObject({
      data: { message: 'The turn was stopped because its conversation is being erased.' },
    })
    more.release()
    await expect.poll(() => statusOf(id), patiently).toBe(404)
    expect(await tablesWith('moonlight')).toEqual([])
  })

  test('rejects requests for the end user until it is complete [USR-16]', async () => {
    const { database } = service.running.service
    const agentId = await service.makeAgent()
    const { conversationId } = await answered(agentId, { externalUserId: 'gone' })
    const { id } = (await endUserOf('gone')) as EndUser
    const ended = hold()
    const locked = hold()
    // Holds the lock of erasures, so that the erasure waits.
    const holding = database.transaction(async (stores) => {
      expect(await stores.erasures.tryLock()).toBe(true)
      locked.release()
      await ended.released
    })
    await locked.released
    expect((await call('DELETE', `EndUser/${id}`)).status).toBe(202)
    const question = { question: 'Still?', externalUserId: 'gone' }
    const refused = [
      await call('POST', `Agent/${agentId}/question`, question, { 'idempotency-key': 'while-erased' }),
      await call('POST', `Agent/${agentId}/question`, { question: 'Still?', conversationId }),
      await call('POST', `Agent/${agentId}/realtime-session`, { externalUserId: 'gone' }),
      await call('POST', 'Task', { title: 'Later', externalUserId: 'gone' }),
      await call('PATCH', `EndUser/${id}`, { name: 'Ada' }),
    ]
    expect(refused.map(({ status, body }) => [status, body.errorCode])).toEqual(
      refused.map(() => [409, 'ErasureInProgress']),
    )
    expect((await call<EndUser>('GET', `EndUser/${id}`)).body.erasure).toMatchObject({
      remainingConversations: 1,
      remainingTasks: 0,
    })
    expect((await call<EndUser>('DELETE', `EndUser/${id}`)).body.erasure).toMatchObject({
      remainingConversations: 1,
    })
    ended.release()
    await holding
    await expect.poll(() => statusOf(id), patiently).toBe(404)
    service.model.answer({ text: 'Hello.' })
    const again = await call<QuestionAnswer>('POST', `Agent/${agentId}/question`, question, {
      'idempotency-key': 'while-erased',
    })
    expect(again.status).toBe(200)
    const { body } = await call<Conversation>('GET', `Conversation/${again.body.conversationId}`)
    expect(body.endUserId).not.toBe(id)
  })
})

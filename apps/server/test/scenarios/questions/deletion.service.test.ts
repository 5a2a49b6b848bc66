import { describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { startAnsweringModel } from '../../support/questions/answering-model.js'
import { ask, askStreaming, follow } from '../../support/questions/ask.js'
import { useConcierge } from '../../support/questions/concierge.js'
import { joinInstance } from '../../support/questions/instances.js'
import { hold } from '../../support/questions/received-events.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const words = ['Moonlight', 'Sonata']
const question = { question: `Do you know ${words[0]}?`, additionalInstructions: `Hum the ${words[1]}.` }

const concierge = useConcierge()

const remove = (service: RunningService, conversationId: string) =>
  service.client.call('DELETE', `/api/v1/Conversation/${conversationId}`)

/** Returns the tables that still contain one of these words. */
function tablesWith(found: readonly string[]): Promise<string[]> {
  return withPostgresClient(concierge.instances.postgres.url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const holding: string[] = []
    for (const { name } of rows) {
      const { rowCount } = await client.query(`select from "${name}" as t where t::text ~* $1 limit 1`, [
        found.join('|'),
      ])
      if ((rowCount ?? 0) > 0) holding.push(name)
    }
    return holding
  })
}

describe('deleting a conversation', () => {
  test('deletes its turns: their paths return 404 and no word of them remains [ASK-12]', async () => {
    concierge.model.answer({ text: `The ${words[0]} ${words[1]}.` })
    const { body: turn } = await ask(concierge.instances.one, concierge.agentId, question, {
      'idempotency-key': 'moon',
    })
    expect(await tablesWith(words)).toEqual(expect.arrayContaining(['message', 'turn', 'turn_event']))
    expect((await remove(concierge.instances.one, turn.conversationId)).status).toBe(204)
    expect(await tablesWith(words)).toEqual([])
    const path = `/api/v1/Conversation/${turn.conversationId}/turn/${turn.turnId}`
    const answers = [
      await concierge.instances.one.client.call('GET', path),
      await concierge.instances.one.client.call('GET', `${path}/events`),
      await concierge.instances.one.client.call('DELETE', path),
      await ask(concierge.instances.one, concierge.agentId, question, { 'idempotency-key': 'moon' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  test.each([
    ['its instance', () => concierge.instances.one],
    ['another instance', () => concierge.instances.other],
  ] as const)(
    'stops a running turn if the request goes to %s, and nothing of it remains [ASK-12]',
    async (_, service) => {
      const more = hold()
      concierge.model.answer({ text: [`The ${words[0]} `, more.released, `${words[1]}.`], end: 'hanging' })
      const stream = await askStreaming(concierge.instances.one, concierge.agentId, question)
      const request = await concierge.model.nextRequest()
      await stream.waitFor('response.text.delta')
      const { data: turn } = await stream.waitFor('turn.started')
      const queued = await askStreaming(concierge.instances.other, concierge.agentId, {
        ...question,
        conversationId: turn.conversationId,
      })
      const elsewhere = await follow(concierge.instances.other, turn)
      const whole = ask(concierge.instances.one, concierge.agentId, {
        ...question,
        conversationId: turn.conversationId,
      })
      expect((await remove(service(), turn.conversationId)).status).toBe(204)
      // The model continues until it is cancelled.
      more.release()
      await Promise.all([stream, queued, elsewhere].map(({ ended }) => ended))
      await request.closed
      // The question was either taken and stopped, or came after the deletion.
      expect([200, 404]).toContain((await whole).status)
      expect(await tablesWith(words)).toEqual([])
    },
  )

  test('leaves no summary if it happens during summarization [ASK-12]', async () => {
    const small = await joinInstance(concierge.instances.one, concierge.instances.postgres.url, {
      env: { PARLEY_CHAT_CONTEXT_TOKENS: '1000' },
    })
    const long = `${words[0]} `.repeat(150)
    const [asked, summary] = [hold(), hold()]
    const talker = await startAnsweringModel((prompt) => {
      if (!prompt.includes('The summary so far')) return [long]
      asked.release()
      return [summary.released, `They spoke of the ${words[0]}.`]
    })
    const talkative = await makeTextAgent(small, talker, { name: 'Talkative' })
    const { conversationId } = (await ask(small, talkative, { question: long })).body
    const stream = await askStreaming(small, talkative, { question: 'And then?', conversationId })
    await asked.released
    await remove(concierge.instances.one, conversationId)
    summary.release()
    await stream.ended
    await small.close()
    await talker.close()
    expect(await tablesWith(words)).toEqual([])
  })

  test('is audited once, without records for its turns [ASK-12]', async () => {
    concierge.model.answer({ text: 'Yes.' })
    const { body } = await ask(concierge.instances.one, concierge.agentId, question)
    await remove(concierge.instances.one, body.conversationId)
    const records = await readRecords(concierge.instances.one.client)
    expect(records.slice(0, 2)).toMatchObject([
      { action: 'conversation.delete', resourceId: body.conversationId },
      { action: 'question.ask', resourceId: body.turnId },
    ])
  })
})

describe('the events of a turn', () => {
  test('events can be followed for 24 hours after the end of the turn, while its answer stays [ASK-12]', async () => {
    const clock = makeTestClock(new Date())
    const service = await startService({ clock, env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
    const { database } = service.service
    concierge.model.answer({ text: 'Yes.' })
    const { body: turn } = await ask(
      service,
      await makeTextAgent(service, concierge.model, { name: 'Other' }),
      question,
    )
    clock.advance(24 * 60 * 60 * 1000 - 1000)
    expect(await removeOverdueRows(database, clock)).toMatchObject({ turnEvents: 0 })
    const stream = await follow(service, turn)
    await stream.ended
    expect(stream.received).toHaveLength(5)
    clock.advance(2000)
    expect(await removeOverdueRows(database, clock)).toMatchObject({ turnEvents: 5 })
    const path = `/api/v1/Conversation/${turn.conversationId}/turn/${turn.turnId}`
    expect((await service.client.call('GET', `${path}/events`)).status).toBe(404)
    expect((await service.client.call('GET', path)).body).toEqual(turn)
    await service.close()
  })
})

import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { endedSession, patiently } from '../../support/realtime/spoken-turns.js'
import { takeOutput } from '../../support/realtime/tool-calls.js'
import { callAndWait } from '../../support/realtime/waiting-calls.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'

let postgres: PostgresDatabase

beforeAll(async () => {
  postgres = await migratedDatabase()
})
afterAll(() => postgres.drop())
const refunds = useRefundService(() => ({ env: { DATABASE_URL: postgres.url } }))

const refusals = (types: readonly unknown[]) => types.filter((type) => type === 'error').length

describe('a flood of decisions', () => {
  test('uses one transaction at a time for unknown calls, and a decision on a waiting call still counts [RT-33]', async () => {
    const session = await refunds.open()
    const { client, provider } = session
    await callAndWait(session, 'call_real')
    refunds.tools.expect('POST /refund', (response) => void response.end('Paid.'))
    await withPostgresClient(postgres.url, async (database) => {
      await database.query('begin')
      await database.query('lock table approval in access exclusive mode')
      for (let number = 0; number < 300; number += 1)
        client.send({ type: 'approval.approve', callId: `call_none_${number}` })
      for (let number = 0; number < 20; number += 1)
        client.send({ type: 'approval.approve', callId: 'call_real' })
      await expect.poll(() => refusals(client.inbox.types), patiently).toBe(299 + 19)
      // Besides our statement, the background jobs for waiting, due and abandoned approvals may wait for the
      // lock.
      expect(await countLockWaits(database)).toBeLessThanOrEqual(8)
      await database.query('commit')
    })
    expect(await takeOutput(provider)).toEqual({ callId: 'call_real', output: 'Paid.' })
    await expect.poll(() => refusals(client.inbox.types), patiently).toBe(300 + 19)
    const codes = client.inbox.all
      .map(({ data }) => JSON.parse(data.toString()))
      .filter(({ type }) => type === 'error')
      .map(({ error }) => error.code)
    expect(new Set(codes)).toEqual(new Set(['approval_not_pending']))
    client.socket.close()
    await endedSession(refunds.running.client, session.ticket.conversationId)
  })
})

describe('a provider that makes endless calls', () => {
  const calls = Array.from({ length: 1100 }, (_, index) => ({
    id: `i${index}`,
    type: 'function_call',
    call_id: `c${index}`,
    name: 'pay_refund',
    arguments: '{}',
  }))

  test.each([
    [
      'all of them in one response',
      [{ type: 'response.done', response: { id: 'r', status: 'completed', output: calls } }],
    ],
    [
      'only the start event of each',
      calls.map((item) => ({ type: 'response.output_item.added', response_id: 'r', item })),
    ],
  ])('loses its own session and no other if it sends 1100 calls: %s [BND-17]', async (_, events) => {
    const flooding = await refunds.open()
    const other = await refunds.open()
    for (const event of events) flooding.provider.send(event)
    const ended = await endedSession(refunds.running.client, flooding.ticket.conversationId)
    expect(ended.endReason).toBe('provider_closed')
    other.client.send({ type: 'input_audio_buffer.commit' })
    await other.provider.inbox.takeType('input_audio_buffer.commit')
    other.client.socket.close()
    await endedSession(refunds.running.client, other.ticket.conversationId)
  })
})

describe('a flood of pings', () => {
  test('ends the session of a client that does not read, and no other [RT-32]', async () => {
    const flooding = await refunds.open()
    const other = await refunds.open()
    const { _socket: connection } = flooding.client.socket as unknown as { _socket: Socket }
    flooding.client.socket.pause()
    const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0])
    connection.write(Buffer.concat(Array.from({ length: 200_000 }, () => ping)))
    const ended = await endedSession(refunds.running.client, flooding.ticket.conversationId)
    expect(ended.endReason).toBe('client_lost')
    other.client.send({ type: 'input_audio_buffer.commit' })
    await other.provider.inbox.takeType('input_audio_buffer.commit')
    other.client.socket.close()
    await endedSession(refunds.running.client, other.ticket.conversationId)
  })
})

import { v7 as uuid } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ConversationStore, MessageRecord } from '#server/ports/conversation-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConversation, makeMessage } from '../../support/stores/records.js'
import {
  newOrganization,
  type StoreDatabase,
  sharedStoreDatabase,
} from '../../support/stores/store-database.js'

const at = '2030-01-02T03:04:30.000Z'

describe.each(databaseKinds)('the memory store on the %s database [DB-1, MEM-2]', (kind) => {
  let database: StoreDatabase
  let conversations: ConversationStore

  beforeAll(async () => {
    database = await sharedStoreDatabase(kind)
    conversations = database.stores.conversations
  })

  /** Creates a conversation with this number of messages, one microsecond apart. */
  async function newConversation(count: number, fields: Partial<MessageRecord> = {}) {
    const organizationId = await newOrganization(database)
    const agent = makeAgent(organizationId)
    await database.stores.agents.insert(agent)
    const conversation = makeConversation(organizationId, agent.id)
    await conversations.insert(conversation)
    const messages = Array.from({ length: count }, (_, index) =>
      makeMessage(conversation, {
        ...{ id: uuid(), originId: null, itemId: `item ${index}`, content: `Message ${index}` },
        ...{ positionMicroseconds: 1_000_000 + Math.floor(index / 2), positionCounter: index % 2 },
        ...fields,
      }),
    )
    await database.transaction(async (stores) => {
      for (const message of messages) await stores.conversations.addMessage(message)
    })
    return { id: conversation.id, messages }
  }

  const placeOf = ({ positionMicroseconds, positionCounter }: MessageRecord) => ({
    microseconds: positionMicroseconds,
    counter: positionCounter,
  })

  test('replaces a summary only with one that covers more messages, and deletes it with the messages', async () => {
    const { id, messages } = await newConversation(4)
    const [first, second, third] = messages.map(placeOf)
    if (!first || !second || !third) throw new Error('There are four.')
    expect(await conversations.findSummary(id)).toBeNull()
    await conversations.saveSummary(id, { content: 'Two.', through: second }, at)
    await conversations.saveSummary(id, { content: 'One.', through: first }, at)
    await conversations.saveSummary(id, { content: 'Two again.', through: second }, at)
    expect(await conversations.findSummary(id)).toEqual({ content: 'Two.', through: second })
    await conversations.saveSummary(id, { content: 'Three.', through: third }, at)
    expect(await conversations.findSummary(id)).toEqual({ content: 'Three.', through: third })
    await conversations.removeMessages(id)
    expect(await conversations.findSummary(id)).toBeNull()
  })

  test('finds the newest messages after a position, oldest first', async () => {
    const { id, messages } = await newConversation(6)
    const contentsAfter = async (limit: number, index: number) => {
      const after = messages[index]
      const found = await conversations.recentMessages(id, limit, after && placeOf(after))
      return found.map(({ content }) => content)
    }
    expect(await contentsAfter(10, 2)).toEqual(['Message 3', 'Message 4', 'Message 5'])
    expect(await contentsAfter(2, 2)).toEqual(['Message 4', 'Message 5'])
    expect(await contentsAfter(10, 5)).toEqual([])
    expect(await contentsAfter(2, 99)).toEqual(['Message 4', 'Message 5'])
  })

  test('finds the calls of a turn and fails running calls that no instance handles any more', async () => {
    const turnId = uuid()
    const call = { originId: turnId, role: 'tool', content: '' } as const
    const { id } = await newConversation(1, {
      ...call,
      itemId: 'call:a',
      callId: 'a',
      name: 'look',
      status: 0,
    })
    const conversation = await database.pool.query(
      'select organization_id, agent_id from conversation where id = $1',
      [id],
    )
    const { organization_id: organizationId, agent_id: agentId } = conversation.rows[0]
    const place = { ...makeConversation(organizationId, agentId), id }
    const others = [
      { ...call, itemId: 'call:b', callId: 'b', name: 'look', status: 3 },
      { ...call, itemId: 'call:c', callId: 'c', name: 'look', status: 1, content: 'Found.' },
      { ...call, itemId: 'call:d', callId: 'd', name: 'look', status: 0, originId: uuid() },
      { ...call, itemId: 'answer', role: 'assistant', content: 'Here.', status: null },
    ] as const
    await database.transaction(async (stores) => {
      for (const [index, fields] of others.entries())
        await stores.conversations.addMessage(
          makeMessage(place, { id: uuid(), positionMicroseconds: 2_000_000 + index, ...fields }),
        )
    })
    const callsOf = async (originId: string) =>
      (await conversations.callsOf(originId)).map(({ callId, status, content }) => [callId, status, content])
    expect(await callsOf(turnId)).toEqual([
      ['a', 0, ''],
      ['b', 3, ''],
      ['c', 1, 'Found.'],
    ])
    await conversations.failRunningCalls(turnId, 'Nobody knows.', at)
    expect(await callsOf(turnId)).toEqual([
      ['a', 2, 'Nobody knows.'],
      ['b', 3, ''],
      ['c', 1, 'Found.'],
    ])
    expect(await callsOf(others[2].originId)).toEqual([['d', 0, '']])
  })
})

import { inArray, is, Placeholder, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { describe, expect, test } from 'vitest'
import { conversationsContaining } from '#server/adapters/database/message-words.js'
import { filteredListStatement } from '#server/adapters/database/resource-store.js'
import { conversation } from '#server/adapters/database/schema.js'
import type { ConversationRecord, MessageRecord } from '#server/ports/conversation-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConversation, makeMessage, unusualText } from '../../support/stores/records.js'
import { newOrganization } from '../../support/stores/store-database.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

const said: readonly Partial<MessageRecord>[] = [
  { content: 'Is there a room with a sea-view? Write to anna@example.com.' },
  {
    role: 'assistant',
    content: "The ROOM is taken, <b>sorry</b>; it's 1.50 € at https://example.org/booking_page.",
  },
  { role: 'tool', content: 'confidential' },
  { role: 'subagent', content: 'confidential' },
  { content: 'Ein größeres Zimmer\nbitte' },
]

/** Search texts, each with the expected result. */
const searches: readonly (readonly [text: string, isFound: boolean])[] = [
  ['room', true],
  ['VIEW sea', true],
  ['sea-vi', true],
  ['the roo', true],
  ['ro the', false],
  ['oom', false],
  ['room bitte', false],
  ['anna@exam', true],
  ['example.com', true],
  ['booking', true],
  ['sorry', true],
  ["it's", true],
  ['1.5', true],
  ['größeres zimmer', true],
  ['bitte!', true],
  ['confidential', false],
  ["' | 'room", true],
  [`Title %`, true],
  ['itle', true],
  ['€', false],
  ['!', false],
  ['²', false],
  ['\u0301', false],
]

describe.each(databaseKinds)('conversation search on the %s database [RT-43]', (kind) => {
  const kept = useStoreDatabase(kind)

  async function addConversation(organizationId: string, title: string | null): Promise<ConversationRecord> {
    const agent = makeAgent(organizationId)
    await kept.stores.agents.insert(agent)
    const conversation = makeConversation(organizationId, agent.id, { title })
    await kept.stores.conversations.insert(conversation)
    return conversation
  }

  const find = async (search: string, organizationId = kept.organizationId) => {
    const { items, totalCount } = await kept.stores.conversations.list(
      organizationId,
      { search },
      { offset: 0, limit: 50 },
    )
    expect(totalCount).toBe(items.length)
    return items.map(({ id }) => id)
  }

  test('finds titles by exact text, and messages of users and agents by words', async () => {
    const conversation = await addConversation(kept.organizationId, 'Title % here')
    for (const fields of said) await kept.stores.conversations.addMessage(makeMessage(conversation, fields))
    const others = await newOrganization(kept.database)
    const other = await addConversation(others, null)
    await kept.stores.conversations.addMessage(makeMessage(other, { content: 'A room here, too.' }))
    for (const [text, isFound] of searches)
      expect(await find(text), text).toEqual(isFound ? [conversation.id] : [])
    expect(await find('room', others)).toEqual([other.id])
    for (const length of [1, 8, 36]) expect(await find(kept.organizationId.slice(0, length))).toEqual([])
    await kept.stores.conversations.removeMessages(conversation.id)
    expect(await find('room')).toEqual([])
  })

  test('accepts messages of every kind and length, and searches with any characters', async () => {
    const conversation = await addConversation(kept.organizationId, null)
    const contents = [
      'x'.repeat(1_000_000),
      '😀'.repeat(5000),
      `${'word '.repeat(10_000)}end`,
      unusualText,
      '',
    ]
    for (const content of contents)
      expect(await kept.stores.conversations.addMessage(makeMessage(conversation, { content }))).toEqual(
        expect.any(String),
      )
    expect(await find('word')).toEqual([conversation.id])
    for (const text of [unusualText, 'x'.repeat(200), '\\ :* & | ! <-> ()', "'", 'שלום'])
      expect(await find(text), text).toEqual(expect.any(Array))
  })

  test('uses an index', async () => {
    const handle = drizzle({ client: kept.database.pool })
    const plan = await handle.transaction(async (transaction) => {
      await transaction.execute(sql`set local enable_seqscan = off`)
      return transaction.execute(sql`explain ${conversationsContaining(kept.organizationId, 'room')}`)
    })
    expect(JSON.stringify(plan.rows)).toContain('message_words')
  })

  test('evaluates its filter once for the page and the count, and counts beyond the last page [RT-43]', async () => {
    const conversations = []
    for (const content of ['a terrace room', 'no terrace', 'terrace', 'nothing']) {
      const one = await addConversation(kept.organizationId, null)
      await kept.stores.conversations.addMessage(makeMessage(one, { content }))
      conversations.push(one.id)
    }
    const page = { offset: 1, limit: 1 }
    const list = (offset: number) =>
      kept.stores.conversations.list(kept.organizationId, { search: 'terrace' }, { ...page, offset })
    expect((await list(1)).items.map(({ id }) => id)).toEqual([conversations[1]])
    expect([(await list(1)).totalCount, (await list(3)).totalCount]).toEqual([3, 3])

    const saying = conversationsContaining(kept.organizationId, 'terrace') ?? sql`false`
    const query = filteredListStatement(drizzle(kept.database.pool), conversation, [
      inArray(conversation.id, saying),
    ]).toSQL()
    const values: Record<string, unknown> = { organizationId: kept.organizationId, ...page }
    const params = query.params.map((param) => (is(param, Placeholder) ? values[param.name] : param))
    const { rows } = await kept.database.pool.query(`explain (analyze, format json) ${query.sql}`, params)
    const scans = JSON.stringify(rows).match(/"Relation Name":"message"/g)
    expect(scans).toHaveLength(1)
  })
})

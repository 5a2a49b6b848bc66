import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { FileRecord } from '#server/ports/conversation-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConversation, unusualText } from '../../support/stores/records.js'
import { newOrganization } from '../../support/stores/store-database.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

const now = '2030-01-02T03:04:30.000Z'
const expiresAt = '2030-01-02T03:05:00.000Z'

describe.each(databaseKinds)('the file store on the %s database [DB-1]', (kind) => {
  const kept = useStoreDatabase(kind)

  async function add(fields: Partial<FileRecord> = {}): Promise<FileRecord> {
    const record: FileRecord = {
      ...{ id: uuid(), organizationId: kept.organizationId, version: 1, createdAt: now, updatedAt: now },
      ...{ name: unusualText, contentType: 'text/plain', kind: 'text', sizeBytes: 1_073_741_824 },
      ...{ characterCount: 7, completedAt: now, expiresAt },
      ...fields,
    }
    await kept.stores.files.insert(record)
    return record
  }

  const find = ({ id }: FileRecord, at = now, organizationId = kept.organizationId) =>
    kept.stores.files.find(organizationId, id, at)

  test('finds complete files that have not expired, with every field unchanged', async () => {
    const unfinished = await add({ completedAt: null })
    expect(await find(unfinished)).toBeNull()
    const finished = { ...unfinished, completedAt: now, sizeBytes: 12, version: 2 }
    await kept.stores.files.complete(finished)
    expect(await find(finished)).toStrictEqual(finished)
    expect(await find(finished, expiresAt)).toBeNull()
    await expect(kept.stores.files.complete({ ...finished, id: uuid() })).rejects.toThrow('removed')
  })

  test('finds no file that is absent or belongs to another organization', async () => {
    const organizationId = await newOrganization(kept.database)
    const [first, foreign, second] = [await add(), await add({ organizationId }), await add()]
    expect(await find(foreign)).toBeNull()
    expect(await find(first, now, organizationId)).toBeNull()
    const ids = [second.id, uuid(), foreign.id, first.id, second.id]
    expect(await kept.stores.files.findMany(kept.organizationId, ids, now)).toEqual([second, first])
    expect(await kept.stores.files.findMany(organizationId, ids, now)).toEqual([foreign])
    expect(await kept.stores.files.findMany(kept.organizationId, ids, expiresAt)).toEqual([])
  })

  test('stores contents byte for byte and removes them together with their file', async () => {
    const [file, bystander] = [await add(), await add()]
    const content = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    for (const { id } of [file, bystander]) await kept.stores.files.addChunk(id, 0, content)
    expect(await kept.stores.files.chunk(file.id, 0)).toEqual(content)
    expect(await kept.stores.files.chunk(file.id, 1)).toBeNull()
    expect(await kept.stores.files.remove(file.id)).toBe(true)
    expect(await kept.stores.files.remove(file.id)).toBe(false)
    expect([await find(file), await kept.stores.files.chunk(file.id, 0)]).toEqual([null, null])
    expect(await kept.stores.files.chunk(bystander.id, 0)).toEqual(content)
  })

  test('lists visible files, newest first, by name and by conversation [FILE-13]', async () => {
    const organizationId = await newOrganization(kept.database)
    const agent = makeAgent(kept.organizationId)
    const conversation = makeConversation(kept.organizationId, agent.id)
    await kept.stores.agents.insert(agent)
    await kept.stores.conversations.insert(conversation)
    const plan = await add({ name: 'Plan 100%.txt' })
    const notes = await add({ name: 'notes_1.md' })
    const hidden = await add({ completedAt: null })
    const foreign = await add({ organizationId })
    await kept.stores.files.give(conversation.id, [plan.id, hidden.id, foreign.id], now)
    const list = (filter: object = {}, page: object = {}) =>
      kept.stores.files.list(kept.organizationId, { at: now, ...filter }, { offset: 0, limit: 50, ...page })
    expect(await list()).toStrictEqual({ items: [notes, plan], totalCount: 2 })
    expect(await list({}, { offset: 1, limit: 1 })).toEqual({ items: [plan], totalCount: 2 })
    expect(await list({ at: expiresAt })).toEqual({ items: [], totalCount: 0 })
    expect((await list({ search: 'PLAN' })).items).toEqual([plan])
    expect((await list({ search: '0%' })).items).toEqual([plan])
    expect((await list({ search: 's_' })).items).toEqual([notes])
    expect((await list({ conversationId: conversation.id })).items).toEqual([plan])
    expect((await list({ conversationId: conversation.id, search: 'notes' })).items).toEqual([])
    expect((await list({ conversationId: uuid() })).items).toEqual([])
  })

  test('adds files to a conversation once and in order, until they expire or are removed', async () => {
    const agent = makeAgent(kept.organizationId)
    await kept.stores.agents.insert(agent)
    const [home, elsewhere] = [0, 1].map(() => makeConversation(kept.organizationId, agent.id))
    if (home === undefined || elsewhere === undefined) throw new Error('Two were made.')
    for (const conversation of [home, elsewhere]) await kept.stores.conversations.insert(conversation)
    const [first, second] = [await add(), await add({ expiresAt: '2031-01-01T00:00:00.000Z' })]
    await kept.stores.files.give(home.id, [second.id], now)
    await kept.stores.files.give(home.id, [first.id, second.id], '2030-01-02T03:04:31.000Z')
    await kept.stores.files.give(elsewhere.id, [first.id], now)
    const of = ({ id }: { id: string }, at = now) => kept.stores.files.ofConversation(id, at)
    expect(await of(home)).toEqual([second, first])
    expect(await of(home, expiresAt)).toEqual([second])
    await kept.stores.files.takeFromConversation(home.id)
    expect([await of(home), await of(elsewhere)]).toEqual([[], [first]])
    expect(await find(first)).toEqual(first)
  })
})

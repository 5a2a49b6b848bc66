import { v7 as uuid } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { databaseKinds } from '../../support/start-service.js'
import {
  newOrganization,
  type StoreDatabase,
  sharedStoreDatabase,
} from '../../support/stores/store-database.js'

const passages = [
  'The warranty covers the motor. The warranty ends after two years. The warranty needs a receipt.',
  'The warranty of the pump does not cover damage by water.',
  'Customers say that the motor is quiet.',
  "It's O'Brien's \\ back-up pump: 100% of 'em.",
  'Der Wasserfilter wird jährlich gewechselt.',
  'x'.repeat(1200),
]

describe.each(databaseKinds)('passage search on %s [FILE-9]', (kind) => {
  let database: StoreDatabase
  let fileId: string
  let otherId: string
  const search = async (question: string, ids: readonly string[] = [fileId], limit = 10) =>
    (await database.stores.files.searchPassages(ids, question, limit)).map(({ position }) => position)

  async function addFile(organizationId: string, contents: readonly string[]): Promise<string> {
    const at = new Date().toISOString()
    const id = uuid()
    await database.stores.files.insert({
      ...{ id, organizationId, version: 1, createdAt: at, updatedAt: at, completedAt: at },
      ...{ name: 'a.txt', contentType: 'text/plain', sizeBytes: 1, kind: 'text', characterCount: 1 },
      expiresAt: '2999-01-01T00:00:00.000Z',
    })
    await database.stores.files.addPassages(
      id,
      contents.map((content, position) => ({ position, label: position === 1 ? 'page 2' : null, content })),
    )
    return id
  }

  beforeAll(async () => {
    database = await sharedStoreDatabase(kind)
    const organizationId = await newOrganization(database)
    fileId = await addFile(organizationId, passages)
    otherId = await addFile(organizationId, ['Another warranty, of another file.'])
  })

  test.each([
    ['a rare word counts more than a repeated common one', 'warranty water', [1, 0]],
    ['a word matches in all its forms', 'What do customers say about motors?', [2, 0]],
    ['a word without matches has no effect', 'pump unicorn', [1, 3]],
    ['text in other languages matches by exact words', 'Wasserfilter gewechselt', [4]],
    ['quotes and operators have no special meaning', `O'Brien's \\ back-up & | ! :* ''`, [3]],
    ['stop words find nothing', 'what is the of and to', []],
    ['an empty query finds nothing', '', []],
  ])('%s', async (_, question, found) => {
    const answer = await search(question)
    expect(answer.slice(0, found.length)).toEqual(found)
    if (found.length === 0) expect(answer).toEqual([])
  })

  test('searches only the given files and returns each passage whole', async () => {
    expect(await search('warranty', [otherId])).toEqual([0])
    expect(await search('warranty', [])).toEqual([])
    expect(await search('warranty', [fileId, otherId])).toHaveLength(3)
    expect(await search('warranty', [fileId], 1)).toHaveLength(1)
    expect(await database.stores.files.searchPassages([fileId], 'damage by water', 1)).toEqual([
      { fileId, position: 1, label: 'page 2', content: passages[1] },
    ])
  })

  test('accepts a query of any length', async () => {
    expect(await search(`${'word '.repeat(100_000)}`)).toEqual([])
  })

  test('removes all data of a file together with the file', async () => {
    const id = await addFile(await newOrganization(database), passages)
    await database.stores.files.addChunk(id, 0, Buffer.from([0, 1, 255]))
    expect(await database.stores.files.chunk(id, 0)).toEqual(Buffer.from([0, 1, 255]))
    expect(await database.stores.files.passages(id, 2, 2)).toMatchObject([{ position: 2 }, { position: 3 }])
    expect([await database.stores.files.remove(id), await database.stores.files.remove(id)]).toEqual([
      true,
      false,
    ])
    expect([
      await database.stores.files.chunk(id, 0),
      await database.stores.files.passages(id, 0, 9),
    ]).toEqual([null, []])
  })
})

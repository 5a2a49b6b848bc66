import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeMessage } from '#server/adapters/database/embedded/wire-messages.js'
import {
  bind,
  describeStatement,
  encryptionRequest,
  execute,
  flush,
  parse,
  query,
  RawClient,
  startupPacket,
  sync,
  terminate,
} from '../../../support/embedded-database/raw-client.js'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../support/embedded-database/temporary-database.js'

let database: TemporaryDatabase

beforeAll(async () => {
  database = await openTemporaryDatabase()
})

afterAll(() => database.close())

const start = () => RawClient.start(database.pool)

describe('the protocol', () => {
  test('refuses encryption and goes on without', async () => {
    const client = new RawClient(database.pool)
    client.stream.write(encryptionRequest)
    expect(String(await client.readBytes(1))).toBe('N')
    client.stream.write(startupPacket)
    const greeting = await client.readUntil('Z')
    expect(greeting[0]).toEqual({ type: 'R', body: Buffer.alloc(4) })
    expect(greeting.map(({ body }) => String(body)).join()).toMatch(/server_version\0/)
    client.stream.destroy()
  })

  test('answers requests that were sent ahead, in their order', async () => {
    const client = await start()
    client.stream.write(
      Buffer.concat([query('select 1'), query('select nothing'), query('select 2; select 3')]),
    )
    expect(await client.readTypes()).toBe('T D C Z(I)')
    expect(await client.readTypes()).toBe('E Z(I)')
    expect(await client.readTypes()).toBe('T D C T D C Z(I)')
    client.stream.destroy()
  })

  test('answers in one message what was sent in one, also around what fails', async () => {
    const client = await start()
    let answers = 0
    client.stream.on('data', () => {
      answers += 1
    })
    const select = [parse('', 'select 1'), bind('', ''), execute(''), sync]
    client.stream.write(
      Buffer.concat([query('begin'), ...select, query('select nothing'), ...select, query('commit')]),
    )
    client.stream.write(query('select 2'))
    expect(await client.readTypes()).toBe('C Z(T)')
    expect(await client.readTypes()).toBe('1 2 D C Z(T)')
    expect(await client.readTypes()).toBe('E Z(E)')
    expect(await client.readTypes()).toBe('E Z(E)')
    expect(await client.readTypes()).toBe('C Z(I)')
    expect(await client.readTypes()).toBe('T D C Z(I)')
    expect(answers).toBeLessThanOrEqual(2)
    client.stream.destroy()
  })

  test('answers requests that arrive byte by byte', async () => {
    const client = await start()
    for (const byte of Buffer.concat([parse('s', 'select 1'), bind('p', 's'), execute('p'), sync]))
      client.stream.write(Buffer.from([byte]))
    expect(await client.readTypes()).toBe('1 2 D C Z(I)')
    client.stream.destroy()
  })

  test('lets nobody in between Flush and Sync', async () => {
    const [client, other] = [await start(), await start()]
    client.stream.write(
      Buffer.concat([parse('', 'select generate_series(1, 5)'), bind('page', ''), execute('page', 2), flush]),
    )
    expect(await client.readTypes('s')).toBe('1 2 D D s')
    other.stream.write(query('select 1'))
    client.stream.write(Buffer.concat([execute('page', 3), flush]))
    expect(await client.readTypes('s')).toBe('D D D s')
    client.stream.write(sync)
    expect(await client.readTypes()).toBe('Z(I)')
    expect(await other.readTypes()).toBe('T D C Z(I)')
    client.stream.destroy()
    other.stream.destroy()
  })

  test('says the state of the transaction', async () => {
    const client = await start()
    client.stream.write(Buffer.concat([query('begin'), query('select nothing'), query('rollback')]))
    expect(await client.readTypes()).toBe('C Z(T)')
    expect(await client.readTypes()).toBe('E Z(E)')
    expect(await client.readTypes()).toBe('C Z(I)')
    client.stream.destroy()
  })

  test('frees the session when its owner vanishes between Flush and Sync', async () => {
    const [owner, client] = [await start(), await start()]
    owner.stream.write(Buffer.concat([parse('mine', 'select 1'), flush]))
    await owner.readTypes('1')
    client.stream.write(query('select 1'))
    owner.stream.destroy()
    expect(await client.readTypes()).toBe('T D C Z(I)')
    client.stream.destroy()
  })

  test('forgets a request whose connection vanished while it waited', async () => {
    // The end of a connection is told some passes of the event loop later, and each greeting takes one or two: on a
    // crowded machine it takes more of them until it is known in time.
    let greetings = 0
    await vi.waitFor(async () => {
      greetings += 5
      const table = `never_${greetings}`
      const [owner, client] = [await start(), await start()]
      owner.stream.write(query('begin'))
      await owner.readTypes()
      client.stream.write(query(`create table ${table} (id int)`))
      client.stream.destroy()
      for (let greeting = 0; greeting < greetings; greeting += 1) (await start()).stream.destroy()
      owner.stream.write(
        Buffer.concat([query('commit'), parse('', `select 1 from ${table}`), describeStatement(''), sync]),
      )
      const answers = [await owner.readTypes(), await owner.readTypes()]
      owner.stream.destroy()
      expect(answers).toEqual(['C Z(I)', 'E Z(I)'])
    }, 10_000)
  })

  test('is the same for all until Terminate, which ends the connection after its last answer', async () => {
    const client = await start()
    client.stream.write(Buffer.concat([query('select 1'), terminate, query('select 2')]))
    expect(await client.readTypes()).toBe('T D C Z(I)')
    await expect(client.readBytes(1)).rejects.toThrow('ended')
  })

  test('ends a connection that breaks it, and only that one', async () => {
    const client = await start()
    client.stream.write(makeMessage('Y'))
    const [error] = await client.readUntil('E')
    expect(String(error?.body)).toContain('C08P01')
    await expect(client.readBytes(1)).rejects.toThrow('ended')
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(database.crashes).toEqual([])
  })
})

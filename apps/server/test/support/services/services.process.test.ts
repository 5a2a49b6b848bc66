import { type EventEmitter, once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { findFreePort } from './free-port.js'
import { withPostgresClient } from './postgres-connection.js'
import { createPostgresDatabase, createTemplateOnce } from './postgres-database.js'
import { createRedisUrl } from './redis-database.js'
import { startSupervised } from './supervised-service.js'
import { startTcpProxy } from './tcp-proxy.js'
import { temporaryParent } from './temporary-parent.js'

async function execute(url: string, sql: string): Promise<unknown[]> {
  const { rows } = await withPostgresClient(url, (client) => client.query({ text: sql, rowMode: 'array' }))
  return rows.flat()
}

function ended(connection: EventEmitter): Promise<void> {
  return new Promise((resolve) => connection.once('end', resolve))
}

async function newDatabase(template?: string): Promise<string> {
  const database = await createPostgresDatabase(template === undefined ? {} : { template })
  onTestFinished(() => database.drop())
  return database.url
}

async function newClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function newRedis(url: string): Promise<Redis> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => {})
  onTestFinished(() => redis.disconnect())
  await redis.connect()
  return redis
}

async function newProxy(url: string) {
  const target = new URL(url)
  const proxy = await startTcpProxy(target.hostname, Number(target.port))
  onTestFinished(() => proxy.close())
  return proxy
}

describe('a test database of PostgreSQL', () => {
  test('is empty without a template', async () => {
    const url = await newDatabase()
    expect(await execute(url, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
  })

  test('does not exist after drop, even if a connection is open', async () => {
    const database = await createPostgresDatabase()
    const disconnected = ended(await newClient(database.url))
    await database.drop()
    await disconnected
    await expect(execute(database.url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
  })

  test('is separate from other clones of the same template', async () => {
    const template = await createTemplateOnce('isolation', async (url) => {
      await execute(url, `create table note as select 'template' as text`)
    })
    const [first, second] = await Promise.all([newDatabase(template), newDatabase(template)])
    await execute(first, `insert into note values ('first')`)
    expect(await execute(first, 'select text from note')).toEqual(['template', 'first'])
    expect(await execute(second, 'select text from note')).toEqual(['template'])
    expect(await execute(await newDatabase(template), 'select text from note')).toEqual(['template'])
  })

  test('has its template prepared once, however many callers ask at the same time', async () => {
    let preparations = 0
    const ask = () =>
      createTemplateOnce('once', async (url) => {
        preparations += 1
        await execute(url, 'create table note ()')
      })
    const templates = await Promise.all([ask(), ask(), ask(), ask()])
    expect(preparations).toBe(1)
    expect(new Set(templates).size).toBe(1)
  })

  test('has its template prepared again after a failure', async () => {
    const failure = createTemplateOnce('failing', async (url) => {
      await execute(url, 'create table half_done ()')
      throw new Error('migration failed')
    })
    await expect(failure).rejects.toThrow('migration failed')
    const template = await createTemplateOnce('failing', async () => {})
    expect(await execute(await newDatabase(template), `select to_regclass('half_done')`)).toEqual([null])
  })
})

describe('a test database of Redis', () => {
  test('is separate from the others', async () => {
    const [firstUrl, secondUrl] = await Promise.all([createRedisUrl(), createRedisUrl()])
    expect(firstUrl).not.toBe(secondUrl)
    const [first, second] = await Promise.all([newRedis(firstUrl), newRedis(secondUrl)])
    await first.set('key', 'first')
    expect(await second.get('key')).toBeNull()
    await second.flushdb()
    expect(await first.get('key')).toBe('first')
  })
})

describe('a supervised service', () => {
  test('leaves no process or directory behind when it is stopped', async () => {
    const port = await findFreePort()
    const listen = `net.createServer().listen(${port}, '127.0.0.1', () => console.log('ready'))`
    const stop = await startSupervised({
      name: 'listener',
      command: [process.execPath, '-e', `process.on('SIGINT', () => process.exit()); ${listen}`],
      readyLine: /ready/,
    })
    const directories = await readdir(await temporaryParent())
    const directory = directories.find((name) => name.startsWith('parley-test-listener-'))
    expect(directory).toBeDefined()
    const socket = connect(port, '127.0.0.1')
    const disconnected = once(socket, 'close')
    await once(socket, 'connect')
    await stop()
    await disconnected
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(await readdir(await temporaryParent())).not.toContain(directory)
  })
})

describe('the TCP proxy', () => {
  test('disconnects PostgreSQL and reconnects it', async () => {
    const proxy = await newProxy(inject('postgresUrl'))
    const url = proxy.rewriteUrl(await newDatabase())
    await execute(url, 'create table note ()')

    const disconnected = ended(await newClient(url))
    await proxy.cut()
    await disconnected
    await expect(execute(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })

    await proxy.restore()
    expect(await execute(url, `select to_regclass('note')::text`)).toEqual(['note'])
  })

  test('disconnects Redis and reconnects it', async () => {
    const proxy = await newProxy(inject('redisUrl'))
    const url = await createRedisUrl()
    const [direct, proxied] = await Promise.all([newRedis(url), newRedis(proxy.rewriteUrl(url))])
    await proxied.set('key', 'value')
    expect(await direct.get('key')).toBe('value')

    const disconnected = ended(proxied)
    await proxy.cut()
    await disconnected
    await expect(newRedis(proxy.rewriteUrl(url))).rejects.toThrow('Connection is closed')

    await proxy.restore()
    const returned = await newRedis(proxy.rewriteUrl(url))
    expect(await returned.get('key')).toBe('value')
  })

  test('can be cut, restored and closed twice', async () => {
    const proxy = await newProxy(inject('redisUrl'))
    await proxy.cut()
    await proxy.cut()
    await proxy.restore()
    await proxy.restore()
    await proxy.close()
    await proxy.close()
  })
})

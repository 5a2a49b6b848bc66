import { setImmediate } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { OrderedWrites } from '#server/domain/durability/ordered-writes.js'
import type { Stores } from '#server/ports/database.js'
import { MemoryDatabase } from '../../support/realtime/memory-database.js'
import { makeConversation, makeMessage } from '../../support/stores/records.js'
import { makeTestTimers } from '../../support/test-timers.js'

/** The number of attempts while the database is available. */
const attempts = 5

const conversation = makeConversation(uuid(), uuid())

/** The writes of one caller. The database rejects this number of them first. */
function begin(refusals = 0) {
  const database = new MemoryDatabase(refusals)
  const timers = makeTestTimers()
  const logged: string[] = []
  const write = (level: string) => (_: object, message: string) => void logged.push(`${level}: ${message}`)
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  let timesFull = 0
  const writes = new OrderedWrites(
    { database, timers, log },
    {
      organizationId: 'organization',
      owner: { sessionId: 'one' },
      maxWaitingBytes: 100,
      onFull: () => {
        timesFull += 1
      },
    },
  )
  let count = 0
  let transactions = 0
  const committed: string[] = []
  database.transaction = (work) => {
    transactions += 1
    return work(database.stores)
  }

  return {
    database,
    committed,
    transactions: () => transactions,
    logged,
    writes,
    timesFull: () => timesFull,
    stored: () => database.messages.map(({ content }) => content),
    push(content: string, bytes = 10, isPoison = false): Promise<boolean> {
      count += 1
      const position = { itemId: `item_${count}`, contentIndex: 0, positionCounter: count }
      const message = makeMessage(conversation, { ...position, content })
      const add = async ({ conversations }: Pick<Stores, 'conversations'>) => {
        if (isPoison) throw new Error('refused')
        await conversations.addMessage(message)
      }
      return writes.push({
        kind: 'message',
        bytes,
        write: () => add(database.stores),
        part: { write: add, onCommitted: () => void committed.push(content) },
      })
    },
    /** Lets pauses between attempts pass until the promise has settled. */
    async passUntil<Result>(work: Promise<Result>): Promise<Result> {
      let isSettled = false
      void work.finally(() => {
        isSettled = true
      })
      for (await setImmediate(); !isSettled; await setImmediate()) timers.advance(2000)
      return work
    },
    /** Lets time pass without an expected result. */
    async pass(milliseconds: number): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        timers.advance(100)
        await setImmediate()
      }
    },
  }
}

describe('a queued write', () => {
  test('succeeds immediately if the database accepts it', async () => {
    const { push, stored, logged } = begin()
    expect(await push('one')).toBe(true)
    expect(stored()).toEqual(['one'])
    expect(logged).toEqual([])
  })

  test('succeeds at its last attempt', async () => {
    const { push, passUntil, stored } = begin(attempts - 1)
    expect(await passUntil(push('one'))).toBe(true)
    expect(stored()).toEqual(['one'])
  })

  test('fails if the database rejects every attempt, and the next write continues', async () => {
    const { push, passUntil, stored, logged } = begin(attempts)
    const [first, second] = [push('one'), push('two')]
    expect(await passUntil(first)).toBe(false)
    expect(await passUntil(second)).toBe(true)
    expect(stored()).toEqual(['two'])
    expect(logged.at(-1)).toBe('error: the database rejected an entry repeatedly; the entry is dropped')
  })

  test.each([
    ['is back, however long it was unavailable [RT-24]', 'away'],
    ['has space again, however long its disk was full [DB-7]', 'full'],
  ] as const)('succeeds only when the database %s', async (_, condition) => {
    const { database, push, pass, passUntil, stored } = begin()
    database.condition = condition
    const outcomes: boolean[] = []
    const both = Promise.all(['one', 'two'].map(async (text) => outcomes.push(await push(text))))
    await pass(60_000)
    expect(outcomes).toEqual([])
    database.condition = 'up'
    await passUntil(both)
    expect(outcomes).toEqual([true, true])
    expect(stored()).toEqual(['one', 'two'])
  })

  test('is not retried while the database is unavailable, and succeeds when it is back [OPS-23]', async () => {
    const { database, push, pass, passUntil, stored } = begin()
    database.condition = 'away'
    const written = push('one')
    await pass(60_000)
    expect(database.writesTried).toBe(1)
    database.condition = 'up'
    expect(await passUntil(written)).toBe(true)
    expect(database.writesTried).toBe(2)
    expect(stored()).toEqual(['one'])
  })

  test('is stored once if its confirmation was lost', async () => {
    const { database, push, pass, passUntil, stored } = begin()
    database.condition = 'losing'
    const written = push('one')
    await pass(10_000)
    database.condition = 'up'
    expect(await passUntil(written)).toBe(true)
    expect(stored()).toEqual(['one'])
  })
})

test('the memory limit counts waiting writes and not finished writes', async () => {
  const { database, push, passUntil, writes, timesFull } = begin()
  await push('before', 100)
  database.condition = 'away'
  void push('one', 60)
  expect(timesFull()).toBe(0)
  void push('two', 60)
  expect(timesFull()).toBe(1)
  database.condition = 'up'
  await passUntil(writes.settled())
  void push('after', 60)
  expect(timesFull()).toBe(1)
})

test('waiting writes share one slot at the database, eight at most, until each is stored [BND-13]', async () => {
  const { database, push, passUntil, stored } = begin()
  let places = 0
  const runFairly = database.runFairly.bind(database)
  database.runFairly = (owner, work) => {
    places += 1
    return runFairly(owner, work)
  }
  const texts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
  await Promise.all(texts.map((text) => push(text)))
  expect(places).toBe(1)
  const first = push('ten').then(() => {
    database.condition = 'away'
  })
  const last = push('eleven')
  await first
  expect(stored()).toEqual([...texts, 'ten'])
  database.condition = 'up'
  expect(await passUntil(last)).toBe(true)
  expect(stored()).toEqual([...texts, 'ten', 'eleven'])
})

describe('a backlog of writes', () => {
  const texts = Array.from({ length: 200 }, (_, index) => `entry ${index}`)

  test('is stored with one commit for many entries, whose callers are notified in order [RT-49]', async () => {
    const { database, push, pass, passUntil, stored, committed, transactions } = begin()
    database.condition = 'away'
    const written = Promise.all(texts.map((text) => push(text)))
    await pass(10_000)
    database.condition = 'up'
    expect(new Set(await passUntil(written))).toEqual(new Set([true]))
    expect(stored()).toEqual(texts)
    // After the failure, the first entries are tried separately.
    expect(committed).toEqual(texts.slice(8))
    expect(transactions()).toBeLessThan(texts.length / 40)
  })

  test('loses only the entry that the database rejects [RT-49]', async () => {
    const { push, passUntil, stored } = begin()
    const written = Promise.all(texts.map((text, index) => push(text, 10, index === 20)))
    const outcomes = await passUntil(written)
    expect(outcomes.flatMap((isWritten, index) => (isWritten ? [] : [index]))).toEqual([20])
    expect(stored()).toEqual(texts.filter((_, index) => index !== 20))
  })
})

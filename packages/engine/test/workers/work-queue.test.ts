import { afterEach, expect, test } from 'vitest'
import type { Outcome } from '#engine/runtime/outcome.js'
import { WorkQueue } from '#engine/workers/work-queue.js'

const queues: WorkQueue<unknown, unknown>[] = []
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.close()))
})

function makeQueue<Input, Value>(
  file: URL,
  maxWaiting: number,
  lines: string[] = [],
  tuning: { readonly stallMilliseconds?: number } = {},
): WorkQueue<Input, Value> {
  const onProgress = (line: string) => void lines.push(line)
  const queue = new WorkQueue<Input, Value>({ file, maxWaiting, onProgress, ...tuning })
  queues.push(queue as WorkQueue<unknown, unknown>)
  return queue
}

const kindOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'done' : outcome.kind)

const voice = new URL('../../dist/workers/text-to-speech.worker.js', import.meta.url)
const dying = new URL('../support/dying.worker.mjs', import.meta.url)
const silent = new URL('../support/silent.worker.mjs', import.meta.url)
const sentence = { text: 'Hello.', voice: 'slt', speed: 1 }

test('a full queue rejects work immediately and accepts work again when there is room', async () => {
  const queue = makeQueue(voice, 2)
  const results = await Promise.all([queue.run(sentence), queue.run(sentence), queue.run(sentence)])
  expect(results.map(kindOf)).toEqual(['done', 'done', 'overloaded'])
  expect(queue.room).toBe(2)
  expect(kindOf(await queue.run(sentence))).toBe('done')
})

const echo = new URL('../support/echo.worker.mjs', import.meta.url)

/** Queues work in this order. Returns the completed work in order, without the rejected work. */
async function doneInOrder(queue: WorkQueue<string, string>, work: readonly string[]): Promise<string[]> {
  const finished: string[] = []
  const runs = work.map(async (input) => {
    const outcome = await queue.run(input, input.slice(0, 1))
    if (outcome.ok) finished.push(outcome.value)
  })
  await Promise.all(runs)
  return finished
}

test('owners take turns even if one of them has more work waiting [ENG-15]', async () => {
  const queue = makeQueue<string, string>(echo, 16)
  const finished = await doneInOrder(queue, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'c1'])
  expect(finished).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5', 'a6'])
})

test('a full queue drops work of the owner with the most waiting work [ENG-15]', async () => {
  const queue = makeQueue<string, string>(echo, 6)
  const finished = await doneInOrder(queue, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1', 'b2', 'b3'])
  expect(finished).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2'])
  expect(queue.room).toBe(6)
})

test('the thread starts with the first work and logs each load', async () => {
  const lines: string[] = []
  const queue = makeQueue(voice, 2, lines)
  expect(lines).toEqual([])
  await queue.run(sentence)
  expect(lines).toEqual(['Loading the voice.', 'The voice is ready.'])
})

test('failed work does not affect the next', async () => {
  const queue = makeQueue(voice, 2)
  expect(kindOf(await queue.run({ text: 42 }))).toBe('failed')
  expect(kindOf(await queue.run(sentence))).toBe('done')
})

test('a thread that exits fails its work and is replaced', async () => {
  const queue = makeQueue(dying, 3)
  expect(await queue.run('first')).toEqual({ ok: true, value: 'first' })
  expect(kindOf(await queue.run('second'))).toBe('failed')
  expect(await queue.run('third')).toEqual({ ok: true, value: 'third' })
})

test('a thread that does not respond fails its work and is replaced [WAIT-2]', async () => {
  const lines: string[] = []
  const queue = makeQueue<string, string>(silent, 3, lines, { stallMilliseconds: 5000 })
  expect(await queue.run('first')).toEqual({ ok: true, value: 'first' })
  const waiting = [queue.run('hang'), queue.run('hang')]
  for (const outcome of await Promise.all(waiting))
    expect(outcome).toMatchObject({ ok: false, message: 'It did not respond within 5 seconds.' })
  expect(lines).toEqual(['A thread did not respond for 5 seconds and was replaced.'])
  expect(queue.room).toBe(3)
  expect(await queue.run('next')).toEqual({ ok: true, value: 'next' })
})

test('a closed queue answers all work', async () => {
  const queue = makeQueue(voice, 3)
  const waiting = [queue.run(sentence), queue.run(sentence)]
  await queue.close()
  expect((await Promise.all(waiting)).map(kindOf)).toEqual(['failed', 'failed'])
  expect(kindOf(await queue.run(sentence))).toBe('failed')
})

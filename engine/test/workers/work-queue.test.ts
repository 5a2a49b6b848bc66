import { afterEach, expect, test } from 'vitest'
import { WorkQueue } from '#engine/workers/work-queue.js'

const queues: WorkQueue<unknown, unknown>[] = []
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.close()))
})

function makeQueue<Input, Value>(
  file: URL,
  maxWaiting: number,
  lines: string[] = [],
): WorkQueue<Input, Value> {
  const queue = new WorkQueue<Input, Value>({ file, maxWaiting, onProgress: (line) => lines.push(line) })
  queues.push(queue as WorkQueue<unknown, unknown>)
  return queue
}

const voice = new URL('../../dist/workers/text-to-speech.worker.js', import.meta.url)
const dying = new URL('../support/dying.worker.mjs', import.meta.url)
const sentence = { text: 'Hello.', voice: 'slt', speed: 1 }

test('a full queue refuses at once, and takes work again when there is room', async () => {
  const queue = makeQueue(voice, 2)
  const results = await Promise.all([queue.run(sentence), queue.run(sentence), queue.run(sentence)])
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'overloaded'])
  expect(queue.room).toBe(2)
  expect((await queue.run(sentence)).outcome).toBe('done')
})

test('a thread starts with the first work, and says what it loads', async () => {
  const lines: string[] = []
  const queue = makeQueue(voice, 2, lines)
  expect(lines).toEqual([])
  await queue.run(sentence)
  expect(lines).toEqual(['Loading the voice.', 'The voice is ready.'])
})

test('a piece of work that fails does not harm the next', async () => {
  const queue = makeQueue(voice, 2)
  expect((await queue.run({ text: 42 })).outcome).toBe('failed')
  expect((await queue.run(sentence)).outcome).toBe('done')
})

test('a thread that dies takes its work with it, and another one takes its place', async () => {
  const queue = makeQueue(dying, 3)
  expect(await queue.run('first')).toEqual({ outcome: 'done', value: 'first' })
  expect((await queue.run('second')).outcome).toBe('failed')
  expect(await queue.run('third')).toEqual({ outcome: 'done', value: 'third' })
})

test('a closed queue answers everything', async () => {
  const queue = makeQueue(voice, 3)
  const waiting = [queue.run(sentence), queue.run(sentence)]
  await queue.close()
  expect((await Promise.all(waiting)).map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
  expect((await queue.run(sentence)).outcome).toBe('failed')
})

import { expect, test } from 'vitest'
import { StreamedAnswer } from '#server/adapters/chat-models/streamed-answer.js'

type Parts = Parameters<StreamedAnswer['read']>[0]

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** Returns a model's answer in this number of one-letter pieces. */
function answerOf(pieces: number): Parts {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      sent += 1
      if (sent <= pieces) return controller.enqueue({ type: 'text-delta', id: 'text', delta: 'x' })
      controller.enqueue({ type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } })
      controller.close()
    },
  })
}

test('handles 64 parts of all answers together in one event-loop pass [BND-14]', async () => {
  const inPass = new Map<number, number>()
  let pass = 0
  const count = () => {
    pass += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const read = async () => {
    const answer = new StreamedAnswer(() => void inPass.set(pass, (inPass.get(pass) ?? 0) + 1))
    await answer.read(answerOf(300), (work) => work)
    return answer.text.length
  }
  const lengths = await Promise.all(Array.from({ length: 20 }, read))
  clearImmediate(counting)
  expect(lengths).toEqual(Array.from({ length: 20 }, () => 300))
  // The maximum is twice the limit, because the passes counted here may begin in the middle of the reader's
  // passes.
  expect(Math.max(...inPass.values())).toBeLessThanOrEqual(128)
})

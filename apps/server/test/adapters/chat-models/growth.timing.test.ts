import { describe, expect, test } from 'vitest'
import { StreamedAnswer } from '#server/adapters/chat-models/streamed-answer.js'
import { expectLinear } from '../../support/growth.js'

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

describe("assembling a model's answer [BND-7]", () => {
  test('takes time in proportion to the number of its one-letter pieces', async () => {
    await expectLinear(
      (factor) => 500 * factor,
      async (pieces) => {
        const answer = new StreamedAnswer(() => undefined)
        await answer.read(answerOf(pieces), (work) => work)
        expect(answer.text).toHaveLength(pieces)
      },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { FirstAnswerNotice } from '#talk/first-answer-notice.js'
import { TurnWait } from '#talk/turn-wait.js'

const created = { type: 'response.created' } as const
const spoken = { type: 'response.output_audio_transcript.done' } as const
const response = { type: 'response.done' as const, response: { status: 'completed', output: [] } }
const stored = { type: 'response.completed', data: {} } as const

const never = 3_600_000

describe('waiting for the first answer [TALK-2]', () => {
  it('explains a slow first answer once', async () => {
    let shown = 0
    const notice = new FirstAnswerNotice(() => {
      shown += 1
    }, 1)
    for (const expected of [1, 1]) {
      notice.begin()
      await expect.poll(() => shown).toBe(expected)
      notice.end()
    }
  })

  it('prints nothing if the answer has started', async () => {
    let shown = 0
    const notice = new FirstAnswerNotice(() => {
      shown += 1
    }, 20)
    notice.begin()
    notice.handle({ type: 'response.output_audio_transcript.delta', delta: 'Hello' })
    // A later notice with the same delay fires after this one.
    await new Promise<void>((resolve) => new FirstAnswerNotice(resolve, 20).begin())
    expect(shown).toBe(0)
  })
})

describe('waiting for a turn', () => {
  it('ends when the answer is stored', async () => {
    const wait = new TurnWait({ isSpoken: false, storingMilliseconds: never })
    for (const event of [created, spoken, response, stored]) wait.handle(event)
    expect(await wait.result).toBe('answered')
  })

  it('does not wait forever for the answer to be stored', async () => {
    const wait = new TurnWait({ isSpoken: false, storingMilliseconds: 1 })
    for (const event of [created, spoken, response]) wait.handle(event)
    expect(await wait.result).toBe('answered')
  })

  it('ends if speech gets no answer', async () => {
    const wait = new TurnWait({ isSpoken: true, noticingMilliseconds: 1 })
    wait.endSpeech()
    expect(await wait.result).toBe('unheard')
  })

  it('ignores an answer to the part before a pause', async () => {
    const wait = new TurnWait({ isSpoken: true })
    for (const event of [created, response]) wait.handle(event)
    wait.handle({ type: 'input_audio_buffer.speech_started' })
    wait.handle(created)
    wait.endSpeech()
    wait.handle({ type: 'response.done', response: { status: 'failed', output: [] } })
    expect(await wait.result).toBe('failed')
  })

  it('ends with the session', async () => {
    const wait = new TurnWait({ isSpoken: false })
    wait.handle(created)
    wait.end('ended')
    expect(await wait.result).toBe('ended')
  })
})

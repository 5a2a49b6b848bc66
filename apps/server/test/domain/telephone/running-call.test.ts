import { describe, expect, test, vi } from 'vitest'
import { makePhoneCall } from '../../support/stores/phone-records.js'
import { makeRecordedCall, type RecordedCall } from '../../support/telephone/recorded-call.js'

const { setup } = makePhoneCall('o')
const english = { ...setup, language: 'en-US' }
const incoming = { direction: 'incoming', setup: english } as const
const outgoing = { direction: 'outgoing', setup: english } as const

const lost = 'We are sorry, the connection to our assistant was lost. Please call again later.'

/** Waits until the events of the call contain this one. */
const until = (recorded: RecordedCall, event: string) =>
  vi.waitFor(() => expect(recorded.events).toContain(event))

async function talking(fields: Parameters<typeof makeRecordedCall>[0] = incoming): Promise<RecordedCall> {
  const recorded = makeRecordedCall(fields)
  const ready = recorded.call.prepare()
  await vi.waitFor(() => {
    recorded.configure()
    recorded.call.attach(recorded.leg)
    expect(recorded.events).toContain('answered')
  })
  expect(await ready).toBe(true)
  recorded.events.length = 0
  return recorded
}

describe('a running call', () => {
  test('says why it ends if its session is lost, and hangs up when that was played [TEL-50]', async () => {
    const recorded = await talking()
    recorded.endSession('provider_closed')
    await until(recorded, 'play announcement')
    recorded.played()
    await recorded.call.done
    expect(recorded.events).toEqual([
      `say ${lost}`,
      'play announcement',
      'ended failed: The session ended: provider_closed.',
      'hang up',
    ])
    expect(recorded.timers.waiting).toBe(0)
  })

  test('hangs up after the length of the announcement if the provider confirms nothing [TEL-50]', async () => {
    const recorded = await talking()
    recorded.endSession('internal')
    await until(recorded, 'play announcement')
    recorded.timers.advance(2999)
    expect(recorded.call.isLeaving).toBe(true)
    recorded.timers.advance(1)
    await recorded.call.done
    expect(recorded.events.at(-1)).toBe('hang up')
  })

  test('keeps the reason of the announcement if the other party hangs up during it [TEL-50]', async () => {
    const recorded = await talking()
    recorded.endSession('budget_exceeded')
    await until(recorded, 'play announcement')
    recorded.hungUp()
    await recorded.call.done
    expect(recorded.events).toContain('ended failed: The session ended: budget_exceeded.')
    expect(recorded.events.some((event) => event.includes('reached its limit'))).toBe(true)
  })

  test('says goodbye before its provider ends it after 4 hours [TEL-51]', async () => {
    const recorded = await talking()
    recorded.timers.advance(4 * 60 * 60 * 1000 - 30_001)
    expect(recorded.events).toEqual([])
    recorded.timers.advance(1)
    await until(recorded, 'play announcement')
    recorded.played()
    await recorded.call.done
    expect(recorded.events).toContain('ended failed: The call reached the maximum duration of 4 hours.')
  })

  test('is rejected if the caller still hears ringing [TEL-50]', async () => {
    const recorded = makeRecordedCall(incoming)
    recorded.call.attach(recorded.leg, { rings: true })
    const ready = recorded.call.prepare()
    await vi.waitFor(() => {
      recorded.endSession('provider_unavailable')
      expect(recorded.events).toContain('reject 480')
    })
    expect(await ready).toBe(false)
    expect(recorded.events).toEqual(['ended failed: The session ended: provider_unavailable.', 'reject 480'])
  })

  test('tells a connected party if the agent does not become ready [TEL-50]', async () => {
    const recorded = makeRecordedCall(outgoing)
    recorded.call.attach(recorded.leg)
    const ready = recorded.call.prepare()
    recorded.timers.advance(13_000)
    expect(await ready).toBe(false)
    await until(recorded, 'play announcement')
    expect(recorded.events).toEqual(['accept', 'answered', `say ${lost}`, 'play announcement'])
    recorded.played()
    await recorded.call.done
  })

  test('hangs up on a voicemail if the call was made so [TEL-57]', async () => {
    const recorded = await talking({ direction: 'outgoing', setup: { ...english, voicemail: 'hang_up' } })
    recorded.call.noteVoicemail()
    await recorded.call.done
    expect(recorded.events).toEqual(['ended voicemail: null', 'hang up'])
  })

  test('tells the model once that a voicemail has answered, also if it was detected early [TEL-57]', async () => {
    const recorded = makeRecordedCall({
      direction: 'outgoing',
      setup: { ...english, voicemail: 'leave_message' },
    })
    recorded.call.attach(recorded.leg)
    recorded.call.noteVoicemail()
    void recorded.call.prepare()
    await vi.waitFor(() => {
      recorded.configure()
      expect(recorded.told).toHaveLength(1)
    })
    recorded.call.noteVoicemail()
    expect(recorded.told).toEqual(['[A voicemail has answered. Leave a short message after the tone.]'])
    recorded.hungUp()
    await recorded.call.done
  })
})

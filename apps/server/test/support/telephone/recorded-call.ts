import type { LegListener } from '@parley/telephone'
import { pino } from 'pino'
import { RunningCall } from '#server/domain/telephone/running-call.js'
import type { SessionClient } from '#server/domain/telephone/session-client.js'
import type { Announcement } from '#server/ports/announcements.js'
import type { StreamLeg } from '#server/ports/carriers.js'
import type { PhoneCallRecord } from '#server/ports/phone-stores.js'
import { makePhoneCall } from '../stores/phone-records.js'
import { makeTestTimers, type TestTimers } from '../test-timers.js'

export interface RecordedCall {
  readonly call: RunningCall
  readonly timers: TestTimers
  readonly leg: StreamLeg
  /** The commands for the leg, the announcements and the stored end, in order. */
  readonly events: string[]
  /** The texts that the model received. */
  readonly told: string[]
  /** Confirms the configuration of the current session. */
  configure(): void
  /** Ends the current session. */
  endSession(reason: string): void
  /** Reports that everything was played. */
  played(): void
  /** The other party hangs up. */
  hungUp(): void
}

/** A call whose session and leg are in the hands of the test, on a clock that the test turns. */
export function makeRecordedCall(
  fields: Partial<PhoneCallRecord>,
  { sound = Buffer.alloc(8000) } = {},
): RecordedCall {
  const timers = makeTestTimers()
  const events: string[] = []
  const told: string[] = []
  let client: SessionClient | null = null
  let listener: LegListener | null = null
  let lastPassage = ''
  const record = (event: string) => void events.push(event)
  const leg = {
    ...{ id: 'leg', direction: 'in', from: '', to: '', codec: 'g711_ulaw' },
    started: Promise.resolve({ callId: '', token: null }),
    admit: (_call, given) => {
      listener = given
    },
    refuse: () => record('refuse'),
    ring: () => undefined,
    accept: () => record('accept'),
    reject: (status) => record(`reject ${status}`),
    play: (_sound, passage = '') => {
      lastPassage = passage
      record(`play ${passage}`)
    },
    clear: async () => ({ passage: null, playedMilliseconds: 0 }),
    digits: () => undefined,
    transfer: async () => ({ kind: 'accepted' }) as const,
    hold: () => undefined,
    hangUp: () => record('hang up'),
  } satisfies StreamLeg as StreamLeg
  const call = new RunningCall(
    {
      ...{ timers, log: pino({ level: 'silent' }), isDraining: () => false },
      announcements: {
        soundOf: async ({ text }: Announcement) => {
          record(`say ${text}`)
          return sound
        },
      },
      async open(_call, opened) {
        client = opened
        opened.socket.listen({
          frame: (data) => {
            const { item } = JSON.parse(data.toString())
            if (item?.type === 'message') told.push(item.content[0].text)
          },
          ...{ pong: () => undefined, tooBig: () => undefined, closed: () => undefined },
        })
        const ids = { conversationId: 'c', realtimeSessionId: 's', endUserId: null }
        return { ...ids, greets: true, toolNames: [] }
      },
      answered: async () => record('answered'),
      ended: async (_call, { reason, detail }) => record(`ended ${reason}: ${detail}`),
      permitTransfer: async () => null,
    },
    { ...makePhoneCall('o', fields), state: 'ringing', endReason: null, endedAt: null },
  )
  return {
    ...{ call, timers, leg, events, told },
    configure: () => client?.socket.send(JSON.stringify({ type: 'session.updated' }), false),
    endSession: (reason) => client?.socket.close(1000, reason),
    played: () => listener?.played(lastPassage, 1000),
    hungUp: () => listener?.ended({ kind: 'hung_up_by_peer' }),
  }
}

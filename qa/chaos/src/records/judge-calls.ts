import type { Message } from '@parley/contract'
import type { ExternalRecords, ProviderConnectionEntry } from './external-records.js'
import { grouped } from './grouped.js'
import type { StoredRecords } from './stored-records.js'
import type { Violation } from './violation.js'

/** Longer than any call takes, including a person's decision, the tool and an outage. */
const callPatienceMilliseconds = 60_000
const unknownWords = /outcome.*(unknown|not known)/i

/**
 * Checks that the model gets one output for each call, that each call runs at most once, and that each run
 * is stored.
 */
export function judgeCalls(outside: ExternalRecords, stored: StoredRecords): readonly Violation[] {
  const calls = [...stored.messages.values()].flat().filter(({ role }) => role === 'tool')
  const byEffect = grouped(calls, effectOf)
  const runs = grouped(outside.effects, ({ effect }) => effect)
  return [
    ...outside.connections.flatMap(judgeOutputs),
    ...[...runs].flatMap(([effect, requests]) =>
      judgeEffect(effect, { at: requests.map(({ at }) => at), messages: byEffect.get(effect) ?? [] }),
    ),
    ...calls.filter(({ status }) => status !== 1 && status !== 2).map(unfinished),
  ]
}

/** Returns the argument that identifies a call at the tool's endpoint. */
export function effectOf({ arguments: given }: Pick<Message, 'arguments'>): string {
  try {
    const { call, key, step } = JSON.parse(given ?? '{}') as { call?: string; key?: string; step?: number }
    return call ?? `${key}/${step}`
  } catch {
    return ''
  }
}

function judgeOutputs({ key, calls, outputs, closedAt }: ProviderConnectionEntry): readonly Violation[] {
  const answers = grouped(outputs, ({ callId }) => callId)
  const doubled = [...answers].flatMap(([callId, heard]): Violation[] =>
    heard.length === 1
      ? []
      : [
          {
            invariant: 'calls',
            what: `${key}: the model got ${heard.length} outputs for the call ${callId}`,
            at: heard[1]?.at ?? null,
            ids: [callId],
          },
        ],
  )
  const forgotten = calls.flatMap(({ callId, at }): Violation[] => {
    const wasTimeEnough = (closedAt ?? Number.POSITIVE_INFINITY) - at > callPatienceMilliseconds
    if (answers.has(callId) || !wasTimeEnough) return []
    return [
      {
        invariant: 'calls',
        what: `${key}: the model got no output for the call ${callId}`,
        at,
        ids: [callId],
      },
    ]
  })
  return [...doubled, ...forgotten]
}

interface EffectCase {
  readonly at: readonly number[]
  readonly messages: readonly Message[]
}

function judgeEffect(effect: string, { at, messages }: EffectCase): readonly Violation[] {
  const violation = (what: string, when: number | undefined): Violation => ({
    invariant: 'effects',
    what: `${effect} ${what}`,
    at: when ?? null,
    ids: messages.map(({ conversationId }) => conversationId),
  })
  const faults: Violation[] = []
  if (at.length > 1) faults.push(violation(`ran ${at.length} times`, at[1]))
  if (messages.length === 0) faults.push(violation('ran, but no call of it is stored', at[0]))
  const isReported = messages.some(({ status, content }) => status === 1 || unknownWords.test(content))
  if (messages.length > 0 && !isReported)
    faults.push(violation(`ran, but its call says “${messages[0]?.content}”`, at[0]))
  return faults
}

const unfinished = ({ id, callId, status, conversationId, createdAt }: Message): Violation => ({
  invariant: 'calls',
  what: `the call ${callId} still has status ${status}`,
  at: Date.parse(createdAt),
  ids: [id, conversationId],
})

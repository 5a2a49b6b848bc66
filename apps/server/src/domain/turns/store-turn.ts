import { v7 as uuid } from 'uuid'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import { newResource } from '../resources/new-resource.js'
import { startedEvent } from './turn-events.js'
import { unused } from './turn-use.js'

/** A turn that is about to be, as whoever wants its answer describes it. */
export type NewTurn = Pick<
  TurnRecord,
  | 'id'
  | 'organizationId'
  | 'conversationId'
  | 'agentId'
  | 'question'
  | 'fileIds'
  | 'additionalInstructions'
  | 'idempotencyKey'
  | 'taskId'
  | 'apiKeyId'
  | 'rehearsal'
>

/** Stores a queued turn behind the others of its conversation, which is locked, with its first event. */
export async function storeTurn(
  { clock, instanceId }: { readonly clock: Clock; readonly instanceId: string },
  stores: Stores,
  { organizationId, ...turn }: NewTurn,
): Promise<TurnRecord> {
  const blank = {
    ...newResource(clock, organizationId),
    ...turn,
    state: 'queued',
    questionMessageId: uuid(),
    answerMessageId: uuid(),
    instanceId,
    stopRequestedAt: null,
    startedAt: null,
    endedAt: null,
    answer: null,
    failure: null,
    ...unused,
  } as const
  const stored = { ...blank, position: await stores.turns.insert(blank) }
  await stores.turns.addEvents(stored.id, [startedEvent(stored)])
  return stored
}

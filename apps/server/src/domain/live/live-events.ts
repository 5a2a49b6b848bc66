import { type LiveChange, type LiveResource, liveResources } from '@parley/contract'
import type { Activity, ChangeCursor, ChangeRecord, FoundChange } from '../../ports/changes.js'

/**
 * The precedence of events about the same resource in one poll. The event with the highest precedence is
 * sent.
 */
const weight = { updated: 0, created: 1, deleted: 2 } as const

/** Audit actions that change a person's entry in the list of members. */
const memberActions: readonly string[] = [
  'person.update',
  'person.prove',
  'person.totp_on',
  'person.totp_off',
]

/**
 * Resource types whose changes affect access rights. After such a change, the rights of all streams are
 * checked again.
 */
const accessTypes: readonly string[] = ['ApiKey', 'Member', 'Person']

/** Returns the events for a list of changes: one event per resource, in order. */
export function toLiveEvents(
  found: readonly FoundChange[],
  reported: RecentlyReported,
): readonly LiveChange[] {
  const changes = new Map<string, LiveChange>()
  for (const change of found.flatMap((one) => changesOf(one, reported))) {
    const key = `${change.resource} ${change.id}`
    const other = changes.get(key)
    changes.set(key, other === undefined ? change : merge(change, other))
  }
  return [...changes.values()].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** Returns whether a caller may have lost access through this change, so that its streams must end. */
export function isAccessChange(change: FoundChange): boolean {
  if (change.kind !== 'record' || change.resourceType === null) return false
  return accessTypes.includes(change.resourceType) && !/\.(create|accept|sign_in)$/.test(change.action)
}

function merge(one: LiveChange, other: LiveChange): LiveChange {
  return {
    ...one,
    change: weight[one.change] > weight[other.change] ? one.change : other.change,
    parentId: one.parentId ?? other.parentId,
    endUserId: one.endUserId ?? other.endUserId,
    externalUserId: one.externalUserId ?? other.externalUserId,
    at: one.at > other.at ? one.at : other.at,
  }
}

function changesOf(found: FoundChange, reported: RecentlyReported): readonly LiveChange[] {
  const { id, at } = found
  if (found.kind === 'activity')
    return [{ resource: found.resource, id, change: 'updated', parentId: null, ...anonymous, at }]
  const isFirst = reported.note(id)
  if (found.kind === 'record') {
    // An audit record changes only once, when it is sealed.
    const change = isFirst ? 'created' : 'updated'
    const itself = { resource: 'AuditLog', id, change, parentId: null, ...anonymous, at } as const
    return isFirst ? [itself, ...subjectsOf(found)] : [itself]
  }
  const { resource, conversationId } = found
  const endUser = found.endUser ?? anonymous
  const change = found.isNew && isFirst ? 'created' : 'updated'
  const parentId = resource === 'Conversation' ? null : conversationId
  const row = { resource, id, change, parentId, ...endUser, at } as const
  if (resource !== 'Message' || conversationId === null) return [row]
  // The conversation contains a count of its messages.
  const shared = { change: 'updated', parentId: null, ...endUser, at } as const
  return [row, { resource: 'Conversation', id: conversationId, ...shared }]
}

const anonymous = { endUserId: null, externalUserId: null } as const

/** Returns the event of an audit record. */
function subjectsOf({
  action,
  outcome,
  resourceType,
  resourceId,
  at,
  endUser,
  ...ids
}: ChangeRecord): readonly LiveChange[] {
  if (outcome !== 'success') return []
  const eventsFor = (resource: LiveResource, id: string | null, change: LiveChange['change']) =>
    id === null ? [] : [{ resource, id, change, parentId: null, ...(endUser ?? anonymous), at }]
  if (action === 'invitation.accept')
    return [
      ...eventsFor('Member', resourceId, 'created'),
      ...eventsFor('Invitation', ids.invitationId, 'updated'),
    ]
  if (resourceType === 'Person')
    return memberActions.includes(action) ? eventsFor('Member', ids.memberId, 'updated') : []
  return isLiveResource(resourceType) ? eventsFor(resourceType, resourceId, changeBy(action)) : []
}

function isLiveResource(type: string | null): type is LiveResource {
  return type !== null && Object.hasOwn(liveResources, type)
}

function changeBy(action: string): LiveChange['change'] {
  if (action.endsWith('.create')) return 'created'
  return action.endsWith('.delete') ? 'deleted' : 'updated'
}

/** Longer than the time for which the database looks back for new rows. */
const rememberedMicroseconds = 300 * 1_000_000

/** The ids of recently reported resources, so that each resource is reported as new only once. */
export class RecentlyReported {
  /** When each id was last reported, oldest first. */
  readonly #reportedAt = new Map<string, number>()
  #now = 0

  /** Advances to this time of the database, and drops older ids. */
  moveTo(microseconds: number): void {
    this.#now = microseconds
    for (const [id, reportedAt] of this.#reportedAt) {
      if (reportedAt > microseconds - rememberedMicroseconds) return
      this.#reportedAt.delete(id)
    }
  }

  /** Returns whether this is the first event about the id. */
  note(id: string): boolean {
    const isFirst = !this.#reportedAt.delete(id)
    this.#reportedAt.set(id, this.#now)
    return isFirst
  }
}

const pauseMilliseconds = 1000

interface WaitingActivity {
  readonly activity: Activity
  /** The cursor at the start of the poll that found the activity. */
  readonly since: ChangeCursor
}

/**
 * Limits events about continuous activity to one per second, because each event makes clients fetch the data
 * again.
 */
export class PacedActivities {
  readonly #reportedAt = new Map<string, number>()
  readonly #waiting = new Map<string, WaitingActivity>()

  /**
   * The cursor for streams that disconnect before the pending activities are sent. Null if none are pending.
   */
  get heldFrom(): ChangeCursor | null {
    const places = [...this.#waiting.values()].map(({ since }) => since)
    return places.sort((one, other) => one.microseconds - other.microseconds)[0] ?? null
  }

  /**
   * Returns the activities to send now, including those that the poll from `since` has found. `now` is
   * monotonic, in milliseconds.
   */
  pass(found: readonly FoundChange[], since: ChangeCursor, now: number): readonly FoundChange[] {
    for (const [name, reportedAt] of this.#reportedAt)
      if (now - reportedAt >= pauseMilliseconds) this.#reportedAt.delete(name)
    for (const activity of found) {
      if (activity.kind !== 'activity') continue
      const name = `${activity.resource} ${activity.id}`
      this.#waiting.set(name, { activity, since: this.#waiting.get(name)?.since ?? since })
    }
    const due = [...this.#waiting].filter(([name]) => !this.#reportedAt.has(name))
    for (const [name] of due) {
      this.#waiting.delete(name)
      this.#reportedAt.set(name, now)
    }
    return [...found.filter(({ kind }) => kind !== 'activity'), ...due.map(([, { activity }]) => activity)]
  }
}

/**
 * The maximum number of open transactions in a cursor. If there are more, the stream resumes from the first
 * of them.
 */
const maxOpenTransactions = 20
/** The maximum age of a cursor. If it is older, the stream is reset instead of sending every change. */
const maxAgeMicroseconds = 60 * 60 * 1_000_000

/** Encodes a cursor as opaque text for callers. */
export function cursorText({ microseconds, nextTransaction, openTransactions }: ChangeCursor): string {
  const [first = nextTransaction] = openTransactions
  if (openTransactions.length > maxOpenTransactions) return `${microseconds}-${first}`
  return [microseconds, nextTransaction, ...openTransactions].join('-')
}

/** Decodes a cursor from a caller. Returns null if it is invalid. */
export function cursorIn(text: string): ChangeCursor | null {
  if (text.length > 500 || !/^\d{1,16}-\d{1,16}(-\d{1,16}){0,20}$/.test(text)) return null
  const [microseconds = 0, nextTransaction = 0, ...openTransactions] = text.split('-').map(Number)
  return { microseconds, nextTransaction, openTransactions }
}

/** Returns whether a stream can resume from the cursor: it belongs to this database and is not too old. */
export function canResume(cursor: ChangeCursor, present: ChangeCursor): boolean {
  const age = present.microseconds - cursor.microseconds
  return age >= 0 && age <= maxAgeMicroseconds && cursor.nextTransaction <= present.nextTransaction
}

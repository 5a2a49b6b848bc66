import { type LiveChange, type LiveResource, liveResources } from '@parley/contract'
import type { ChangeRecord, FoundChange } from '../../ports/change-store.js'
import type { RecentlyTold } from './recently-told.js'

/** Which of two that are told of one thing at once is the one to tell. */
const weight = { updated: 0, created: 1, deleted: 2 } as const

/** What others see of a person, where it has changed: it shows in the list of members. */
const personActions: readonly string[] = [
  'person.update',
  'person.prove',
  'person.totp_on',
  'person.totp_off',
]

/** Who may do what has changed: streams must be looked at. */
const accessTypes: readonly string[] = ['ApiKey', 'Member', 'Person']

/** What to tell of what was found, each thing once, in the order it happened. */
export function tellChanges(found: readonly FoundChange[], told: RecentlyTold): readonly LiveChange[] {
  const changes = new Map<string, LiveChange>()
  for (const change of found.flatMap((one) => changesOf(one, told))) {
    const key = `${change.resource} ${change.id}`
    const other = changes.get(key)
    changes.set(key, other === undefined ? change : merge(change, other))
  }
  return [...changes.values()].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** Whether somebody may have lost a right by this, so that their streams must end. */
export function isAccessChange(change: FoundChange): boolean {
  if (change.kind !== 'record' || change.resourceType === null) return false
  return accessTypes.includes(change.resourceType) && !/\.(create|accept|sign_in)$/.test(change.action)
}

function merge(one: LiveChange, other: LiveChange): LiveChange {
  return {
    ...one,
    change: weight[one.change] > weight[other.change] ? one.change : other.change,
    parentId: one.parentId ?? other.parentId,
    at: one.at > other.at ? one.at : other.at,
  }
}

function changesOf(found: FoundChange, told: RecentlyTold): readonly LiveChange[] {
  const { id, at } = found
  if (found.kind === 'activity')
    return [{ resource: found.resource, id, change: 'updated', parentId: null, at }]
  const isFirst = told.note(id)
  if (found.kind === 'record') {
    // Its seal is all that ever changes of a record.
    const change = isFirst ? 'created' : 'updated'
    const itself = { resource: 'AuditLog', id, change, parentId: null, at } as const
    return isFirst ? [itself, ...subjectsOf(found)] : [itself]
  }
  const { resource, conversationId } = found
  const change = found.isNew && isFirst ? 'created' : 'updated'
  const parentId = resource === 'Conversation' ? null : conversationId
  const row = { resource, id, change, parentId, at } as const
  if (resource !== 'Message' || conversationId === null) return [row]
  // The conversation counts its messages.
  return [row, { resource: 'Conversation', id: conversationId, change: 'updated', parentId: null, at }]
}

/** What an audit record tells of. */
function subjectsOf({
  action,
  outcome,
  resourceType,
  resourceId,
  at,
  ...ids
}: ChangeRecord): readonly LiveChange[] {
  if (outcome !== 'success') return []
  const tell = (resource: LiveResource, id: string | null, change: LiveChange['change']) =>
    id === null ? [] : [{ resource, id, change, parentId: null, at }]
  if (action === 'invitation.accept')
    return [...tell('Member', resourceId, 'created'), ...tell('Invitation', ids.invitationId, 'updated')]
  if (resourceType === 'Person')
    return personActions.includes(action) ? tell('Member', ids.memberId, 'updated') : []
  return isLiveResource(resourceType) ? tell(resourceType, resourceId, changeBy(action)) : []
}

function isLiveResource(type: string | null): type is LiveResource {
  return type !== null && Object.hasOwn(liveResources, type)
}

function changeBy(action: string): LiveChange['change'] {
  if (action.endsWith('.create')) return 'created'
  return action.endsWith('.delete') ? 'deleted' : 'updated'
}

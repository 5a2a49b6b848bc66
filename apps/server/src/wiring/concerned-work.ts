import type { ChangeKind, SignalledChange } from '../ports/changes.js'
import type { Changes } from '../ports/database.js'

const kindsByAction: readonly (readonly [action: RegExp, kinds: readonly ChangeKind[]])[] = [
  [/^realtime_session\.end$/, ['sessions']],
  [/^agent\.delete$/, ['sessions']],
  [/^conversation\.(delete|erase|expire)$/, ['sessions', 'turns', 'approvals']],
  [/^approval\./, ['approvals', 'turns']],
  [/^turn\./, ['turns']],
  [/^phone_call\.(make|hang_up|stop_all|digits)$/, ['calls']],
  [/^(phone_connection\.|phone_call\.stop_all$)/, ['lines']],
  // The end of a run stops its turn and withdraws its calls. `task.create` is excluded, because a new task
  // has neither.
  [/^task\.(?!create$)/, ['turns', 'approvals']],
  // The end of a run also ends its telephone call.
  [/^task\.run\.end$/, ['calls']],
]

/**
 * Returns the work of instances that a commit may affect. The regular polls handle actions that are not
 * listed.
 */
export function concernedBy(changes: Changes): ReadonlySet<SignalledChange> {
  const concerned = new Set<SignalledChange>()
  for (const [organizationId, actions] of changes)
    for (const action of actions)
      for (const [pattern, kinds] of kindsByAction)
        if (pattern.test(action)) for (const kind of kinds) concerned.add(`${kind} ${organizationId}`)
  return concerned
}

const removalRequests: readonly string[] = ['end_user.erase', 'conversation.expire']

/** Returns whether a commit may have requested the removal of end users or conversations. */
export function requestsRemoval(changes: Changes): boolean {
  return [...changes.values()].some((actions) => removalRequests.some((action) => actions.has(action)))
}

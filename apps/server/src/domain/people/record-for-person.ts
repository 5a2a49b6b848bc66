import type { Clock } from '../../ports/clock.js'
import { type AuditedChange, recordChange } from '../audit/record-change.js'
import { type PersonScope, personCaller } from './person-scope.js'

/** What somebody did, or was kept from doing, as a person: every organization that they belong to has it in its log. */
export async function recordForPerson(
  clock: Clock,
  { stores, person, requester }: Omit<PersonScope, 'session'>,
  change: Pick<AuditedChange, 'action' | 'outcome' | 'details'>,
): Promise<void> {
  for (const { organizationId, role } of await stores.members.ofPerson(person.id)) {
    const caller = personCaller({ person, requester }, { organizationId, role, scopes: [] })
    await recordChange(clock, { stores, caller }, { ...change, type: 'Person', id: person.id })
  }
}

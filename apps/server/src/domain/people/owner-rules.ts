import { coversScope, type Role, type RoleName, roleScopes, roles } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { Caller } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'

/** Owners alone make, change and remove owners: neither an admin nor a key that an admin has made becomes one. */
export function requireOwnerFor({ role: own, actor }: Caller, ...concerned: readonly Role[]): void {
  if (!concerned.includes('owner') || own === 'owner' || actor.type === 'operator' || actor.type === 'system')
    return
  throw new DomainError('Forbidden', 'Only a person who is an owner can make, change or remove owners.')
}

/** The roles that a member of this role can invite to. */
export function invitableRoles(role: RoleName): readonly RoleName[] {
  if (role === 'owner') return roles
  return coversScope(roleScopes[role], 'org:manage') ? roles.filter((each) => each !== 'owner') : []
}

/** An organization without an owner could never again have one, but through the operator. */
export async function refuseLastOwner(stores: Stores, organizationId: string): Promise<void> {
  await stores.members.lockOwners(organizationId)
  if ((await stores.members.countOwners(organizationId)) <= 1)
    throw new DomainError('LastOwner', 'This is the last owner of the organization. Make another one first.')
}

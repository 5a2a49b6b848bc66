import { roles } from '@parley/contract'
import { z } from 'zod'
import type { Stores } from '../../ports/database.js'
import type { PersonRecord } from '../../ports/people-stores.js'
import { recordChange } from '../audit/record-change.js'
import { DomainError } from '../domain-error.js'
import { triesOfAddress } from '../people/check-credentials.js'
import { addOwnerLink, endInvitations } from '../people/members.js'
import { findOnlyOrganization } from './api-keys.js'
import { defineAct, type Operator, type OperatorWorld, operatorCaller } from './operator-act.js'
import { requireOrganization } from './organizations.js'

const input = z.strictObject({ email: z.email().max(254).toLowerCase() })

const MembershipLine = z.object({
  organizationId: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** Whether the organization now has no owner. */
  wasLastOwner: z.boolean(),
})

/**
 * Releases an address: removes its accounts and their memberships, credentials, sessions and grants. The next
 * invitation to the address creates a new account.
 */
export const releasePerson = defineAct({
  name: 'person.release',
  input,
  output: z.object({ email: z.string(), accounts: z.int(), memberships: z.array(MembershipLine) }),
  run: (world, operator, { email }) =>
    world.database.transaction(async (stores) => {
      const accounts = await stores.people.findByAddressLocked(email)
      if (accounts.length === 0) throw noAccount(email)
      const memberships: z.output<typeof MembershipLine>[] = []
      for (const account of accounts)
        memberships.push(...(await removeAccount(world, operator, { stores, account })))
      return { email, accounts: accounts.length, memberships }
    }),
})

async function removeAccount(
  { clock }: OperatorWorld,
  operator: Operator,
  { stores, account }: { readonly stores: Stores; readonly account: PersonRecord },
): Promise<z.output<typeof MembershipLine>[]> {
  const { people, members, mcpGrants } = stores
  const removed: z.output<typeof MembershipLine>[] = []
  const { id: personId } = account
  await mcpGrants.removeOfPerson(personId)
  for (const membership of await members.ofPerson(personId)) {
    const { organizationId, organizationName, role, id } = membership
    await members.lockOwners(organizationId)
    const current = await members.findLocked(organizationId, id)
    if (current === null) continue
    await members.remove(current, current.version)
    const wasLastOwner = role === 'owner' && (await members.countOwners(organizationId)) === 0
    const scope = { stores, caller: operatorCaller(organizationId, operator) }
    const because = 'person.release'
    const endedInvitations = await endInvitations(clock, scope, { personId, to: roles, because })
    const details = { personId, role, endedInvitations, because }
    await recordChange(clock, scope, { action: 'member.delete', type: 'Member', id, details })
    removed.push({ organizationId, name: organizationName, role, wasLastOwner })
  }
  await people.remove(personId)
  return removed
}

/** Ends every lockout of this address: for unknown browsers, known browsers and sessions. */
export const unlockPerson = defineAct({
  name: 'person.unlock',
  input,
  output: z.object({
    email: z.string(),
    /** When the lockout would have ended. Null if there was none. */
    lockedUntil: z.string().nullable(),
    wrongTries: z.int(),
  }),
  run: ({ clock, database }, operator, { email }) =>
    database.transaction(async (stores) => {
      const accounts = await stores.people.findByAddress(email)
      if (accounts.length === 0) throw noAccount(email)
      const ids = accounts.map(({ id }) => id)
      const removed = await stores.signInAttempts.removeAll(triesOfAddress(email).key, ids)
      const now = clock.now().toISOString()
      const locks = removed.map(({ lockedUntil }) => lockedUntil ?? '').filter((until) => until > now)
      const lockedUntil = locks.sort().at(-1) ?? null
      const wrongTries = removed.reduce((sum, { failures, wrongCodes }) => sum + failures + wrongCodes, 0)
      for (const { id } of accounts)
        for (const { organizationId } of await stores.members.ofPerson(id)) {
          const scope = { stores, caller: operatorCaller(organizationId, operator) }
          const details = { lockedUntil, wrongTries }
          await recordChange(clock, scope, { action: 'person.unlock', type: 'Person', id, details })
        }
      return { email, lockedUntil, wrongTries }
    }),
})

const noAccount = (email: string) => new DomainError('NotFound', `No account has the email address ${email}.`)

/** Returns a link for a new owner, for organizations without an owner who can sign in. */
export const createOwnerLink = defineAct({
  name: 'owner-link.create',
  /** If null, the only organization is used. */
  input: z.strictObject({ organizationId: z.string().nullable() }),
  output: z.object({ organizationId: z.string(), token: z.string() }),
  async run(world, operator, { organizationId: wanted }) {
    const organizationId = wanted ?? (await findOnlyOrganization(world))
    await requireOrganization(world, organizationId)
    const caller = operatorCaller(organizationId, operator)
    const token = await world.database.transaction((stores) => addOwnerLink(world.clock, { stores, caller }))
    return { organizationId, token }
  },
})

import { minute, type Output } from '@parley/terminal'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { releasePerson, unlockPerson } from '../domain/operator/people.js'

export async function releaseAddress(access: OperatorAccess, output: Output, email: string): Promise<void> {
  const released = await access.run(releasePerson, { email })
  const { memberships } = released
  output.result(released, () => [
    `${released.email} is released: the account and its sessions are gone. Invite the address to make a new account.`,
    ...memberships.map(
      ({ name, organizationId, role }) => `  no longer ${role} of ${name} (${organizationId})`,
    ),
    ...memberships
      .filter(({ wasLastOwner }) => wasLastOwner)
      .map(
        ({ name, organizationId }) => `${name} has no owner now: parley owner-link --org ${organizationId}`,
      ),
  ])
}

export async function unlockPersonByAddress(
  access: OperatorAccess,
  output: Output,
  email: string,
): Promise<void> {
  const unlocked = await access.run(unlockPerson, { email })
  const { lockedUntil, wrongTries } = unlocked
  output.result(unlocked, () => [
    lockedUntil === null
      ? `${unlocked.email} was not locked out. Wrong tries that no longer count: ${wrongTries}.`
      : `${unlocked.email} can sign in again. The lock-out would have lasted until ${minute(lockedUntil)}.`,
  ])
}

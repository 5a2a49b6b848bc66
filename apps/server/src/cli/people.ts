import { minute, type Output } from '@parley/terminal'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { releasePerson, unlockPerson } from '../domain/operator/people.js'

export async function releaseAddress(access: OperatorAccess, output: Output, email: string): Promise<void> {
  const released = await access.run(releasePerson, { email })
  const { memberships } = released
  output.result(released, () => [
    `Released ${released.email}. Its account and sessions are removed. Invite the address to create a new account.`,
    ...memberships.map(
      ({ name, organizationId, role }) => `  no longer ${role} of ${name} (${organizationId})`,
    ),
    ...memberships
      .filter(({ wasLastOwner }) => wasLastOwner)
      .map(
        ({ name, organizationId }) =>
          `${name} no longer has an owner. Run parley owner-link --org ${organizationId} to add one.`,
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
      ? `${unlocked.email} was not locked. Reset ${wrongTries} failed attempts.`
      : `Unlocked ${unlocked.email}, which was locked until ${minute(lockedUntil)}.`,
  ])
}

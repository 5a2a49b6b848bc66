import type { Membership, Scope, SignedIn } from '@parley/sdk'

const chosenKey = 'parley.organization'

/** The organization that was viewed last, or the oldest one. */
export function chooseMembership({ organizations }: SignedIn): Membership | null {
  const chosen = localStorage.getItem(chosenKey)
  return organizations.find(({ id }) => id === chosen) ?? organizations[0] ?? null
}

export function rememberOrganization(organizationId: string): void {
  localStorage.setItem(chosenKey, organizationId)
}

export function mayIn(membership: Membership | null, scope: Scope): boolean {
  return membership?.scopes.includes(scope) ?? false
}

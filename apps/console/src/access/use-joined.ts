import type { SignedIn } from '@parley/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { rememberOrganization } from '../data/access'
import { signedOut } from './sign-in-state'

/** Switches to the organization that the user has just joined: the newest with that name. */
export function useJoined(organizationName: string): (signedIn: SignedIn) => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (signedIn) => {
    const joined = signedIn.organizations.findLast(({ name }) => name === organizationName)
    if (joined !== undefined) rememberOrganization(joined.id)
    // Cached data belongs to the previous user or organization.
    queries.removeQueries()
    queries.setQueryData(['me'], signedIn)
    signedOut.set(false)
    await navigate({ to: '/' })
  }
}

import type { SignedIn } from '@parley/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { rememberOrganization } from '../data/access'
import { signedOut } from './sign-in-state'

/** Goes into the organization that somebody has just joined: the newest of that name. */
export function useJoined(organizationName: string): (signedIn: SignedIn) => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (signedIn) => {
    const joined = signedIn.organizations.findLast(({ name }) => name === organizationName)
    if (joined !== undefined) rememberOrganization(joined.id)
    // What was read belongs to the person or organization before.
    queries.removeQueries()
    queries.setQueryData(['me'], signedIn)
    signedOut.set(false)
    await navigate({ to: '/' })
  }
}

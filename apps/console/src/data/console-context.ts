import type { Membership, Parley, Person, Scope, SignedIn } from '@parley/sdk'
import { createContext, useContext } from 'react'

/** What every page works with. */
export interface ConsoleContext {
  /** Calls in the organization that is looked at. */
  readonly parley: Parley
  readonly person: Person
  readonly signedIn: SignedIn
  readonly membership: Membership
  /** Whether the person may do it here. The service decides; this only keeps buttons away that would be refused. */
  readonly may: (scope: Scope) => boolean
  readonly switchOrganization: (organizationId: string) => void
  /** Reads again who is signed in. */
  readonly refresh: () => Promise<void>
}

export const ConsoleScope = createContext<ConsoleContext | null>(null)

export function useConsole(): ConsoleContext {
  const context = useContext(ConsoleScope)
  if (context === null) throw new Error('Nobody is signed in around this component.')
  return context
}

import type { Membership, Parley, Person, Scope, SignedIn } from '@parley/sdk'
import { createContext, useContext } from 'react'

/** The context of every page. */
export interface ConsoleContext {
  /** Client of the current organization. */
  readonly parley: Parley
  readonly person: Person
  readonly signedIn: SignedIn
  readonly membership: Membership
  /** Whether the user has the scope. The service enforces it. The console only hides buttons. */
  readonly may: (scope: Scope) => boolean
  readonly switchOrganization: (organizationId: string) => void
  /** Reads the signed-in user again. */
  readonly refresh: () => Promise<void>
}

export const ConsoleScope = createContext<ConsoleContext | null>(null)

export function useConsole(): ConsoleContext {
  const context = useContext(ConsoleScope)
  if (context === null) throw new Error('useConsole must be used inside ConsoleScope.')
  return context
}

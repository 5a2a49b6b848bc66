import type { Approval } from '@parley/sdk'
import { useConsole } from '../data/console-context'

/** The name of the decider. */
export function DeciderName({ decidedBy }: { readonly decidedBy: NonNullable<Approval['decidedBy']> }) {
  const { person } = useConsole()
  const { type, id, name } = decidedBy
  switch (type) {
    case 'person':
      return id === person.id ? 'you' : (name ?? 'a member')
    case 'api_key':
      return `API key ${name ?? id}`
    case 'client':
      return 'session client'
  }
}

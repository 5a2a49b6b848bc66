import type { Approval } from '@parley/sdk'
import { useConsole } from '../data/console-context'

export function DeciderName({ decidedBy }: { readonly decidedBy: NonNullable<Approval['decidedBy']> }) {
  const { person } = useConsole()
  const { type, id, name } = decidedBy
  switch (type) {
    case 'person':
      return id === person.id ? 'You' : (name ?? 'Member')
    case 'api_key':
      return `API key ${name ?? id}`
    case 'client':
      return 'End user'
  }
}

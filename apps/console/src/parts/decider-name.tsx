import type { Approval } from '@parley/sdk'
import { useConsole } from '../data/console-context'

interface DeciderNameProps {
  readonly decidedBy: NonNullable<Approval['decidedBy']>
  /** Whether the name is inside of a sentence. */
  readonly inSentence?: boolean
}

export function DeciderName({ decidedBy, inSentence = false }: DeciderNameProps) {
  const { person } = useConsole()
  const { type, id, name } = decidedBy
  switch (type) {
    case 'person':
      if (id === person.id) return inSentence ? 'you' : 'You'
      return name ?? 'Member'
    case 'api_key':
      return `API key ${name ?? id}`
    case 'client':
      return 'End user'
  }
}

import { Badge } from '@mantine/core'
import type { Webhook } from '@parley/sdk'

interface StateWords {
  readonly words: string
  /** Green: as it should be. Gray: switched off by a person. Orange: nothing arrives just now. Red: switched off for it. */
  readonly color: 'green' | 'gray' | 'orange' | 'red'
}

function stateWords({ isEnabled, disabledReason, failingSince }: Webhook): StateWords {
  if (disabledReason !== null) return { words: 'Switched off', color: 'red' }
  if (!isEnabled) return { words: 'Off', color: 'gray' }
  return failingSince === null ? { words: 'On', color: 'green' } : { words: 'Failing', color: 'orange' }
}

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { words, color } = stateWords(webhook)
  return (
    <Badge variant="light" color={color} fw={500}>
      {words}
    </Badge>
  )
}

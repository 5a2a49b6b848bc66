import { Badge } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'

const labels: Readonly<Record<PhoneConnection['state'], { label: string; color: string }>> = {
  ready: { label: 'Ready', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  unknown: { label: 'Not tested', color: 'gray' },
  off: { label: 'Disabled', color: 'gray' },
}

export function PhoneConnectionState({ state }: Pick<PhoneConnection, 'state'>) {
  const { label, color } = labels[state]
  return (
    <Badge variant="light" color={color} fw={500} flex="none">
      {label}
    </Badge>
  )
}

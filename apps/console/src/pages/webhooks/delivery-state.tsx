import { Badge } from '@mantine/core'
import type { WebhookDelivery } from '@parley/sdk'

export type DeliveryStateName = WebhookDelivery['state']

export const deliveryStates = {
  pending: { label: 'Pending', color: 'blue' },
  delivered: { label: 'Delivered', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
} as const satisfies Readonly<Record<DeliveryStateName, { readonly label: string; readonly color: string }>>

export function deliveryStateOf(value: string | undefined): DeliveryStateName | undefined {
  return value === 'pending' || value === 'delivered' || value === 'failed' ? value : undefined
}

export function DeliveryState({ state }: { readonly state: DeliveryStateName }) {
  const { label, color } = deliveryStates[state]
  return (
    <Badge variant="light" color={color} fw={500}>
      {label}
    </Badge>
  )
}

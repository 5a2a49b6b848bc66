import { Alert, Button, Skeleton } from '@mantine/core'
import { type CreatedWebhook, NotFoundError, type Webhook } from '@parley/sdk'
import { IconAlertTriangle, IconPencil, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { EmptyState } from '../../parts/empty-state'
import { ErrorNotice } from '../../parts/error-notice'
import { PageFrame } from '../../parts/page-frame'
import { Timestamp } from '../../parts/timestamp'
import { DeliveryLog } from './delivery-log'
import { NewSecret } from './new-secret'
import { WebhookDrawer } from './webhook-drawer'
import { WebhookFacts } from './webhook-facts'
import { WebhookMenu } from './webhook-menu'
import { WebhookTest } from './webhook-test'

/** One webhook: settings and deliveries. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/inside/organization/webhooks/$webhookId' })
  const { parley } = useConsole()
  const webhook = useQuery({
    queryKey: ['Webhook', webhookId],
    queryFn: async () => parley.webhooks.get(webhookId),
  })
  const { data, error } = webhook
  if (error instanceof NotFoundError)
    return (
      <PageFrame title="Webhook">
        <EmptyState icon={IconWebhook} title="Webhook not found">
          It may have been deleted.
        </EmptyState>
      </PageFrame>
    )
  if (data !== undefined) return <LoadedWebhook webhook={data} />
  return (
    <PageFrame title="Webhook">
      {error === null ? (
        <Skeleton h={150} />
      ) : (
        <ErrorNotice error={error} onRetry={() => void webhook.refetch()} />
      )}
    </PageFrame>
  )
}

function LoadedWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { may } = useConsole()
  const [isEditing, setEditing] = useState(false)
  const [rotated, setRotated] = useState<CreatedWebhook | null>(null)
  const mayChange = may('webhook:write')
  return (
    <PageFrame
      title={webhook.name}
      actions={
        mayChange && (
          <>
            <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setEditing(true)}>
              Edit
            </Button>
            <WebhookMenu webhook={webhook} onRotated={setRotated} />
          </>
        )
      }
    >
      {rotated !== null && <NewSecret created={rotated} onClose={() => setRotated(null)} />}
      <DeliveryWarning webhook={webhook} />
      <WebhookFacts webhook={webhook} />
      {mayChange && <WebhookTest webhook={webhook} />}
      <DeliveryLog webhook={webhook} />
      {isEditing && <WebhookDrawer webhook={webhook} onClose={() => setEditing(false)} />}
    </PageFrame>
  )
}

/** A warning if deliveries fail, with a fix. */
function DeliveryWarning({ webhook }: { readonly webhook: Webhook }) {
  const { parley, may } = useConsole()
  const { id, isEnabled, disabledReason, failingSince, waitingCount } = webhook
  const switchOn = useChange({
    change: async () => parley.webhooks.patch(id, { isEnabled: true }),
    changes: ['Webhook'],
    done: `${webhook.name} enabled.`,
  })
  const icon = <IconAlertTriangle size={18} />
  if (!isEnabled)
    return (
      <Alert
        color={disabledReason === null ? 'gray' : 'red'}
        icon={icon}
        title={disabledReason === null ? 'Webhook disabled' : 'Disabled by the service'}
      >
        {disabledReason ?? 'No new events are recorded.'}
        {may('webhook:write') && (
          <div>
            <Button
              mt="xs"
              size="xs"
              variant="default"
              loading={switchOn.isPending}
              onClick={() => switchOn.mutate(undefined)}
            >
              Enable
            </Button>
          </div>
        )}
      </Alert>
    )
  if (failingSince === null) return null
  return (
    <Alert color="orange" icon={icon} title="Deliveries are failing">
      No attempt has succeeded since <Timestamp at={failingSince} />. {pendingLabel(waitingCount)}
    </Alert>
  )
}

function pendingLabel(count: number): string {
  if (count === 0) return 'No pending deliveries.'
  return count === 1 ? '1 delivery is pending.' : `${count} deliveries are pending.`
}

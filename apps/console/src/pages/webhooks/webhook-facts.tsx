import { Card, Text } from '@mantine/core'
import type { Webhook } from '@parley/sdk'
import { useAgentDirectory } from '../../data/use-directory'
import { Facts } from '../../parts/facts'
import { Timestamp } from '../../parts/timestamp'
import { WebhookState } from './webhook-state'

export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { url, events, payload, waitingCount, previousSecretExpiresAt, createdAt } = webhook
  return (
    <Card withBorder bg="var(--parley-card)" radius="md">
      <Facts
        facts={{
          Status: <WebhookState webhook={webhook} />,
          URL: url,
          Events: events.includes('*') ? 'All events' : events.join(', '),
          Agents: <AgentNames agentIds={webhook.agentIds} />,
          Payload: payload === 'full' ? 'Full resource' : 'IDs only',
          'Pending deliveries': waitingCount === 0 ? null : String(waitingCount),
          Secrets:
            previousSecretExpiresAt === null ? null : (
              <>
                2 valid, the previous one until <Timestamp at={previousSecretExpiresAt} />
              </>
            ),
          Created: <Timestamp at={createdAt} />,
        }}
      />
    </Card>
  )
}

function AgentNames({ agentIds }: { readonly agentIds: readonly string[] }) {
  const agents = useAgentDirectory().data ?? []
  if (agentIds.length === 0) return <>All agents</>
  const names = agentIds.map((agentId) => agents.find(({ id }) => id === agentId)?.name)
  const gone = names.filter((name) => name === undefined).length
  return (
    <>
      {names.filter((name) => name !== undefined).join(', ')}
      {gone > 0 && agents.length > 0 && (
        <Text span inherit c="dimmed">
          {' '}
          and {gone} deleted
        </Text>
      )}
    </>
  )
}

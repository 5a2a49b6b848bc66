import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import { ErrorNotice } from '../../parts/error-notice'
import { Timestamp } from '../../parts/timestamp'
import { RevokeGrant } from '../mcp/revoke-grant'

/** The MCP clients that act for this user, with a button to revoke them. */
export function McpClients() {
  const { parley } = useConsole()
  const grants = useQuery({
    queryKey: ['McpGrant', 'own'],
    queryFn: async () => (await parley.me.listMcpGrants({ Limit: 100 })).items,
    staleTime: 0,
  })
  if (grants.isError) return <ErrorNotice error={grants.error} onRetry={() => void grants.refetch()} />
  if (grants.isPending) return <Skeleton h={56} />
  if (grants.data.length === 0) return <Text size="sm">No connected clients.</Text>
  return (
    <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {grants.data.map((grant) => (
        <Group component="li" key={grant.id} justify="space-between">
          <div>
            <Text size="sm">
              {grant.clientName} in {grant.organizationName}
            </Text>
            <Text size="xs" c="dimmed">
              Last used <Timestamp at={grant.lastUsedAt} />
            </Text>
          </div>
          <RevokeGrant grant={grant} revoke={async () => parley.me.deleteMcpGrant(grant.id)} />
        </Group>
      ))}
    </Stack>
  )
}

import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { PersonSession } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { ErrorNotice } from '../../parts/error-notice'
import { Timestamp } from '../../parts/timestamp'

/** All sessions of this user, with a button to end each. */
export function SignedInBrowsers() {
  const { parley } = useConsole()
  const sessions = useQuery({
    queryKey: ['PersonSession', 'list'],
    queryFn: async () => (await parley.me.listSessions({ Limit: 100 })).items,
    // A sign-in elsewhere causes no change event.
    staleTime: 0,
  })
  const end = useChange({
    change: async (id: string) => parley.me.deleteSession(id),
    changes: ['PersonSession'],
    done: 'Session ended.',
  })
  if (sessions.isError) return <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
  if (sessions.isPending) return <Skeleton h={56} />
  return (
    <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {sessions.data.map((session) => (
        <Group component="li" key={session.id} justify="space-between">
          <Browser session={session} />
          {session.isCurrent ? (
            <Badge variant="light">This browser</Badge>
          ) : (
            <Button size="xs" variant="default" onClick={() => end.mutate(session.id)}>
              Sign out
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  )
}

function Browser({ session: { userAgent, ipAddress, lastUsedAt } }: { readonly session: PersonSession }) {
  return (
    <div>
      <Text size="sm" title={userAgent ?? ''}>
        {formatBrowser(userAgent)}
      </Text>
      <Text size="xs" c="dimmed">
        {ipAddress ?? 'unknown IP address'}, last used <Timestamp at={lastUsedAt} />
      </Text>
    </div>
  )
}

/** The browser's common name, from its user agent. */
function formatBrowser(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => text.includes(`${name}/`))
  const system = ['Windows', 'Mac OS', 'Android', 'iPhone', 'Linux'].find((name) => text.includes(name))
  const parts = [browser === 'Edg' ? 'Edge' : browser, system].filter((word) => word !== undefined)
  return parts.length === 0 ? 'Unknown browser' : parts.join(' on ')
}

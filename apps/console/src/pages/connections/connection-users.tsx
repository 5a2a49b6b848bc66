import { Anchor, Group, Text } from '@mantine/core'
import type { Agent, Connection } from '@parley/sdk'
import { Link } from '@tanstack/react-router'
import { useAgentDirectory } from '../../data/use-directory'

/** The agents that use a connection. Agents without one use the default. */
export function usersOf({ id, isDefault }: Connection, agents: readonly Agent[]): readonly Agent[] {
  return agents.filter(({ connectionId }) => (connectionId === null ? isDefault : connectionId === id))
}

/** Agents that reference the connection. They prevent its deletion. */
export function namersOf({ id }: Connection, agents: readonly Agent[]): readonly Agent[] {
  return agents.filter(({ connectionId }) => connectionId === id)
}

const mostShown = 12

export function ConnectionUsers({ connection }: { readonly connection: Connection }) {
  const users = usersOf(connection, useAgentDirectory().data ?? [])
  return (
    <section aria-label="Agents using this connection">
      <Text size="sm" fw={500}>
        Agents using this connection
      </Text>
      {users.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      ) : (
        <Group gap="xs">
          {users.slice(0, mostShown).map(({ id, name }) => (
            <Anchor key={id} component={Link} to={`/agents/${id}`} size="sm">
              {name}
            </Anchor>
          ))}
          {users.length > mostShown && <Text size="sm">and {users.length - mostShown} more</Text>}
        </Group>
      )}
    </section>
  )
}

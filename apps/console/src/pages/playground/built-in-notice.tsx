import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** Explains the built-in model and voice, and how to replace them. */
export function BuiltInNotice() {
  return (
    <Text size="xs" c="dimmed" ta="center">
      This is the built-in voice and model: they need no account, and are no match for a real one.{' '}
      <Anchor component={Link} to="/connections" inherit underline="always">
        Plug in a model under Connections
      </Anchor>
    </Text>
  )
}

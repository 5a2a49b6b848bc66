import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** Explains the built-in model and voice, and how to replace them. */
export function BuiltInNotice() {
  return (
    <Text size="xs" c="dimmed" ta="center">
      The built-in voice and model are for testing.{' '}
      <Anchor component={Link} to="/connections" inherit underline="always">
        Add a connection
      </Anchor>
    </Text>
  )
}

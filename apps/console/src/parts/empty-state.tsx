import { Center, Stack, Text, ThemeIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon: Icon
  readonly title: string
  /** The first step to fill the list. */
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ icon: Sign, title, children, action }: EmptyStateProps) {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw="min(28rem, 100%)" ta="center">
        <ThemeIcon variant="light" size={52} radius="xl">
          <Sign size={28} stroke={1.5} />
        </ThemeIcon>
        <Text fw={600} maw="100%" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Text c="dimmed" size="sm" component="div" maw="100%" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  )
}

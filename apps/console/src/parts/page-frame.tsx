import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface PageFrameProps {
  readonly title: string
  /** A link to the list, on the page of one of its items. */
  readonly back?: ReactNode
  /** One sentence about the page's purpose. */
  readonly about?: string
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Whether the content fills the height and scrolls on its own, as lists do. */
  readonly isFilling?: boolean
}

export function PageFrame({ title, back, about, actions, children, isFilling = false }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])
  return (
    <Stack gap="md" h={isFilling ? '100%' : undefined} mih={0}>
      <Group justify="space-between" align="start" gap="sm">
        <Box flex="1 1 18rem" miw={0}>
          {back}
          <Title order={1} fz="1.5rem" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" size="sm" maw="44rem">
              {about}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}

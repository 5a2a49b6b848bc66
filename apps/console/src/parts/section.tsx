import { Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A titled group of fields. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="md" bg="var(--parley-card)" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} fz="1rem">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}
